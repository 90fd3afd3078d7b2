import type { AuthMethod } from "@agentclientprotocol/sdk";
import type { OptionValues } from "../command_line/options.ts";
import { loadOwnConfig } from "../config/load.ts";
import type { ReadVariable } from "../environment.ts";
import { EXIT } from "../exit_code.ts";
import { findKeeping } from "../places.ts";
import { joinSettings } from "../settings.ts";
import { failedRequest, refusedRequest } from "./request_errors.ts";

/** The one way to prove who one is: the key that the process was started with. */
const METHOD = "api-key";

/**
 * The variable that holds the key of the model's server, as far as is known without a folder;
 * undefined where the server takes none.
 * @throws {ConfigurationError}
 */
export function keyVariable(
  options: OptionValues,
  env: ReadVariable,
  cwd: string,
): string | undefined {
  const config = loadOwnConfig(findKeeping(options, env, cwd));
  return joinSettings(options, config, env).provider.keyVariable;
}

/** How a person proves who they are: by naming the variable; none where there is no key. Pure. */
export function authMethods(variable: string | undefined): AuthMethod[] {
  if (variable === undefined) return [];
  return [{
    id: METHOD,
    name: variable,
    description:
      `Set ${variable} in the environment in which the editor starts cordon acp; it is read at the start and kept nowhere`,
  }];
}

/**
 * Looks whether the key is there; it cannot come later, since it is read at the start.
 * @throws {RequestError} where it is not, or for another method.
 */
export function authenticate(
  methodId: string,
  variable: string | undefined,
  env: ReadVariable,
): void {
  if (methodId !== METHOD || variable === undefined) {
    throw refusedRequest(`There is no way "${methodId}" to authenticate`);
  }
  if (env(variable)) return;
  throw failedRequest({
    exitCode: EXIT.credentials,
    message: `${variable} is not set: set it where the editor starts cordon acp`,
    code: "credentials",
  });
}
