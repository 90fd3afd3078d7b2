import {
  type CordonOptions,
  type CordonRun,
  newWorld,
  type RunningCordon,
  type World,
} from "./cordon.ts";
import { promptOf } from "./family.ts";
import { type ModelServer, modelServer, type Reply, type SeenRequest } from "./model_server.ts";

/** Requests that one batch may make, more than any test needs. */
const MANY = 2_000;

/** A task as a line of the file of tasks. */
export type TaskLine = Readonly<Record<string, unknown>>;

/** A batch on a fake server. */
export interface BatchWorld extends AsyncDisposable {
  readonly world: World;
  readonly server: ModelServer;
  /** The prompts that models were asked, in the order of their coming. */
  readonly prompts: string[];
  /** Writes the tasks, a line each. */
  tasks(...tasks: readonly TaskLine[]): Promise<void>;
  /** `cordon batch tasks.jsonl --out=DIR` beside the project. */
  run(args?: readonly string[], options?: Partial<CordonOptions>): Promise<CordonRun>;
  start(args?: readonly string[], options?: Partial<CordonOptions>): Promise<RunningCordon>;
  /** The lines of a file in the folder of results. */
  // deno-lint-ignore no-explicit-any -- tests look into results by hand
  lines(name?: string): Promise<any[]>;
}

/** Starts a server that answers each request by its task's prompt, in a world with `files`. */
export async function newBatch(
  answer: (prompt: string, request: SeenRequest) => Reply,
  files: Readonly<Record<string, string>> = {},
): Promise<BatchWorld> {
  const prompts: string[] = [];
  const server = await modelServer(Array.from({ length: MANY }, () => (request: SeenRequest) => {
    const prompt = promptOf(request);
    prompts.push(prompt);
    return answer(prompt, request);
  }));
  const world = await newWorld(files);
  const line = (args: readonly string[]) => [
    ...["batch", "../tasks.jsonl", "--out=../out", "-m", "m1", `--base-url=${server.url}`],
    ...["--wire=chat", ...args],
  ];
  const complete = (options: Partial<CordonOptions>) => ({
    ...options,
    env: { OPENAI_API_KEY: "batch-key-0123456789", ...options.env },
  });
  return {
    ...{ world, server, prompts },
    async tasks(...tasks) {
      const text = tasks.map((task) => `${JSON.stringify(task)}\n`).join("");
      await Deno.writeTextFile(world.join("tasks.jsonl"), text);
    },
    run: (args = [], options = {}) => world.run(line(args), complete(options)),
    start: (args = [], options = {}) => world.start(line(args), complete(options)),
    async lines(name = "results.jsonl") {
      const text = await Deno.readTextFile(world.join("out", name));
      return text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}
