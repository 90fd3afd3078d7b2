import type { Launch } from "../launch.ts";
import type { OpenedScreen } from "./open_screen.ts";

/**
 * The screen that tools of a run may look at, or why there is none; undefined where no tool that is
 * switched on looks at one. `folder`: the session's, where it has one.
 */
export async function screenFor(
  { catalogue, selected, display, places, grants }: Launch,
  folder: string | undefined,
): Promise<OpenedScreen | undefined> {
  const looks = catalogue.some(({ name, needs }) =>
    selected.has(name) && needs.uses?.some((use) => use === "screen" || use === "desktop")
  );
  if (!looks) return undefined;
  const { openScreen } = await import("./open_screen.ts");
  return await openScreen({
    display,
    places: { workspace: places.workspace, grants },
    // Deno makes it for its owner alone.
    privateFolder: () =>
      Deno.makeTempDir({ prefix: "screen-", ...(folder !== undefined && { dir: folder }) }),
  });
}
