import type { Client, RequestOptions, Tool as ListedTool } from "@modelcontextprotocol/client";
import * as z from "zod";

/** As much of a list as leads to its tools and its next page. */
const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

const words = z.string().optional().catch(undefined);

/** What is read of a tool; what else it holds is not looked at. */
const named = z.object({
  name: z.string(),
  title: words,
  description: words,
  inputSchema: z.looseObject({}),
  outputSchema: z.looseObject({}).optional().catch(undefined),
});

/** A list without end is cut. */
const MAX_PAGES = 64;

/**
 * The tools of a list in which not everything is as it should be, one by one: a schema that is none
 * is for whoever reads that tool. What has no name or no schema is passed over.
 */
export async function looseTools(
  client: Client,
  options: RequestOptions,
): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const params = cursor === undefined ? {} : { cursor };
    const listed = await client.request({ method: "tools/list", params }, page, options);
    for (const tool of listed.tools) {
      const read = named.safeParse(tool);
      // Its schemas are objects at least, and whoever uses them checks them.
      if (read.success) tools.push(read.data as ListedTool);
    }
    cursor = listed.nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}
