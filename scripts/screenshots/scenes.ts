import { newWorld, type World } from "../../tests/helpers/cordon.ts";
import { modelServer, type Reply } from "../../tests/helpers/model_server.ts";
import { startOnScreen, type TmuxScreen } from "../../tests/helpers/tmux_screen.ts";

/** A moment of a conversation that a picture shows. */
export interface Scene {
  /** Name of the picture, without its ending. */
  readonly name: string;
  /** What is seen, for who cannot see it. */
  readonly title: string;
  readonly rows: number;
  /** What it has to show; the README says it. */
  readonly shows: readonly string[];
  readonly replies: readonly Reply[];
  /** Brings a conversation that has begun there. */
  play(screen: TmuxScreen): Promise<void>;
}

/** Columns of every picture. */
export const COLUMNS = 80;

const CONFIG = {
  model: "gpt-5",
  context_window: 400_000,
  prices: { input: 1.25, cached_input: 0.125, output: 10 },
};

const PROJECT = {
  "dates.py": "def is_leap(year):\n    return year % 4 == 0\n",
  "test_dates.sh": "set -e\necho 'leap years: 3 passed'\n",
};

const MEND: readonly Reply[] = [
  { text: "The rule for centuries is missing.", ...toolCall("read_file", { path: "dates.py" }) },
  toolCall("edit_file", {
    path: "dates.py",
    old_string: "    return year % 4 == 0",
    new_string: "    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)",
  }),
  toolCall("bash", { command: "sh test_dates.sh" }),
  {
    text: "Leap years are right now:\n\n- every fourth year is one,\n- **but** of the centuries " +
      "only each fourth, as `2000`.\n\nAll tests pass.",
    usage: { input: 6_900, output: 120 },
  },
];

/** What the pictures show, in the order of the README. */
export const SCENES: readonly Scene[] = [
  {
    name: "session",
    title: "A conversation: a prompt, an edit with its diff, a test run, and the answer",
    rows: 30,
    shows: [
      "> the date parser fails",
      "● edit_file",
      "return year % 4 == 0 and",
      "3 passed",
      "All tests pass.",
    ],
    replies: MEND,
    async play(screen) {
      await screen.type("the date parser fails on leap years, mend it");
      await screen.press("Enter");
      await screen.saw(/All tests pass\.\n\n>\n/);
    },
  },
  {
    name: "approval",
    title: "A question before a command that destroys, and what can be answered",
    rows: 17,
    shows: ["asks:", "command: rm -r build", "y yes, this once", "Run this? [y/N]"],
    replies: [{
      text: "I build from nothing.",
      ...toolCall("bash", { command: "rm -r build && make" }),
    }],
    async play(screen) {
      await screen.type("make a clean build");
      await screen.press("Enter");
      await screen.saw("Run this?");
    },
  },
  {
    name: "commands",
    title: "The list of commands that opens after a slash",
    rows: 14,
    shows: ["> /", "/model [NAME]", "/compact", "/undo"],
    replies: [],
    async play(screen) {
      await screen.type("/");
      await screen.saw(/> \/model[^]*1 of \d+/);
    },
  },
];

/** Plays a scene in a real terminal; resolves to what it shows from the prompt on, with markup. */
export async function capture(scene: Scene): Promise<string> {
  await using world = await newWorld(PROJECT);
  await using server = await modelServer(scene.replies);
  await Deno.mkdir(world.join("home/.config/cordon"), { recursive: true });
  const config = JSON.stringify({ ...CONFIG, base_url: server.url });
  await Deno.writeTextFile(world.join("home/.config/cordon/config.jsonc"), config);
  await using screen = await open(world, scene.rows);
  await scene.play(screen);
  return fromPrompt(await screen.markedScreen());
}

async function open(world: World, rows: number): Promise<TmuxScreen> {
  const screen = await startOnScreen(world, [], {
    columns: COLUMNS,
    rows,
    env: { OPENAI_API_KEY: "none" },
  });
  await screen.saw(/\n>\n.*gpt-5/);
  return screen;
}

/** What the program says of this machine at its start belongs to no picture. */
function fromPrompt(screen: string): string {
  const lines = screen.split("\n");
  // deno-lint-ignore no-control-regex -- markup is made of them
  const first = lines.findIndex((line) => /^(\x1b\[[0-9;]*m)*>/.test(line));
  return lines.slice(Math.max(0, first)).join("\n");
}

function toolCall(name: string, args: Readonly<Record<string, unknown>>) {
  return { toolCalls: [{ name, arguments: args }], usage: { input: 6_200, output: 90 } };
}
