import type {
  CallToolResult,
  Client,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  Tool as ListedTool,
} from "@modelcontextprotocol/client";
import { ToolError } from "../../tools/tool_error.ts";
import { cleanLine } from "../../tools/web/outside.ts";
import { looseTools } from "./loose_list.ts";
import { type ChangedList, type OpenClient, openClient } from "./open_client.ts";
import { loadSdk } from "./sdk.ts";
import type { Way } from "./way.ts";

/** Limits of one server, in milliseconds. */
export interface LinkLimits {
  /** To its first answer: a program may have to be loaded. */
  readonly startMs: number;
  /** Of one request without any sign of progress. */
  readonly callMs: number;
}

/** Where a person has set none: starting `npx` takes some seconds; a call is as long as a command. */
export const DEFAULT_LINK_LIMITS: LinkLimits = { startMs: 30_000, callMs: 120_000 };

/** A call that tells of progress without end is ended, in milliseconds: as the longest command. */
const LONGEST_CALL_MS = 600_000;

/** A server that dies so often in one session is left alone. */
const MAX_RESTARTS = 5;

/** A call of a server's tool. */
export interface LinkCall {
  readonly signal: AbortSignal;
  progress(part: string): void;
}

/**
 * A server that is talked to. Where it dies, the request that it died under fails, and the next one
 * starts it again. What it refuses, or why it cannot be had, is thrown as a `ToolError`.
 */
export class ServerLink implements AsyncDisposable {
  readonly name: string;
  readonly #way: Way;
  readonly #limits: LinkLimits;
  readonly #onChange: (list: ChangedList) => void;
  #open: Promise<OpenClient> | undefined;
  #starts = 0;
  readonly #ending = new AbortController();

  constructor(
    name: string,
    way: Way,
    limits: LinkLimits,
    onChange: (list: ChangedList) => void = () => {},
  ) {
    this.name = name;
    this.#way = way;
    this.#limits = limits;
    this.#onChange = onChange;
  }

  /** Connects, where that has not been done; resolves to the revision of the protocol. */
  async connect(): Promise<string> {
    return (await this.#client()).protocol;
  }

  /** What the server says that it can do, as far as lists go. */
  async lists(): Promise<readonly ChangedList[]> {
    const capabilities = (await this.#client()).client.getServerCapabilities() ?? {};
    const all: readonly ChangedList[] = ["tools", "prompts", "resources"];
    return all.filter((list) => capabilities[list] !== undefined);
  }

  async tools(): Promise<readonly ListedTool[]> {
    const options = { timeout: this.#limits.startMs };
    return await this.#ask(async (client) => {
      try {
        return (await client.listTools(undefined, { ...options, cacheMode: "refresh" })).tools;
      } catch (error) {
        // For one tool that is not as it should be all would be lost.
        if (!await isOf(error, "InvalidResult")) throw error;
        return await looseTools(client, options);
      }
    });
  }

  async prompts(): Promise<readonly Prompt[]> {
    const { prompts } = await this.#ask((client) =>
      client.listPrompts(undefined, { timeout: this.#limits.startMs, cacheMode: "refresh" })
    );
    return prompts;
  }

  async resources(signal: AbortSignal): Promise<readonly Resource[]> {
    const { resources } = await this.#ask((client) =>
      client.listResources(undefined, { timeout: this.#limits.callMs, signal })
    );
    return resources;
  }

  async readResource(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    return await this.#ask((client) =>
      client.readResource({ uri }, { timeout: this.#limits.callMs, signal })
    );
  }

  async prompt(
    name: string,
    args: Record<string, string>,
    signal: AbortSignal,
  ): Promise<GetPromptResult> {
    return await this.#ask((client) =>
      client.getPrompt({ name, arguments: args }, { timeout: this.#limits.callMs, signal })
    );
  }

  /**
   * Calls a tool; what its result says of itself is not checked.
   * @throws {ToolError} where there is no result.
   */
  async call(
    tool: ListedTool,
    args: Record<string, unknown>,
    { signal, progress }: LinkCall,
  ): Promise<CallToolResult> {
    // Its result is checked by us, which tells a mismatch and keeps the answer.
    const { outputSchema: _, ...unchecked } = tool;
    return await this.#ask((client) =>
      client.callTool({ name: tool.name, arguments: args }, {
        toolDefinition: unchecked,
        timeout: this.#limits.callMs,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: Math.max(LONGEST_CALL_MS, this.#limits.callMs),
        signal,
        onprogress: ({ progress: done, total, message }) =>
          progress(`${progressText(done, total, message)}\n`),
      })
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    const open = await this.#open?.catch(() => undefined);
    await open?.client.close();
  }

  #client(): Promise<OpenClient> {
    if (this.#ending.signal.aborted) {
      return Promise.reject(new ToolError(`Cannot ask "${this.name}": it was ended`));
    }
    if (this.#open === undefined && this.#starts > MAX_RESTARTS) {
      return Promise.reject(
        new ToolError(
          `Cannot ask "${this.name}": it has died ${this.#starts} times in this session`,
        ),
      );
    }
    return this.#open ??= this.#start();
  }

  async #start(): Promise<OpenClient> {
    this.#starts++;
    try {
      const open = await openClient(this.#way, {
        timeoutMs: this.#limits.startMs,
        signal: this.#ending.signal,
        onChange: this.#onChange,
      });
      void open.closed.then(() => this.#open = undefined);
      return open;
    } catch (error) {
      this.#open = undefined;
      throw new ToolError(`Cannot start MCP server "${this.name}": ${reason(error)}`, {
        cause: error,
      });
    }
  }

  async #ask<T>(ask: (client: Client) => Promise<T>): Promise<T> {
    const open = await this.#client();
    try {
      return await ask(open.client);
    } catch (error) {
      const words = await isOf(error, "ConnectionClosed") ? open.lastWords() : "";
      const why = words === "" ? reason(error) : `${reason(error)} (${words})`;
      throw new ToolError(`Cannot ask MCP server "${this.name}": ${why}`, { cause: error });
    }
  }
}

async function isOf(error: unknown, code: "ConnectionClosed" | "InvalidResult"): Promise<boolean> {
  const { SdkError, SdkErrorCode } = await loadSdk();
  return error instanceof SdkError && error.code === SdkErrorCode[code];
}

/** What a server answers is foreign text: one line of it. */
function reason(error: unknown): string {
  return cleanLine(error instanceof Error ? error.message : String(error), 500);
}

function progressText(done: number, total: number | undefined, message: string | undefined) {
  const share = total === undefined ? `${done}` : `${done} of ${total}`;
  return message === undefined ? share : `${share}: ${cleanLine(message)}`;
}
