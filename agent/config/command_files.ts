import type { ConfigFile } from "./files.ts";
import type { LoadedConfig, ProjectStanding } from "./load.ts";
import type { Config } from "./schema.ts";

/** Keys whose values are commands that run without being asked for. */
const COMMAND_KEYS = ["hooks", "format", "diagnostics"] as const satisfies (keyof Config)[];

/** The files whose commands run, the closest to the task first. */
export interface CommandFiles {
  readonly ofProject: readonly ConfigFile[];
  readonly ofPerson: readonly ConfigFile[];
  /** Sentences that a person should read. */
  readonly warnings: readonly string[];
}

/**
 * Whose commands run. A person's own always do, since they have named them; a project's where its
 * folder is trusted and something confines them: they run what lies in the project, where the model
 * can write.
 */
export function commandFiles(
  { files, project }: Pick<LoadedConfig, "files"> & {
    readonly project: Pick<ProjectStanding, "files" | "trust">;
  },
  confined: boolean,
): CommandFiles {
  const ofPerson = files.filter(({ path }) => !project.files.some((file) => file.path === path));
  const trusted = project.trust === "trusted" ? project.files : [];
  if (confined) return { ofProject: trusted, ofPerson, warnings: [] };
  const held = COMMAND_KEYS.filter((key) => trusted.some(({ config }) => config[key]));
  const warnings = held.length === 0 ? [] : [
    `Nothing confines commands here, so what the project sets is passed over: ${held.join(", ")}`,
  ];
  return { ofProject: [], ofPerson, warnings };
}

/** A setting of these files: the first that has it decides. */
export function settingIn<K extends keyof Config>(
  { ofProject, ofPerson }: CommandFiles,
  key: K,
): Config[K] | undefined {
  return [...ofProject, ...ofPerson].find(({ config }) => config[key] !== undefined)?.config[key];
}
