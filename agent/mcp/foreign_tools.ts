import type { Prompt } from "@modelcontextprotocol/client";
import type { Tool } from "../../tools/tool.ts";
import { unlessAborted } from "../unless_aborted.ts";
import { foreignTool, type ForeignToolParts } from "./foreign_tool.ts";
import { loadSchemaMaker } from "./json_schema.ts";
import { type Listing, listingOf } from "./listing.ts";
import type { ChangedList } from "./open_client.ts";
import { type ResourceServer, resourcesTool } from "./resources_tool.ts";
import { searchTool } from "./search_tool.ts";
import { ServerLink } from "./server_link.ts";
import type { PreparedServer } from "./prepare_server.ts";
import { type ForeignToolInfo, joinedTools, usableTools } from "./tool_list.ts";

/** What the tools of servers are made of. */
export interface ForeignToolsParts {
  /** Those that are on, each made ready by itself; one that cannot be says so in a sentence. */
  readonly servers: readonly {
    readonly name: string;
    prepare(): Promise<PreparedServer>;
  }[];
  /** Which of their tools are on, by the names that models call. */
  readonly isSelected: (name: string) => boolean;
  /** Takes a sentence for the person. */
  readonly warn: (line: string) => void;
}

/** A prompt that a server offers to people. */
export interface ForeignPrompt {
  readonly server: string;
  readonly prompt: Prompt;
  readonly link: ServerLink;
}

/** What is known of one server that runs. */
interface Running extends AsyncDisposable {
  readonly name: string;
  readonly link: ServerLink;
  readonly allows: (tool: string) => boolean;
  readonly hasResources: boolean;
  tools: readonly ForeignToolInfo[];
  prompts: readonly Prompt[];
}

/** Tools, resources and prompts of the servers of a session, as they are now. */
export class ForeignTools implements AsyncDisposable {
  readonly #parts: ForeignToolsParts;
  readonly #running = new Map<string, Running>();
  /** Names that searches have found, in order. */
  readonly #found: string[] = [];
  readonly #held = new AsyncDisposableStack();
  readonly #ready: Promise<void>;
  #ended = false;
  /** Made when asked for, until something changes. */
  #tools: readonly Tool[] | undefined;

  /** Begins to start the servers. */
  constructor(parts: ForeignToolsParts) {
    this.#parts = parts;
    this.#ready = Promise.all(parts.servers.map((server) => this.#start(server))).then(() => {});
  }

  /** Resolves when every server has been started or given up, or once the signal is raised. */
  async ready(signal: AbortSignal): Promise<void> {
    await unlessAborted(this.#ready, signal);
  }

  /** The tools that the next request lists. */
  get tools(): readonly Tool[] {
    return this.#tools ??= this.#makeTools();
  }

  /** How many tools there are, listed or not, by server. */
  get counts(): ReadonlyMap<string, number> {
    return new Map([...this.#running].map(([name, { tools }]) => [name, tools.length]));
  }

  get prompts(): readonly ForeignPrompt[] {
    return this.#byName().flatMap(({ name, link, prompts }) =>
      prompts.map((prompt) => ({ server: name, prompt, link }))
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    await this.#held[Symbol.asyncDispose]();
    await this.#ready;
  }

  async #start(server: ForeignToolsParts["servers"][number]): Promise<void> {
    const { warn } = this.#parts;
    try {
      const prepared = await server.prepare();
      for (const line of prepared.warnings) warn(`MCP server "${server.name}": ${line}`);
      const link = new ServerLink(
        server.name,
        prepared.way,
        prepared.limits,
        (list) => void this.#update(server.name, list),
      );
      if (this.#ended) return await prepared[Symbol.asyncDispose]();
      this.#held.use(prepared);
      this.#held.use(link);
      await this.#take(server.name, prepared, link);
    } catch (error) {
      if (!this.#ended) warn(error instanceof Error ? error.message : String(error));
    }
  }

  async #take(name: string, { allows }: PreparedServer, link: ServerLink): Promise<void> {
    const lists = await link.lists();
    const has = (list: ChangedList) => lists.includes(list);
    const tools = has("tools") ? await this.#listTools(name, link) : [];
    const prompts = has("prompts") ? await link.prompts() : [];
    this.#running.set(name, {
      ...{ name, link, allows, tools, prompts, hasResources: has("resources") },
      [Symbol.asyncDispose]: () => link[Symbol.asyncDispose](),
    });
    this.#tools = undefined;
  }

  async #listTools(name: string, link: ServerLink): Promise<readonly ForeignToolInfo[]> {
    const [listed, maker] = await Promise.all([link.tools(), loadSchemaMaker()]);
    const { tools, warnings } = usableTools(name, listed, maker);
    warnings.forEach((line) => this.#parts.warn(line));
    return tools.filter((tool) => this.#parts.isSelected(tool.name));
  }

  /** Reads a list anew that its server says has changed. */
  async #update(name: string, list: ChangedList): Promise<void> {
    const running = this.#running.get(name);
    if (!running) return;
    try {
      if (list === "tools") running.tools = await this.#listTools(name, running.link);
      if (list === "prompts") running.prompts = await running.link.prompts();
      this.#tools = undefined;
    } catch (error) {
      if (!this.#ended) this.#parts.warn(error instanceof Error ? error.message : String(error));
    }
  }

  /** Sorted: whichever was there first, what they offer has the same names in every run. */
  #byName(): Running[] {
    return [...this.#running.values()].sort((a, b) => a.name < b.name ? -1 : 1);
  }

  #all(): ForeignToolInfo[] {
    return joinedTools(this.#byName().map(({ tools }) => tools));
  }

  #makeTools(): readonly Tool[] {
    const all = this.#all();
    const { listed, hidesSome }: Listing = listingOf(all, this.#found);
    const resources = this.#resourceServers();
    const isOn = this.#parts.isSelected;
    return [
      ...listed.flatMap((info) => {
        const parts = this.#partsOf(info);
        return parts ? [foreignTool(info, parts)] : [];
      }),
      ...(hidesSome
        ? [searchTool({ tools: () => this.#all(), take: (names) => this.#find(names) })]
        : []),
      ...(resources.size > 0 && isOn("mcp__resources") ? [resourcesTool(resources)] : []),
    ];
  }

  #partsOf({ server, listed }: ForeignToolInfo): ForeignToolParts | undefined {
    const running = this.#running.get(server);
    return running && { link: running.link, allowed: running.allows(listed.name) };
  }

  #resourceServers(): ReadonlyMap<string, ResourceServer> {
    const having = this.#byName().filter(({ hasResources }) => hasResources);
    return new Map(
      having.map(({ name, link, allows }) => [name, { link, allowed: allows("resources") }]),
    );
  }

  #find(names: readonly string[]): void {
    this.#found.push(...names);
    this.#tools = undefined;
  }
}
