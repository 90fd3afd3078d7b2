import * as z from "zod";
import type { ApprovalRecord } from "../session/records.ts";

const binding = z.discriminatedUnion("kind", [
  /** The very text of a command, by a tool and in a folder; any where it is absent. */
  z.object({
    kind: z.literal("command"),
    command: z.string(),
    tool: z.string().exactOptional(),
    cwd: z.string().exactOptional(),
  }),
  /** One simple command whose first words are these, by a tool and in a folder. */
  z.object({
    kind: z.literal("prefix"),
    words: z.array(z.string()).min(1),
    tool: z.string(),
    cwd: z.string(),
  }),
  /** Writing one file, by its real path. */
  z.object({ kind: z.literal("write"), path: z.string() }),
  z.object({ kind: z.literal("host"), host: z.string(), port: z.number() }),
  /** A tool of a server, or all of them. */
  z.object({ kind: z.literal("foreign"), server: z.string(), tool: z.string().exactOptional() }),
  /** Looking at the person's screen, or acting there. */
  z.object({ kind: z.literal("screen"), act: z.enum(["look", "act"]) }),
]);

const rule = z.object({
  decision: z.enum(["allow", "deny"]),
  binding,
  /** Whether something confined commands when it was given; what was given inside stays inside. */
  confined: z.boolean(),
});

/** What an answer of a person holds for, beyond the call that it was given for. */
export type Binding = z.infer<typeof binding>;

/** An answer of a person that holds until the session ends. */
export type Rule = z.infer<typeof rule>;

/** What one touch of a call does, as far as rules can tell. */
export type Deed =
  | {
    readonly kind: "command";
    readonly command: string;
    readonly tool: string;
    readonly cwd: string;
    /** Its words, where it is proven to be one simple command; absent: no prefix covers it. */
    readonly words?: readonly string[];
  }
  | { readonly kind: "write"; readonly path: string }
  | { readonly kind: "host"; readonly host: string; readonly port: number }
  | { readonly kind: "foreign"; readonly server: string; readonly tool: string }
  | { readonly kind: "screen"; readonly act: "look" | "act" };

/** The rules that approvals brought; what a newer version wrote and this one cannot read is none. */
export function rulesOf(approvals: readonly ApprovalRecord[]): Rule[] {
  return approvals.flatMap(({ rules = [] }) => rules).flatMap((value) => {
    const parsed = rule.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
}

/**
 * What the rules say of a deed: the last that covers it decides. A yes that was given inside a view
 * holds only inside one.
 */
export function ruleFor(
  rules: readonly Rule[],
  deed: Deed,
  confined: boolean,
): Rule | undefined {
  return rules.findLast((rule) =>
    covers(rule.binding, deed) && (rule.decision === "deny" || confined || !rule.confined)
  );
}

/** Whether a binding is about a deed. */
export function covers(binding: Binding, deed: Deed): boolean {
  switch (binding.kind) {
    case "command":
      return deed.kind === "command" && deed.command === binding.command &&
        (binding.cwd === undefined || deed.cwd === binding.cwd) &&
        (binding.tool === undefined || deed.tool === binding.tool);
    case "prefix":
      return deed.kind === "command" && deed.cwd === binding.cwd && deed.tool === binding.tool &&
        deed.words !== undefined &&
        binding.words.every((word, i) => deed.words?.[i] === word);
    case "write":
      return deed.kind === "write" && deed.path === binding.path;
    case "host":
      return deed.kind === "host" && deed.host === binding.host && deed.port === binding.port;
    case "foreign":
      return deed.kind === "foreign" && deed.server === binding.server &&
        (binding.tool === undefined || deed.tool === binding.tool);
    case "screen":
      return deed.kind === "screen" && deed.act === binding.act;
  }
}

/** The narrowest binding that covers a deed. */
export function exactBinding(deed: Deed): Binding {
  switch (deed.kind) {
    case "command":
      return { kind: "command", command: deed.command, tool: deed.tool, cwd: deed.cwd };
    case "write":
      return { kind: "write", path: deed.path };
    case "host":
      return { kind: "host", host: deed.host, port: deed.port };
    case "foreign":
      return { kind: "foreign", server: deed.server, tool: deed.tool };
    case "screen":
      return { kind: "screen", act: deed.act };
  }
}

/** The rules that an answer makes of its bindings: a never holds by whatever tool, and anywhere. */
export function newRules(
  decision: Rule["decision"],
  bindings: readonly Binding[],
  confined: boolean,
): Rule[] {
  return bindings.map((binding) =>
    decision === "deny" && binding.kind === "command"
      ? { decision, binding: { kind: "command", command: binding.command }, confined }
      : { decision, binding, confined }
  );
}

/** A rule in words, for a person. */
export function ruleText({ decision, binding, confined }: Rule): string {
  const inside = decision === "allow" && confined ? " inside the view" : "";
  return `${bindingText(binding)} ${decision === "allow" ? "is allowed" : "is refused"}${inside}`;
}

function bindingText(binding: Binding): string {
  switch (binding.kind) {
    case "command": {
      const { command, tool, cwd } = binding;
      return `"${command}"${tool === undefined ? "" : ` by ${tool}`}${placeText(cwd)}`;
    }
    case "prefix":
      return `"${binding.words.join(" ")} …" by ${binding.tool}${placeText(binding.cwd)}`;
    case "write":
      return `writing ${binding.path}`;
    case "host":
      return `reaching ${binding.host}:${binding.port}`;
    case "foreign": {
      const { server, tool } = binding;
      const what = tool === undefined ? "everything" : JSON.stringify(tool);
      return `asking the MCP server ${JSON.stringify(server)} for ${what}`;
    }
    case "screen":
      return screenText(binding.act);
  }
}

/** What is done at the screen, in words. */
export function screenText(act: "look" | "act"): string {
  return act === "look" ? "looking at your screen" : "mouse and keys on your screen";
}

function placeText(cwd: string | undefined): string {
  return cwd === undefined ? "" : ` in ${cwd}`;
}
