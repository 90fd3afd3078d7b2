import {
  type CordonOptions,
  type CordonRun,
  newWorld,
  type RunningCordon,
  type World,
} from "./cordon.ts";
import type { Said } from "./model_streams.ts";
import { type ModelServer, modelServer, type Reply, type SeenRequest } from "./model_server.ts";

/** Requests that one family may make, more than any test needs. */
const MANY = 2_000;

/** What the models of a session and of its sub-agents say. */
export interface FamilyScript {
  /** One answer a request, by how many it has given before. */
  readonly parent: readonly (Reply | ((request: SeenRequest) => Reply))[];
  /** The answer of a sub-agent to its task, by how many it has given before. */
  child(prompt: string, turn: number, request: SeenRequest): Reply;
}

/** A session with sub-agents on a fake server. */
export interface Family extends AsyncDisposable {
  readonly world: World;
  readonly server: ModelServer;
  /** Requests of the session itself, and of its sub-agents. */
  readonly requests: {
    readonly parent: readonly SeenRequest[];
    readonly child: readonly SeenRequest[];
  };
  run(args?: readonly string[], options?: Partial<CordonOptions>): Promise<CordonRun>;
  start(args?: readonly string[], options?: Partial<CordonOptions>): Promise<RunningCordon>;
}

/** The key that the model's server is given. */
export const FAMILY_KEY = "family-key-0123456789";

/** Starts a server for a session and its sub-agents, in a world with `files`. */
export async function newFamily(
  script: FamilyScript,
  files: Readonly<Record<string, string>> = {},
): Promise<Family> {
  const requests = { parent: new Array<SeenRequest>(), child: new Array<SeenRequest>() };
  const answer = (request: SeenRequest): Reply => {
    const isChild = systemOf(request).includes("You are a sub-agent");
    requests[isChild ? "child" : "parent"].push(request);
    const turn = turnOf(request);
    if (isChild) return script.child(promptOf(request), turn, request);
    const next = script.parent[turn] ?? { text: "no more to say" };
    return typeof next === "function" ? next(request) : next;
  };
  const server = await modelServer(Array.from({ length: MANY }, () => answer));
  const world = await newWorld(files);
  const common = ["-m", "m1", `--base-url=${server.url}`, "--wire=chat", "--tools=+subagents"];
  const env = { OPENAI_API_KEY: FAMILY_KEY };
  return {
    ...{ world, server, requests },
    run: (args = [], options = {}) =>
      world.run(["-p", "--output-format=stream-json", ...common, ...args, "do it"], {
        ...options,
        env: { ...env, ...options.env },
      }),
    start: (args = [], options = {}) =>
      world.start([...common, ...args], { ...options, env: { ...env, ...options.env } }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** An answer that calls one tool. */
export function says(name: string, args: Readonly<Record<string, unknown>>): Said {
  return { toolCalls: [{ name, arguments: args }] };
}

/** The texts of all messages of a request, in order. */
export function textsOf({ body }: SeenRequest): string[] {
  return body.messages.map(({ content }: { content: unknown }) => contentText(content));
}

/** The names of the tools that a request offers. */
export function toolsOf({ body }: SeenRequest): string[] {
  return (body.tools ?? []).map((tool: { function: { name: string } }) => tool.function.name);
}

function systemOf(request: SeenRequest): string {
  return textsOf(request)[0] ?? "";
}

function turnOf({ body }: SeenRequest): number {
  return body.messages.filter(({ role }: { role: string }) => role === "assistant").length;
}

/** What a person, or whoever gave the task, said first. */
export function promptOf({ body }: SeenRequest): string {
  const user = body.messages.find(({ role }: { role: string }) => role === "user");
  return contentText(user?.content);
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => part.text ?? "").join("");
}
