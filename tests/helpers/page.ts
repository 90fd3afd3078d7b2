/** A page in Markdown, as tests of documentation read it. */
export interface Page {
  readonly name: string;
  readonly text: string;
  /** The code blocks of a language. */
  blocks(language: string): string[];
  /** Each line of its shell blocks that starts the program, in any spelling, as arguments. */
  commandLines(): (readonly [line: string, args: string[]])[];
  /** Each `cordon …` in its prose, as arguments. */
  inlineCommands(): (readonly [text: string, args: string[]])[];
}

/** The page of this text. */
export function readPage(name: string, text: string): Page {
  const blocks = (language: string) => blocksOf(text, language);
  return {
    name,
    text,
    blocks,
    commandLines() {
      const lines = blocks("sh").flatMap((block) => block.split("\n"));
      return lines.flatMap((line) => {
        const args = /(?:^cordon| main\.ts)(?= |$)(.*)/.exec(line)?.[1];
        return args === undefined ? [] : [[line, words(args)] as const];
      });
    },
    inlineCommands() {
      const found = text.replaceAll(/^```[^]*?^```$/gm, "").matchAll(/`cordon ([^`\n]+)`/g);
      return [...found].map(([, said = ""]) => [said, words(withoutPlaceholders(said))] as const);
    },
  };
}

function blocksOf(text: string, language: string): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  return [...text.matchAll(pattern)].map((match) => match[1] ?? "");
}

/** Words as a shell would pass them; pages quote with double quotes alone, and pipe into files. */
function words(line: string): string[] {
  const found = line.replace(/\s[#<>].*$/, "").matchAll(/"([^"]*)"|(\S+)/g);
  return [...found].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

/** Placeholders stand for values, and bars for a choice. */
function withoutPlaceholders(text: string): string {
  return text.replaceAll(/\[|\]/g, "").replace(/\|\w+/g, "").replace(/^-r PART$/, "-r=x");
}
