import type { Browser, BrowserLook } from "../../tools/browser/browser.ts";

/** What a person says of the browser. */
export interface BrowserSettings {
  /** A program of Chromium's family, absolute; default: the first on PATH. */
  readonly path?: string;
  /** Where a running browser of the person's listens, as `http://127.0.0.1:9222`. */
  readonly cdp?: string;
}

/** Which browser a run has. */
export type ChosenBrowser =
  | { readonly kind: "attached"; readonly address: string }
  /** By its name on PATH, or absolute. */
  | { readonly kind: "own"; readonly program: string }
  | { readonly kind: "text"; readonly program: "lynx" };

/** Browsers that run pages, the first one first; Debian, Ubuntu, Google and Microsoft name them so. */
const CHROMIUMS = [
  "chromium",
  "google-chrome",
  "google-chrome-stable",
  "microsoft-edge",
  "microsoft-edge-stable",
  "chromium-browser",
] as const;

/** Programs of which one makes the tool. */
export const BROWSER_PROGRAMS: readonly string[] = [...CHROMIUMS, "lynx"];

/** What a person named, else the first that is there; undefined where there is none. Pure. */
export function chooseBrowser(
  { cdp, path }: BrowserSettings,
  isThere: (program: string) => boolean,
): ChosenBrowser | undefined {
  if (cdp !== undefined) return { kind: "attached", address: cdp };
  if (path !== undefined) return { kind: "own", program: path };
  const program = CHROMIUMS.find(isThere);
  if (program !== undefined) return { kind: "own", program };
  return isThere("lynx") ? { kind: "text", program: "lynx" } : undefined;
}

/** What the gate is told of a browser before it runs. */
export function lookAt(
  chosen: ChosenBrowser,
  { running, confined }: Omit<BrowserLook, "kind">,
): ReturnType<Browser["look"]> {
  return { kind: chosen.kind, running, confined: confined && chosen.kind !== "attached" };
}
