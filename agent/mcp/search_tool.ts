import * as z from "zod";
import { schema } from "../../tools/schema.ts";
import { defineTool, text, type Tool } from "../../tools/tool.ts";
import { cleanLine, fenced, newFence } from "../../tools/web/outside.ts";
import { searchTools } from "./listing.ts";
import type { ForeignToolInfo } from "./tool_list.ts";

const parameters = z.strictObject({ query: z.string().min(1) });

const found = z.object({
  untrusted: z.literal(true),
  query: z.string(),
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  /** How many match, shown or not. */
  total: z.number(),
  fence: z.string(),
});

type Found = z.infer<typeof found>;

/** Tools that one search finds at the most. */
const MAX_FOUND = 10;

/** What a search of foreign tools works on. */
export interface SearchParts {
  tools(): readonly ForeignToolInfo[];
  /** From now on these are listed. */
  take(names: readonly string[]): void;
}

/** The tool that finds foreign tools where there are too many to be listed. */
export function searchTool({ tools, take }: SearchParts): Tool {
  return defineTool({
    name: "mcp_search",
    description: `Find tools of MCP servers, which can be called from then on. ${
      serversText(tools())
    }`,
    parameters: schema(parameters),
    needs: {},
    plan: () => ({ touches: [] }),
    run({ query }): Promise<Found> {
      const matching = searchTools(tools(), query);
      const shown = matching.slice(0, MAX_FOUND);
      take(shown.map(({ name }) => name));
      return Promise.resolve({
        ...{ untrusted: true, query, total: matching.length, fence: newFence() },
        tools: shown.map(({ name, description }) => ({
          name,
          description: cleanLine(description),
        })),
      });
    },
    result: schema(found),
    render: (value) => [text(rendered(value))],
  });
}

function serversText(tools: readonly ForeignToolInfo[]): string {
  const counts = Map.groupBy(tools, ({ server }) => server);
  const servers = [...counts].map(([name, { length }]) =>
    `${cleanLine(name, 40)} (${length} tools)`
  );
  return `Servers: ${servers.join(", ")}`;
}

function rendered({ tools, total, fence }: Found): string {
  if (tools.length === 0) return "[no match: try other words]";
  const lines = tools.map(({ name, description }) => `${name}: ${description}`);
  return [
    fenced(lines.join("\n"), "MCP servers", fence),
    "[these can be called now]",
    ...(total > tools.length ? [`[${tools.length} of ${total} shown: search more narrowly]`] : []),
  ].join("\n");
}
