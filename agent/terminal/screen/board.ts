import type { AgentEvent } from "../../events.ts";
import type { CallView } from "../render/call_header.ts";
import { drawableLines } from "../render/columns.ts";
import { wrapHanging } from "../render/hanging.ts";
import type { Highlight } from "../render/highlight.ts";
import type { MarkdownView } from "../render/markdown.ts";
import type { CallState } from "../render/tool_call.ts";
import type { View } from "../render/view.ts";
import type { Paint, Style } from "../style.ts";
import { Activities } from "./activity.ts";
import type { Answer } from "./answer.ts";
import type { TerminalDevice } from "./device.ts";
import { endText } from "./end_text.ts";
import { type Input, inputOf } from "./input.ts";
import type { Frame } from "./live_region.ts";
import { Modals } from "./modal.ts";
import { saidLines, writtenLines } from "./said_lines.ts";
import { apart, composeFrame } from "./scene.ts";
import { Surface } from "./surface.ts";
import { thoughtLines, Thoughts } from "./thoughts.ts";
import { type Finished, fold, NOTHING, type ViewModel } from "./view_model.ts";
import type { Written } from "./written.ts";

/** What is seen: everything that is printed goes through here, and all that stands below it. */
export class Board {
  /** The line that is being written. */
  input: Input = inputOf([]);
  /** What was typed and waits, a line each. */
  waiting: readonly string[] = [];
  /** The line at the bottom, made for each drawing. */
  status: (view: View) => string = () => "";
  readonly modals = new Modals(() => this.update());
  readonly activities = new Activities(() => this.update());
  readonly #surface: Surface;
  #answer: Answer | undefined;
  /** Of `render/call_lines.ts`. */
  #renderCall: ((call: CallState, view: CallView) => string[]) | undefined;
  #model: ViewModel = NOTHING;
  #highlight: Highlight | undefined;
  /** Lines of an answer were printed that has not ended. */
  #isInAnswer = false;
  /** Long output is shown whole. */
  #expanded = false;
  /** Prints again what was folded last. */
  #unfold: (() => void) | undefined;
  readonly #thoughts = new Thoughts();
  /** What was printed last was an empty line, or nothing yet. */
  #isAfterBlank = true;

  constructor(device: TerminalDevice, style: Style) {
    this.#surface = new Surface(device, style, (view, rows) => this.#frame(view, rows));
  }

  /** What lines are made for now. */
  get view(): MarkdownView {
    return { ...this.#surface.view, ...(this.#highlight && { highlight: this.#highlight }) };
  }

  /** Something has changed that is drawn. */
  update(): void {
    this.#surface.update();
  }

  /** Draws anew. */
  redraw(): void {
    this.#surface.redraw();
  }

  /**
   * Loads what answers and calls are drawn with, which the first drawing does not wait for; events
   * are to.
   */
  async loadRenderers(): Promise<void> {
    const [{ Answer }, { renderCall }] = await Promise.all([
      import("./answer.ts"),
      import("../render/call_lines.ts"),
    ]);
    this.#answer ??= new Answer();
    this.#renderCall = renderCall;
  }

  /** Loads the colours of code. */
  async loadColors(): Promise<void> {
    if (this.view.style.plain || this.#highlight) return;
    const { loadHighlight } = await import("../render/highlight.ts");
    this.#highlight = await loadHighlight(this.view.style);
  }

  /** Prints lines as they are; what is set apart has an empty line before it. */
  print(lines: readonly string[], apart = false): void {
    const [first] = lines;
    if (first === undefined) return this.update();
    const gap = apart && !this.#isAfterBlank && first !== "" ? [""] : [];
    this.#isAfterBlank = lines.at(-1) === "";
    this.#surface.print([...gap, ...lines]);
  }

  /** Prints text as it stands; what is set apart has an empty line before it. */
  say(text: string, paint?: Paint, apart = false): void {
    const { width } = this.view;
    this.print(drawableLines(text).flatMap((line) => wrapHanging(line, width, paint)), apart);
  }

  /** Prints Markdown, once answers can be drawn. */
  sayMarkdown(markdown: string): void {
    if (this.#answer) this.print(this.#answer.whole(markdown, this.view), true);
    else this.say(markdown);
  }

  /** Prints what a person has sent. */
  printWritten({ editor }: Written): void {
    this.print(writtenLines(editor, this.view), true);
  }

  /** Takes in what happens in a run. */
  emit(event: AgentEvent): void {
    this.#hear(event);
    const { model, finished } = fold(this.#model, event, performance.now());
    this.#model = model;
    for (const item of finished) this.#printFinished(item);
    this.update();
  }

  /** Shows long output whole from now on, that of the last call at once; or folds it again. */
  toggleLongOutput(): void {
    this.#expanded = !this.#expanded;
    const { dim } = this.view.style;
    this.say(this.#expanded ? "Long output is shown whole" : "Long output is folded", dim, true);
    if (this.#expanded) this.#unfold?.();
  }

  /** Gives the terminal to another program until that has ended. */
  async lend<T>(act: () => Promise<T>): Promise<T> {
    return await this.#surface.lend(act);
  }

  /** Prints what is left, and gives the end of the terminal back. */
  async end(): Promise<void> {
    this.activities.stop();
    await this.#surface.end();
  }

  /** What the events say of the answer. */
  #hear(event: AgentEvent): void {
    switch (event.type) {
      case "turn":
        return this.#thoughts.begin();
      case "reasoning_delta":
        return this.#thoughts.push(event.text);
      case "reasoning":
        return this.#printThought(this.#thoughts.whole(event.text));
      case "text_delta":
        this.#printThought(this.#thoughts.take());
        return this.#pushAnswer(event.text);
      case "text":
        // Without pieces, all of it comes now.
        if (!this.#answer?.isOpen) this.#pushAnswer(event.text);
        return this.#endAnswer();
      case "tool_call":
        return this.#printThought(this.#thoughts.take());
      case "retry":
        this.#thoughts.begin();
        this.#isInAnswer = false;
        return this.#answer?.drop();
      case "result":
        this.#printThought(this.#thoughts.take());
        return this.#endAnswer();
      default:
        return;
    }
  }

  #printThought(thought: string | undefined): void {
    if (thought === undefined) return;
    const print = () => this.print(thoughtLines(thought, this.#expanded, this.view), true);
    this.#unfold = print;
    print();
  }

  #pushAnswer(text: string): void {
    if (this.#answer) this.#printAnswer(this.#answer.push(text, this.view));
  }

  #endAnswer(): void {
    if (this.#answer?.isOpen) this.#printAnswer(this.#answer.end(this.view));
    this.#isInAnswer = false;
  }

  /** Only the first lines of an answer are set apart: it has empty lines of its own. */
  #printAnswer(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.print(lines, !this.#isInAnswer);
    this.#isInAnswer = true;
  }

  #printFinished(item: Finished): void {
    const { style } = this.view;
    switch (item.kind) {
      case "call": {
        this.#unfold = () => this.#printFinished(item);
        const facts = { nowMs: performance.now(), expanded: this.#expanded };
        return this.print(this.#callLines(item.call, { ...this.view, ...facts }), true);
      }
      case "said":
        return this.print(saidLines(item.text, this.view), true);
      case "note":
        return this.say(item.text, style.dim);
      case "alarm":
        return this.say(item.text, style.red);
      case "end": {
        const text = endText(item.result);
        return text === undefined ? undefined : this.say(text, style.dim, true);
      }
    }
  }

  #callLines(call: CallState, view: CallView): string[] {
    return this.#renderCall?.(call, view) ?? [];
  }

  /** The rows of what goes on, set apart as they will be when they are printed. */
  #growing(view: CallView, most: number): string[] {
    const rows = apart([
      this.#thoughts.rows(view),
      this.#answer?.rows(view, most) ?? [],
      ...this.#model.calls.map((call) => this.#callLines(call, view)),
      this.activities.output(view),
    ]);
    return this.#isAfterBlank ? rows.slice(1) : rows;
  }

  #frame(view: View, rows: number): Frame {
    const nowMs = performance.now();
    const tick = Activities.tick(nowMs);
    return composeFrame(
      {
        growing: (view, most) => this.#growing({ ...view, nowMs, tick }, most),
        waiting: this.waiting,
        activity: this.activities.line(view, nowMs),
        modal: this.modals.current,
        input: this.input,
        status: this.status(view),
      },
      view,
      rows,
    );
  }
}
