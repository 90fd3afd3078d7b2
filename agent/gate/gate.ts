import type { Plan, Touch } from "../../tools/tool.ts";
import { cleanLine } from "../../tools/web/outside.ts";
import type { CommandJudge } from "./judgement.ts";
import type { Deed } from "./rules.ts";

/** When a call needs a person's yes; `on-escape` is the default. */
export type ApprovalMode = "on-escape" | "ask" | "deny" | "all";

/** What the gate goes by, fixed when the run starts. */
export interface GatePolicy {
  readonly mode: ApprovalMode;
  /** Whether commands run inside something that holds them. */
  readonly confined: boolean;
  readonly judge: CommandJudge;
  /** Why a file is obeyed unasked by programs outside the cordon; absent: nobody looks. */
  readonly obeyed?: ObeyedCheck;
  /** Where things are, so that answers can hold for more than a call; absent: they never do. */
  readonly place?: GatePlace;
}

/** Where the deeds of a call would be done. */
export interface GatePlace {
  /** The shell's folder, absolute. */
  cwd(): string;
  /** Where a path leads, links followed; of a file that is not there yet, where it would be. */
  realPath(path: string): Promise<string | undefined>;
}

/** Half a sentence on why the file at a path is obeyed unasked; undefined where it is not. */
export type ObeyedCheck = (path: string) => Promise<string | undefined>;

/** What is to happen with a touch of a call. */
type Verdict =
  | { readonly kind: "allow" }
  | {
    readonly kind: "ask";
    readonly reason: string;
    /** What is told to the person alone. */
    readonly where?: string;
  }
  /** Refused in every mode; only a person at a terminal may pass the exact call. */
  | { readonly kind: "deny"; readonly reason: string; readonly saferWay: string };

/** A verdict that keeps a call from just running. */
export type Objection = Exclude<Verdict, { kind: "allow" }>;

/** What stands against one touch of a call. */
export interface TouchObjection {
  readonly touch: Touch;
  readonly verdict: Objection;
}

/** What stands against a call, touch by touch. Pure but for what the policy looks at. */
export async function objectionsTo(plan: Plan, policy: GatePolicy): Promise<TouchObjection[]> {
  const judged = await Promise.all(plan.touches.map(async (touch) => ({
    touch,
    verdict: await judgeTouch(touch, policy),
  })));
  return judged.flatMap(({ touch, verdict }) =>
    verdict.kind === "allow" ? [] : [{ touch, verdict }]
  );
}

/** The objection that decides; undefined where there is none. */
export function mostSevere(objections: readonly TouchObjection[]): Objection | undefined {
  const verdicts = objections.map(({ verdict }) => verdict);
  return verdicts.find(({ kind }) => kind === "deny") ?? verdicts[0];
}

/** A touch as rules know it; undefined for what no rule can be about. */
export async function deedOf(
  touch: Touch,
  tool: string,
  { place, judge }: GatePolicy,
): Promise<Deed | undefined> {
  if (!place) return undefined;
  switch (touch.kind) {
    case "command": {
      const judgement = await judge(touch.command);
      const words = judgement.kind === "other" ? judgement.words : undefined;
      const { command } = touch;
      return { kind: "command", command, tool, cwd: place.cwd(), ...(words && { words }) };
    }
    case "write": {
      const path = await place.realPath(touch.path);
      return path === undefined ? undefined : { kind: "write", path };
    }
    case "screen":
      return touch.act === "sensitive" ? undefined : { kind: "screen", act: touch.act };
    case "foreign":
      return { kind: "foreign", server: touch.server, tool: touch.tool };
    case "read":
    case "host":
    case "browser":
    case "child":
    case "job":
      return undefined;
  }
}

/** What may change something, whatever exactly it does. */
const CHANGING: ReadonlySet<Touch["kind"]> = new Set<Touch["kind"]>(
  ["write", "job", "child", "browser", "foreign"],
);

/** Whether a call changes nothing, so that it may run beside others. */
export async function isReadOnly(plan: Plan, judge: CommandJudge): Promise<boolean> {
  for (const touch of plan.touches) {
    if (CHANGING.has(touch.kind)) return false;
    if (touch.kind === "screen" && touch.act !== "look") return false;
    if (touch.kind === "command" && (await judge(touch.command)).kind !== "read_only") return false;
  }
  return true;
}

async function judgeTouch(touch: Touch, policy: GatePolicy): Promise<Verdict> {
  switch (touch.kind) {
    case "read":
      return { kind: "allow" };
    case "child":
      return { kind: "allow" };
    case "host":
      // It is judged, and asked for, where it is reached: so are those that it sends us to.
      return { kind: "allow" };
    case "browser":
      return judgeBrowser(touch, policy);
    case "foreign":
      return judgeForeign(touch, policy);
    case "write":
      return await judgeWrite(touch.path, policy);
    case "job":
      return policy.mode === "ask" ? ask("it ends a job") : { kind: "allow" };
    case "screen":
      // Nothing confines what is shown there, nor whom a click reaches.
      if (policy.mode === "all") return { kind: "allow" };
      return { ...ask(touch.what), ...(touch.where !== undefined && { where: touch.where }) };
    case "command":
      return await judgeCommand(touch.command, policy);
  }
}

/** A person's own browser is logged in wherever they are; one that nothing holds is a program as any. */
function judgeBrowser(
  { action, starts, of, confined }: Extract<Touch, { kind: "browser" }>,
  { mode }: GatePolicy,
): Verdict {
  if (mode === "all") return { kind: "allow" };
  if (starts && of === "attached") {
    return ask("it acts in your own browser, with all that you are logged in to");
  }
  if (starts && !confined) return ask("it starts a browser that nothing confines");
  return mode === "ask" ? ask(`it acts on a page (${action})`) : { kind: "allow" };
}

/** What a server says of its tools proves nothing, and what they do happens elsewhere. */
function judgeForeign(
  { server, tool, allowed }: Extract<Touch, { kind: "foreign" }>,
  { mode }: GatePolicy,
): Verdict {
  if (mode === "all" || (allowed && mode !== "ask")) return { kind: "allow" };
  return ask(`it asks the MCP server ${shown(server)} for ${shown(tool)}`);
}

/** Servers choose these names; a person reads them in a sentence. */
function shown(name: string): string {
  return JSON.stringify(cleanLine(name, 80));
}

/** Commands are swept after; what a file tool writes stays, so a person is asked before. */
async function judgeWrite(path: string, { mode, obeyed }: GatePolicy): Promise<Verdict> {
  if (mode === "all") return { kind: "allow" };
  const reason = await obeyed?.(path);
  if (reason !== undefined) return ask(`it writes ${path}, and ${reason}`);
  return mode === "ask" ? ask("it changes files") : { kind: "allow" };
}

async function judgeCommand(command: string, policy: GatePolicy): Promise<Verdict> {
  const judgement = await policy.judge(command);
  switch (judgement.kind) {
    case "forbidden":
      return { kind: "deny", reason: judgement.reason, saferWay: judgement.saferWay };
    case "read_only":
      return { kind: "allow" };
    case "destructive":
      return policy.mode === "all" ? { kind: "allow" } : ask(judgement.reason);
    case "other":
      if (policy.mode === "all") return { kind: "allow" };
      if (policy.mode === "ask") return ask(judgement.reason);
      return policy.confined
        ? { kind: "allow" }
        : ask(`nothing confines it, and ${judgement.reason}`);
  }
}

function ask(reason: string): Verdict {
  return { kind: "ask", reason };
}
