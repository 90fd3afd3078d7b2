import {
  client,
  type ClientCapabilities,
  type ClientContext,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  methods,
  ndJsonStream,
  type PromptResponse,
  type ReadTextFileRequest,
  type ReadTextFileResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type WriteTextFileRequest,
} from "@agentclientprotocol/sdk";
import { baseEnvironment, sourceLine, type World } from "./cordon.ts";

/** A program that runs longer has gone wrong: it is killed, and its signal tells. In milliseconds. */
const GUARD_MS = 90_000;

/** What an editor can do, and how its person answers. */
export interface EditorOptions {
  readonly capabilities?: ClientCapabilities;
  /** Arguments of the program, `acp` first. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where the program is started; default: the world's project. */
  readonly cwd?: string;
  /** A built binary instead of the source. */
  readonly binary?: string;
  permission?(
    asked: RequestPermissionRequest,
    signal: AbortSignal,
  ): RequestPermissionResponse | Promise<RequestPermissionResponse>;
  form?(
    asked: CreateElicitationRequest,
  ): CreateElicitationResponse | Promise<CreateElicitationResponse>;
  readTextFile?(
    asked: ReadTextFileRequest,
  ): ReadTextFileResponse | Promise<ReadTextFileResponse>;
  writeTextFile?(asked: WriteTextFileRequest): void;
}

/** How the program ended. */
export interface AcpEnd {
  readonly code: number;
  readonly signal: Deno.Signal | null;
  readonly stderr: string;
  /** Lines of stdout that are no message of the protocol. */
  readonly rubbish: readonly string[];
}

/** An editor at the other end of `cordon acp`, made of the SDK's client. */
export interface TestEditor extends AsyncDisposable {
  readonly agent: ClientContext;
  readonly pid: number;
  /** All updates so far, in order. */
  readonly updates: readonly (SessionUpdate & { readonly sessionId: string })[];
  /** Resolves with the first update, come or to come, that fits; rejects where the program ends. */
  until(fits: (update: SessionUpdate & { sessionId: string }) => boolean): Promise<SessionUpdate>;
  /** The same for what the program asks its person. */
  asked(fits: (asked: RequestPermissionRequest) => boolean): Promise<RequestPermissionRequest>;
  readonly permissions: readonly RequestPermissionRequest[];
  /** Opens a session in a folder, by default the world's project. */
  open(cwd?: string): Promise<string>;
  prompt(sessionId: string, text: string): Promise<PromptResponse>;
  cancel(sessionId: string): Promise<void>;
  /** Writes raw bytes to the program. */
  write(text: string): Promise<void>;
  /** Closes the program's stdin. */
  leave(): Promise<void>;
  readonly ended: Promise<AcpEnd>;
}

/** Starts `cordon acp` in a world and introduces itself. Disposal leaves, and waits for the end. */
export async function acpEditor(world: World, options: EditorOptions = {}): Promise<TestEditor> {
  const { child, input, output, ended } = await startProgram(world, options);
  const seen = new Arrivals<SessionUpdate & { sessionId: string }>();
  const permissions = new Arrivals<RequestPermissionRequest>();
  const app = client({ name: "test editor" })
    .onNotification(methods.client.session.update, ({ params: { sessionId, update } }) => {
      seen.add({ ...update, sessionId });
    })
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
      permissions.add(params);
      return options.permission?.(params, signal) ?? { outcome: { outcome: "cancelled" } };
    });
  const { form, readTextFile, writeTextFile } = options;
  if (form) app.onRequest(methods.client.elicitation.create, ({ params }) => form(params));
  if (readTextFile) {
    app.onRequest(methods.client.fs.readTextFile, ({ params }) => readTextFile(params));
  }
  if (writeTextFile) {
    app.onRequest(methods.client.fs.writeTextFile, ({ params }) => writeTextFile(params));
  }
  const { agent } = app.connect(ndJsonStream(input, output));
  void ended.then((end) => {
    const error = new Error(`The program ended with ${end.code}: ${end.stderr}`);
    for (const arrivals of [seen, permissions]) arrivals.end(error);
  });
  await agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: options.capabilities ?? {},
  });
  const encoder = new TextEncoder();
  async function leave(): Promise<void> {
    // Who has ended already takes no end.
    await input.close().catch(() => {});
  }
  return {
    agent,
    pid: child.pid,
    ended,
    leave,
    updates: seen.all,
    permissions: permissions.all,
    until: (fits) => seen.first(fits),
    asked: (fits) => permissions.first(fits),
    async open(cwd = world.work) {
      const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
      return sessionId;
    },
    prompt: (sessionId, text) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] }),
    cancel: (sessionId) => agent.notify(methods.agent.session.cancel, { sessionId }),
    async write(text) {
      const writer = input.getWriter();
      await writer.write(encoder.encode(text));
      writer.releaseLock();
    },
    async [Symbol.asyncDispose]() {
      await leave();
      await ended;
    },
  };
}

/** All text that the agent said in a session, in order. */
export function saidIn(editor: TestEditor, sessionId: string): string {
  return editor.updates.flatMap((update) =>
    update.sessionId === sessionId && update.sessionUpdate === "agent_message_chunk" &&
      update.content.type === "text"
      ? [update.content.text]
      : []
  ).join("");
}

/** An answer of the person by the id of its option; where that was not offered, the test fails. */
export function answering(optionId: string) {
  return ({ options }: RequestPermissionRequest): RequestPermissionResponse => {
    if (!options.some((option) => option.optionId === optionId)) {
      throw new Error(`"${optionId}" was not offered: ${JSON.stringify(options)}`);
    }
    return { outcome: { outcome: "selected", optionId } };
  };
}

/** The updates of one kind, in order. */
export function updatesOf<K extends SessionUpdate["sessionUpdate"]>(editor: TestEditor, kind: K) {
  return editor.updates.filter((update): update is
    & Extract<SessionUpdate, { sessionUpdate: K }>
    & { sessionId: string } => update.sessionUpdate === kind
  );
}

async function startProgram(world: World, options: EditorOptions) {
  const { args = ["acp"], env = {}, cwd = world.work, binary } = options;
  const [program = "", ...words] = binary === undefined ? sourceLine(args) : [binary, ...args];
  const child = new Deno.Command(program, {
    args: words,
    cwd,
    env: { ...await baseEnvironment(), HOME: world.join("home"), ...env },
    clearEnv: true,
    detached: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const guard = setTimeout(() => child.kill("SIGKILL"), GUARD_MS);
  const [output, copy] = child.stdout.tee();
  async function untilEnd(): Promise<AcpEnd> {
    const [stdout, stderr, { code, signal }] = await Promise.all([
      new Response(copy).text(),
      new Response(child.stderr).text(),
      child.status,
    ]);
    clearTimeout(guard);
    const rubbish = stdout.split("\n").filter((line) => line !== "" && !isMessage(line));
    return { code, signal, stderr, rubbish };
  }
  return { child, input: child.stdin, output, ended: untilEnd() };
}

function isMessage(line: string): boolean {
  try {
    return JSON.parse(line)?.jsonrpc === "2.0";
  } catch {
    return false;
  }
}

/** Things that come one by one, and whoever waits for one of them. */
class Arrivals<T> {
  readonly all: T[] = [];
  readonly #waiting: { fits(one: T): boolean; promise: PromiseWithResolvers<T> }[] = [];
  #error: Error | undefined;

  add(one: T): void {
    this.all.push(one);
    for (const { fits, promise } of this.#waiting) if (fits(one)) promise.resolve(one);
  }

  first(fits: (one: T) => boolean): Promise<T> {
    const found = this.all.find(fits);
    if (found !== undefined) return Promise.resolve(found);
    const promise = Promise.withResolvers<T>();
    if (this.#error) promise.reject(this.#error);
    else this.#waiting.push({ fits, promise });
    return promise.promise;
  }

  end(error: Error): void {
    this.#error = error;
    for (const { promise } of this.#waiting) promise.reject(error);
  }
}
