import type { ReadVariable } from "../../environment.ts";
import { failureOf } from "../../failure.ts";
import type { Completer } from "../completion/completer.ts";
import { editorLine, editOutside } from "../external_editor.ts";
import type { Board } from "./board.ts";
import type { Conductor } from "./conductor.ts";
import type { TerminalDevice } from "./device.ts";
import type { Editor } from "./editor.ts";
import { expand } from "./held.ts";
import type { History } from "./history.ts";
import { imagePathIn, isImage } from "./image_path.ts";
import { cleared, type Input, press, withEditor, withImage, withText } from "./input.ts";
import type { Command } from "./keymap.ts";
import type { Key } from "./keys.ts";
import { popupOf } from "./popup.ts";
import { editorWidth } from "./scene.ts";
import { type Written, writtenIn } from "./written.ts";

/**
 * Who types goes on typing when a question comes up, and must not answer it with the next letter: the
 * line gets keys until there was none for so long, in milliseconds.
 */
const TYPING_MS = 500;

/** What keys act on. */
export interface KeyboardParts {
  readonly board: Board;
  readonly conductor: Conductor;
  readonly device: Pick<TerminalDevice, "suspend">;
  readonly history: History;
  readonly env: ReadVariable;
  /** Absolute; where a relative path of an image is taken from. */
  readonly cwd: string;
  /** Ctrl-C was pressed. */
  readonly interrupt: () => void;
  readonly leave: () => void;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Carries out what keys mean, at the line or at a question. */
export class Keyboard {
  readonly #parts: KeyboardParts;
  #completer: Promise<Completer> | undefined;
  /** When the line got its last key. */
  #typedMs = -Infinity;

  constructor(parts: KeyboardParts) {
    this.#parts = parts;
  }

  /** Takes a key; what it resolves to is to be waited for before the next is read. */
  async press(key: Key): Promise<void> {
    const { board, conductor, now } = this.#parts;
    if (board.modals.current && now() - this.#typedMs >= TYPING_MS) return this.#answer(key);
    this.#typedMs = now();
    if (key.kind === "paste" && await this.#attachImage(key.text)) return board.update();
    const before = board.input;
    const { input, command } = press(before, key, {
      width: editorWidth(board.view),
      working: conductor.isBusy,
      queued: conductor.isWaiting,
    });
    board.input = input;
    board.update();
    if (command) await this.#carryOut(command);
    // What comes from earlier is whole already.
    else if (isWritten(before, input)) this.#complete();
  }

  /** A question takes all keys; those that stop a turn do that, too. */
  #answer(key: Key): void {
    const { board, interrupt } = this.#parts;
    const name = key.kind === "key" ? key.name : "";
    for (const single of singleKeys(key)) board.modals.current?.press(single, board.view);
    if (name === "ctrl+c") interrupt();
    else if (name === "ctrl+l") board.redraw();
    else if (name === "ctrl+o") board.toggleLongOutput();
    board.update();
  }

  async #carryOut(command: Command): Promise<void> {
    const { board, conductor, interrupt, leave } = this.#parts;
    switch (command) {
      case "submit":
        return await this.#send((written) => conductor.send(written));
      case "queue":
        return await this.#send((written) => conductor.queue(written));
      case "stop":
        return void conductor.stop();
      case "interrupt":
        return interrupt();
      case "leave":
        return leave();
      case "redraw":
        return board.redraw();
      case "unfold":
        return board.toggleLongOutput();
      case "unqueue":
        return this.#unqueue();
      case "suspend":
        return await this.#outside(() => this.#suspend());
      case "edit_outside":
        return await this.#outside(() => this.#editOutside());
    }
  }

  /** Takes the line, remembers it and hands it over; a command of no arguments is a word, too. */
  async #send(hand: (written: Written) => void | Promise<void>): Promise<void> {
    const { board, history } = this.#parts;
    const written = writtenIn(board.input.editor);
    this.#typedMs = -Infinity;
    await history.add(written.text);
    board.input = cleared(board.input, history.entries());
    board.update();
    // What is sent may take long, and keys are read meanwhile.
    void Promise.resolve(hand(written)).catch((error) => this.#warn(error));
  }

  #unqueue(): void {
    const { board, conductor } = this.#parts;
    const written = conductor.takeBack();
    if (written) board.input = withEditor(board.input, written.editor);
  }

  async #suspend(): Promise<void> {
    const { board, device } = this.#parts;
    try {
      await board.lend(() => device.suspend());
    } catch (error) {
      if (!(error instanceof Deno.errors.NotCapable)) throw error;
      board.say("Cannot suspend: it takes --allow-run", board.view.style.dim);
    }
  }

  async #editOutside(): Promise<void> {
    const { board, env } = this.#parts;
    const line = editorLine(env);
    if (line === undefined) {
      return board.say(
        "Set VISUAL or EDITOR to write in an editor of your own",
        board.view.style.dim,
      );
    }
    const { editor } = board.input;
    const text = expand(editor.text, editor.held);
    const edited = await board.lend(() => editOutside(text, "prompt.md", line, env));
    if (edited === undefined) {
      return board.say("The editor gave no text back", board.view.style.dim);
    }
    if (edited === text) return;
    // Editors end the last line.
    board.input = withText(board.input, edited.replace(/\n$/, ""));
  }

  async #outside(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#warn(error);
    }
  }

  async #attachImage(pasted: string): Promise<boolean> {
    const { board, cwd, env } = this.#parts;
    const path = imagePathIn(pasted, cwd, env("HOME"));
    if (path === undefined || !await isImage(path)) return false;
    board.input = withImage(board.input, path);
    return true;
  }

  /** Looks for what could follow; what comes when the line is another already is dropped. */
  #complete(): void {
    const { board, conductor: { desk } } = this.#parts;
    const { editor } = board.input;
    if (!desk || !/[/@]/.test(editor.text)) return;
    this.#completer ??= import("../completion/prompt_completion.ts")
      .then(({ promptCompletion }) => promptCompletion(desk));
    this.#propose(editor, this.#completer).catch((error) => this.#warn(error));
  }

  async #propose(editor: Editor, completer: Promise<Completer>): Promise<void> {
    const { board } = this.#parts;
    const completion = await (await completer).complete(editor.text, editor.cursor);
    if (!completion || board.input.editor !== editor) return;
    board.input = { ...board.input, popup: popupOf(completion) };
    board.update();
  }

  #warn(error: unknown): void {
    const { board } = this.#parts;
    const { message, stack } = failureOf(error);
    board.say(stack ?? message, board.view.style.red);
  }
}

/** Characters that were typed fast come as one text, and each may be an answer. */
function singleKeys(key: Key): Key[] {
  return key.kind === "text" ? [...key.text].map((text) => ({ kind: "text", text })) : [key];
}

function isWritten(before: Input, after: Input): boolean {
  return after.editor.text !== before.editor.text && after.recall === before.recall;
}
