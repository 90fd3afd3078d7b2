/**
 * Programs whose first word says what they do, as `npm test` does. Of others it is a file or a flag,
 * and `cp a …` would say nothing of what it writes.
 */
const WITH_VERBS = new Set([
  ..."npm pnpm yarn bun deno nx turbo lerna".split(" "),
  ..."cargo rustup go dotnet mvn gradle gradlew sbt swift zig stack cabal mix rebar3 dune".split(
    " ",
  ),
  ..."pip poetry uv hatch tox nox conda bundle rake composer".split(" "),
  ..."make just task ninja cmake bazel meson".split(" "),
  ..."git gh hg svn".split(" "),
]);

/** Words after which anything may follow that is run: no prefix ends with them. */
const RUN_ANYTHING = new Set(
  "run exec x dlx create init sh shell eval ssh config alias bisect submodule rebase filter-branch"
    .split(" "),
);

/** Programs whose `run` names a script of the project, as `npm run build` does. */
const SCRIPT_RUNNERS: Readonly<Record<string, string>> = {
  npm: "run",
  pnpm: "run",
  yarn: "run",
  bun: "run",
  deno: "task",
};

/** A word that names what a program shall do, and is neither a flag nor a file. */
const PLAIN = /^[a-z][a-z0-9:_-]*$/;

/**
 * The first words of a simple command that say what kind of command it is, as `npm test` and `npm
 * run build`; undefined where they would say too little.
 */
export function prefixOf(words: readonly string[]): readonly string[] | undefined {
  const [program = "", verb = "", name = ""] = words;
  if (!WITH_VERBS.has(program)) return undefined;
  if (SCRIPT_RUNNERS[program] === verb) {
    return PLAIN.test(name) ? [program, verb, name] : undefined;
  }
  return PLAIN.test(verb) && !RUN_ANYTHING.has(verb) ? [program, verb] : undefined;
}
