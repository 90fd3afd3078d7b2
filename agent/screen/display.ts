import type { Environment } from "../../sandbox/commands/environment.ts";
import type { ReadVariable } from "../environment.ts";

/** The display at which a person sits. */
export interface Display {
  readonly kind: "x11" | "wayland" | "macos";
  /** What programs need to reach it, all of it; commands of the model get none of these. */
  readonly environment: Environment;
}

/** How programs find a display, and prove that they may use it. */
const VARIABLES = [
  ..."PATH HOME USER LOGNAME XDG_RUNTIME_DIR XDG_CURRENT_DESKTOP XDG_SESSION_TYPE".split(" "),
  ..."DISPLAY XAUTHORITY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS AT_SPI_BUS_ADDRESS".split(" "),
];

/** The display that the variables of this process lead to; undefined where there is none. */
export function displayOf(env: ReadVariable, os: typeof Deno.build.os): Display | undefined {
  const kind = kindOf(env, os);
  if (!kind) return undefined;
  const passed = VARIABLES.flatMap((name) => {
    const value = env(name);
    return value ? [[name, value]] : [];
  });
  return { kind, environment: { LANG: "C.UTF-8", ...Object.fromEntries(passed) } };
}

/** Programs of X11 see nothing of the others on Wayland, although they find a display there. */
function kindOf(env: ReadVariable, os: typeof Deno.build.os): Display["kind"] | undefined {
  if (os === "darwin") return "macos";
  if (env("WAYLAND_DISPLAY")) return "wayland";
  return env("DISPLAY") ? "x11" : undefined;
}
