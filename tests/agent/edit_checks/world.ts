import { type EditChecks, openEditChecks } from "../../../agent/edit_checks/edit_checks.ts";
import { diagnosticsSchema, formatSchema } from "../../../agent/edit_checks/checks_schema.ts";
import { createFiles } from "../../../sandbox/files/guarded_files.ts";
import { BOTH_COMMANDS, type CommandsKind } from "../../helpers/both_commands.ts";

/** A workspace whose edits are checked. */
export interface CheckedWorld extends AsyncDisposable {
  readonly workspace: string;
  readonly checks: EditChecks;
  /** Writes a file as an edit does; what the model is told. */
  edit(name: string, text: string, signal?: AbortSignal): Promise<readonly string[]>;
  /** Writes a file as somebody else does. */
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string>;
}

/** `config` as it stands in a configuration file. */
export async function checkedWorld(
  config: { readonly format?: unknown; readonly diagnostics?: unknown },
  files: Readonly<Record<string, string>> = {},
  kind: CommandsKind | undefined = BOTH_COMMANDS.find(({ name }) => name === "process group"),
): Promise<CheckedWorld> {
  if (kind === undefined) throw new Error("no way to run commands is known");
  const house = await kind.open(files);
  const { commands, workspace } = house;
  const checks = openEditChecks({
    format: formatSchema.parse(config.format ?? []),
    diagnostics: diagnosticsSchema.parse(config.diagnostics ?? []),
    files: createFiles({ roots: { workspace }, cwd: () => workspace }),
    ...{ commands, workspace, cwd: () => workspace },
  });
  const write = (name: string, text: string) => Deno.writeTextFile(`${workspace}/${name}`, text);
  return {
    ...{ workspace, checks, write },
    async edit(name, text, signal = new AbortController().signal) {
      const plan = { touches: [{ kind: "write" as const, path: name }] };
      const { notes } = await checks.around(plan, signal, async () => {
        await write(name, text);
        return { ok: true };
      });
      return notes;
    },
    read: (name) => Deno.readTextFile(`${workspace}/${name}`),
    async [Symbol.asyncDispose]() {
      await checks[Symbol.asyncDispose]();
      await house[Symbol.asyncDispose]();
    },
  };
}
