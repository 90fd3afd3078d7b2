import { deepStrictEqual, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { capture, SCENES } from "../../scripts/screenshots/scenes.ts";
import { terminalSvg, unmarked } from "../../scripts/screenshots/terminal_svg.ts";
import { canConfine } from "../helpers/confined.ts";
import { hasProgram } from "../helpers/has_program.ts";

const ROOT = join(import.meta.dirname ?? ".", "../..");

Deno.test("terminalSvg() draws text with its looks at its columns", async (t) => {
  const drawn = (screen: string) => {
    const rows = terminalSvg(screen, 20, "t").split("\n").filter((line) =>
      line.startsWith("<text")
    );
    return rows.map((row) => row.replaceAll(/ (x|textLength)="([\d.]+)"/g, " $2"));
  };
  const cases: [name: string, screen: string, want: string[]][] = [
    ["plain", "one", ['<text y="30"><tspan 16.0 25.2>one</tspan></text>']],
    ["what XML would take", "<a & b>", [
      '<text y="30"><tspan 16.0 58.8>&lt;a &amp; b&gt;</tspan></text>',
    ]],
    ["columns", "a  b", ['<text y="30"><tspan 16.0 8.4>a</tspan><tspan 41.2 8.4>b</tspan></text>']],
    ["wide characters", "宽a", [
      '<text y="30"><tspan 16.0 16.8>宽</tspan><tspan 32.8 8.4>a</tspan></text>',
    ]],
    ["looks, over a line break", "\x1b[1;31mno\nyes\x1b[0m!", [
      '<text y="30"><tspan 16.0 16.8 fill="#b3261e" font-weight="bold">no</tspan></text>',
      '<text y="49"><tspan 16.0 25.2 fill="#b3261e" font-weight="bold">yes</tspan>' +
      "<tspan 41.2 8.4>!</tspan></text>",
    ]],
    ["an empty line", "\n", []],
  ];
  for (const [name, screen, want] of cases) {
    await t.step(name, () => deepStrictEqual(drawn(screen), want));
  }
});

Deno.test("the pictures are in the README, light, and show what it says", async (t) => {
  const readme = await Deno.readTextFile(join(ROOT, "README.md"));
  for (const { name, title, shows } of SCENES) {
    await t.step(name, async () => {
      const svg = await Deno.readTextFile(join(ROOT, `docs/pictures/${name}.svg`));
      ok(readme.includes(`](docs/pictures/${name}.svg)`));
      ok(svg.length < 16_000, `${svg.length} bytes`);
      match(svg, /^<svg [^>]* role="img"/);
      ok(svg.includes(`<title id="title">${title}</title>`));
      const text = textOf(svg);
      for (const words of shows) ok(text.includes(words), `${words}\n${text}`);
    });
  }
});

Deno.test(
  "the pictures are what the program shows (needs tmux and a view)",
  { ignore: !await hasProgram("tmux", "-V") || !await canConfine() },
  async (t) => {
    for (const scene of SCENES) {
      await t.step(scene.name, async () => {
        const screen = unmarked(await capture(scene));
        for (const words of scene.shows) ok(screen.includes(words), `${words}\n${screen}`);
      });
    }
  },
);

/** The words of a picture, lines apart and blanks between words as one. */
function textOf(svg: string): string {
  return svg.replaceAll("</tspan>", " ").replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
    .replaceAll(/ +/g, " ");
}
