/** The place in System Settings for each right that macOS may keep back. */
const PLACES = {
  Accessibility: "the right to use mouse and keyboard is missing",
  Automation: "the right to control System Events is missing",
  "Screen Recording": "the right to record the screen is missing",
} as const;

/** How programs say that one is missing. */
const SAID: readonly (readonly [words: RegExp, place: keyof typeof PLACES])[] = [
  [/-1743\b|not authori[sz]ed to send apple events/i, "Automation"],
  [/accessibility privileges|assistive access|-25211\b|-1719\b/i, "Accessibility"],
  [/could not create image/i, "Screen Recording"],
];

/** Which right of macOS is missing by the words of a program, and where it is given; else undefined. Pure. */
export function missingRight(words: string): string | undefined {
  const place = SAID.find(([said]) => said.test(words))?.[1];
  return place && rightText(place);
}

/** Half a sentence on a missing right, with where it is given. Pure. */
export function rightText(place: keyof typeof PLACES): string {
  return `${
    PLACES[place]
  }: allow your terminal program in System Settings > Privacy & Security > ` +
    `${place}, and start it again`;
}
