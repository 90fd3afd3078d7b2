import type { ScreenAct } from "../tool.ts";
import type { Desktop } from "./desktop.ts";
import { actText, riskOf } from "./risk.ts";
import type { ScreenRefusal } from "./screen_picture.ts";
import { type Target, targetOf } from "./target.ts";

/** What was done. */
export interface Done {
  readonly ok: true;
  readonly did: string;
  readonly window?: string;
  readonly risk: ScreenAct;
}

/**
 * Acts where it still goes to the window that it was allowed for: while a person is asked, another
 * one may come to the front.
 */
export async function actOn(
  { act, window }: Target,
  desktop: Desktop,
  signal: AbortSignal,
): Promise<Done | ScreenRefusal> {
  const now = await targetOf(act, desktop, signal);
  const risk = riskOf(act, window);
  if (now.window?.id !== window?.id || riskOf(act, now.window) !== risk) {
    const message = `Another window is there now: ${now.window?.title ?? "none that is known"}`;
    return { ok: false, reason: "changed", message };
  }
  await desktop.act(act, signal);
  return { ok: true, did: actText(act, window), ...(window && { window: window.title }), risk };
}
