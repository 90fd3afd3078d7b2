import type { CommandFiles } from "../config/command_files.ts";
import { namesOfTool } from "../toolbox.ts";
import { expressionOf, type HookEvent, type HooksConfig } from "./hook_schema.ts";

/** A command that runs at a certain moment. */
export interface Hook {
  readonly event: HookEvent;
  /** What it is about: names of tools, or where a session comes from; absent: everything. */
  readonly matcher?: RegExp;
  /** For `bash -c`. */
  readonly command: string;
  readonly timeoutMs: number;
  /** Whether what it cannot check does not happen. */
  readonly strict: boolean;
  /** Whether nothing confines it; only a person's own file can say so. */
  readonly outside: boolean;
  readonly origin: "user" | "project";
}

/** As other agents have it, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** A project's own file asks for rights that it cannot have; as a sentence. */
const NOT_OUTSIDE = 'A project\'s hooks run inside the view: "outside" does nothing there';

/**
 * The hooks of all files whose commands run. Those of a project come first, so that a person's own
 * hooks judge what those made of a call.
 */
export function configuredHooks(
  { ofProject, ofPerson }: Pick<CommandFiles, "ofProject" | "ofPerson">,
): { readonly hooks: readonly Hook[]; readonly warnings: readonly string[] } {
  const hooks = [
    ...ofProject.flatMap(({ config }) => hooksOf(config.hooks, "project")),
    ...ofPerson.flatMap(({ config }) => hooksOf(config.hooks, "user")),
  ];
  const asksOutside = ofProject.some(({ config }) =>
    Object.values(config.hooks ?? {}).flat().some((group) =>
      group?.hooks.some(({ outside }) => outside)
    )
  );
  return { hooks, warnings: asksOutside ? [NOT_OUTSIDE] : [] };
}

/** The hooks of an event that are about something; a tool is known by all of its names. */
export function matchingHooks(
  hooks: readonly Hook[],
  event: HookEvent,
  subject: string | undefined,
): Hook[] {
  const names = subject === undefined ? [] : [subject, ...namesOfTool(subject)];
  return hooks.filter((hook) =>
    hook.event === event &&
    (hook.matcher === undefined || names.some((name) => hook.matcher?.test(name)))
  );
}

function hooksOf(config: HooksConfig | undefined, origin: Hook["origin"]): Hook[] {
  // zod let no other keys through.
  const events = Object.entries(config ?? {}) as [HookEvent, HooksConfig[HookEvent]][];
  return events.flatMap(([event, groups = []]) =>
    groups.flatMap(({ matcher, hooks }) => {
      const expression = expressionOf(matcher);
      return hooks.map(({ command, timeout, strict = false, outside = false }): Hook => ({
        ...{ event, command, strict, origin },
        ...(expression && { matcher: expression }),
        timeoutMs: timeout === undefined ? DEFAULT_TIMEOUT_MS : Math.ceil(timeout * 1000),
        outside: outside && origin === "user",
      }));
    })
  );
}
