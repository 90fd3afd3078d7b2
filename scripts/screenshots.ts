/**
 * Makes the pictures of the README: plays conversations in a terminal of tmux and draws what it
 * shows, `deno task screenshots`.
 */
import { join } from "node:path";
import { capture, COLUMNS, SCENES } from "./screenshots/scenes.ts";
import { terminalSvg } from "./screenshots/terminal_svg.ts";

const FOLDER = join(import.meta.dirname ?? ".", "../docs/pictures");

if (import.meta.main) {
  await Deno.mkdir(FOLDER, { recursive: true });
  for (const scene of SCENES) {
    const svg = terminalSvg(await capture(scene), COLUMNS, scene.title);
    await Deno.writeTextFile(join(FOLDER, `${scene.name}.svg`), svg);
    console.log(`docs/pictures/${scene.name}.svg`);
  }
}
