import { extname } from "node:path";

/** Names of languages that are not their files' endings (Language Server Protocol 3.17). */
const LANGUAGES: Readonly<Record<string, string>> = {
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "typescriptreact",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascriptreact",
  py: "python",
  pyi: "python",
  rs: "rust",
  rb: "ruby",
  sh: "shellscript",
  bash: "shellscript",
  md: "markdown",
  yml: "yaml",
  h: "c",
  cc: "cpp",
  hpp: "cpp",
  cs: "csharp",
  kt: "kotlin",
  hs: "haskell",
};

/** The language of a file by its ending. */
export function languageIdOf(path: string): string {
  const ending = extname(path).slice(1).toLowerCase();
  return (Object.hasOwn(LANGUAGES, ending) ? LANGUAGES[ending] : undefined) ??
    (ending || "plaintext");
}
