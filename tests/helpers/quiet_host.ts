import type { Host } from "../../agent/terminal/headless.ts";

/** A host without a terminal, started in a folder, that knows PATH alone; `said` grows as it is written to. */
export function quietHost(cwd: string) {
  const said = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof said) => ({
    write: (text: string) => void (said[name] += text),
    flush: () => Promise.resolve(),
    closed: new AbortController().signal,
  });
  const host: Host = {
    env: (name) => name === "PATH" ? Deno.env.get("PATH") : undefined,
    ...{ cwd, program: "main.ts" },
    stdin: { isTerminal: false, readable: new ReadableStream(), mayStaySilent: false },
    streams: { stdout: stream("stdout"), stderr: stream("stderr") },
    ...{ stdoutIsTerminal: false, stderrIsTerminal: false },
    exit: () => {},
  };
  return { host, said };
}
