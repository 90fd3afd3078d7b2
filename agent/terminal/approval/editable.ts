/** The arguments of a call as text that a person can change. */
export interface EditableText {
  /** What the text is: the one argument that is changed, or `arguments` for all of them as JSON. */
  readonly label: string;
  readonly text: string;
  /** The call's arguments with the text that came back, as JSON. */
  join(edited: string): string;
}

/** The arguments that hold a whole program each: changed as they are, and not within JSON. */
const SCRIPTS = ["command", "code"];

/** What a person changes of a call: its command or code alone, else all arguments as JSON. */
export function editableText(json: string): EditableText {
  // The arguments of a question are JSON of ours, an object for every tool.
  const args = JSON.parse(json) as Readonly<Record<string, unknown>>;
  for (const label of SCRIPTS) {
    const text = args[label];
    if (typeof text === "string") {
      return { label, text, join: (edited) => JSON.stringify({ ...args, [label]: edited }) };
    }
  }
  return { label: "arguments", text: JSON.stringify(args, null, 2), join: (edited) => edited };
}
