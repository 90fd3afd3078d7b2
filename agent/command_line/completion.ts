import { VERSION } from "../version.ts";
import { bashCompletion } from "./complete_bash.ts";
import { fishCompletion } from "./complete_fish.ts";
import { zshCompletion } from "./complete_zsh.ts";
import { manPage } from "./man_page.ts";
import { type Invocation, UsageError } from "./parse.ts";

/**
 * `cordon completion SHELL`: a script for the shell to source, or the man page.
 * @throws {UsageError}
 */
export function completionText({ operands }: Invocation): string {
  const [shell, ...more] = operands;
  if (more.length === 0) {
    switch (shell) {
      case "bash":
        return bashCompletion();
      case "zsh":
        return zshCompletion();
      case "fish":
        return fishCompletion();
      case "man":
        return manPage(VERSION);
    }
  }
  throw new UsageError(
    "Cannot complete: name one of bash, zsh, fish, man, as cordon completion bash",
  );
}
