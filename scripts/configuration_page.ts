/**
 * Makes docs/configuration.md out of the schema of configuration files:
 * `deno run --allow-read=. --allow-write=docs scripts/configuration_page.ts`.
 */
import { join } from "node:path";
import { z } from "zod";
import {
  type Config,
  configSchema,
  type Narrowing,
  narrowingOf,
  PROVIDER_KEYS,
} from "../agent/config/schema.ts";
import { columns } from "./page/table.ts";
import { valueText } from "./page/value_text.ts";

/** Where the page lies. */
export const CONFIGURATION_PAGE = join(import.meta.dirname ?? ".", "../docs/configuration.md");

/** A file that shows how settings look; a test reads it by the schema. */
export const EXAMPLE = `{
  // the model of every day
  "model": "gpt-5",
  "context_window": 400000,
  "prices": { "input": 1.25, "cached_input": 0.125, "output": 10 },
  // cordon -m work/qwen3-coder asks this server, with this key and these headers
  "providers": {
    "work": {
      "base_url": "https://models.example.org/v1",
      "env_key": "WORK_API_KEY",
      "headers": { "x-team": "tools" },
      "wire": "chat",
      "images": false
    }
  }
}
`;

/** The page, whole. */
export function configurationPage(): string {
  const keys = Object.keys(configSchema.shape) as (keyof Config)[];
  const ofServers = keys.filter((key) => PROVIDER_KEYS.includes(key));
  const others = keys.filter((key) => !PROVIDER_KEYS.includes(key));
  return `<!-- Made by scripts/configuration_page.ts from agent/config/schema.ts; edit those. -->

# Configuration

Settings are files named \`config.jsonc\`: JSON with comments and a last comma allowed. What is said
nearer to the task goes before what is said further away:

1. flags, as \`--model\`; \`cordon --help\` lists them
2. variables: \`CORDON_MODEL\` and so on for every flag that does not widen rights, and
   \`OPENAI_BASE_URL\`, \`OPENAI_API_KEY\`
3. the project: \`.cordon/config.jsonc\` in the folder, then in those above it up to the nearest with
   \`.git\`
4. the person: \`$XDG_CONFIG_HOME/cordon/config.jsonc\`, by default \`~/.config/cordon/config.jsonc\`
5. the machine: \`cordon/config.jsonc\` in the folders of \`$XDG_CONFIG_DIRS\`, by default \`/etc/xdg\`
6. the defaults

The first that sets a key decides; \`providers\` are joined by name. A mistake is told with file, line
and column, an unknown key with the name that is nearest. \`cordon doctor\` lists the files that are read.

\`\`\`jsonc
${EXAMPLE}\`\`\`

## Keys

${table(others)}

## Keys of a server

At the top they are those of the server that no profile names; in \`providers\` those of a profile.
What is set for one server goes to no other. Which one is asked: \`--provider\`, \`--base-url\`, the
profile before the first \`/\` of the model's name, \`OPENAI_BASE_URL\`, \`provider\`, the keys at the
top; in this order.

${table(ofServers)}

## What a project may set

A repository that you have just cloned may hold a \`.cordon/config.jsonc\`. Until you trust the folder
it may only narrow what you have set; everything else in it does nothing, and one line says so:

${narrowings()}

At a terminal Cordon asks once, and shows what the files set; \`cordon trust\` says yes, \`cordon untrust\`
takes it back. Your word is kept in the state folder for the folder's real path, and holds until the
files change. Rights, profile and \`--approval=all\` are flags alone: no file sets them.
`;
}

function table(keys: readonly (keyof Config)[]): string {
  return columns([
    ["key", "value", "meaning"],
    ["---", "---", "---"],
    ...keys.map((key) => {
      const schema = configSchema.shape[key].unwrap();
      return [`\`${key}\``, valueText(z.toJSONSchema(schema, { io: "input" })), meaning(schema)];
    }),
  ]);
}

function narrowings(): string {
  const keys = Object.keys(configSchema.shape).flatMap((key) => {
    const narrowing = narrowingOf(key);
    return narrowing ? [[`\`${key}\``, narrowingText(narrowing)]] : [];
  });
  return columns([["key", "how"], ["---", "---"], ...keys]);
}

function narrowingText(narrowing: Narrowing): string {
  switch (narrowing.kind) {
    case "free":
      return "any value";
    case "lower":
      return narrowing.otherwise === Infinity
        ? "a smaller number, or any where none is set"
        : `a smaller number; ${narrowing.otherwise} where none is set`;
    case "removals":
      return "`-name` alone, added to what is set";
    case "stricter": {
      const steps = narrowing.steps.map(([from, to]) => `\`${from}\` to \`${to}\``);
      return `${steps.join(", ")}; \`${narrowing.otherwise}\` where none is set`;
    }
  }
}

/** The description, and those of an object's own keys. */
function meaning(schema: z.ZodType): string {
  const shape = schema instanceof z.ZodObject ? schema.shape : {};
  const parts = Object.entries<z.ZodType>(shape).flatMap(([key, part]) => {
    const described = part.description ??
      (part instanceof z.ZodOptional ? z.toJSONSchema(part).description : undefined);
    return described ? [`\`${key}\`: ${described}`] : [];
  });
  return [schema.description ?? "", ...parts].join("; ");
}

if (import.meta.main) await Deno.writeTextFile(CONFIGURATION_PAGE, configurationPage());
