import type { Profile, Tier } from "../../../sandbox/rights/tier.ts";
import type { Paint } from "../style.ts";
import { columnsOf, cutToWidth, drawable } from "./columns.ts";
import { type View, widthOf } from "./view.ts";

/** What the status line tells. */
export interface Status {
  readonly model: string;
  readonly tier: Tier;
  readonly profile: Profile;
  /** Tokens that the next request is about to hold; undefined before the first. */
  readonly contextTokens?: number | undefined;
  /** Tokens that fit; undefined where nobody knows. */
  readonly contextWindow?: number | undefined;
  /** All tokens so far. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In US dollars; undefined where a price is unknown. */
  readonly costUsd?: number | undefined;
}

/** From this share of the window on it is time to look, and from the second to act. */
const FULL = 0.75;
const BRIMMING = 0.9;

/**
 * One line of at most the width: model, tier and profile, how full the context is, tokens and cost.
 * What has no room is said shorter, then left out; the context is the last to go. Pure.
 */
export function renderStatusLine(status: Status, view: View): string {
  const width = widthOf(view);
  const { style } = view;
  const separator = style.unicode ? " · " : " | ";
  const forms = formsOf(status, view);
  const fitting = forms.find((parts) => widthIn(parts, separator) <= width) ?? forms.at(-1) ?? [];
  return fitting.map(({ text, paint = style.dim }) => paint(cutToWidth(text, width, style.unicode)))
    .join(style.dim(separator));
}

/** A part of the line. */
interface Part {
  readonly text: string;
  readonly paint?: Paint;
}

function widthIn(parts: readonly Part[], separator: string): number {
  return columnsOf(parts.map(({ text }) => text).join(separator));
}

/** The same facts, longest first. */
function formsOf(status: Status, view: View): Part[][] {
  const full = drawable(status.model).replaceAll(/\s+/g, " ");
  const model = { text: full };
  const named = { text: shortModel(full) };
  const half = Math.max(8, Math.floor(widthOf(view) / 2));
  const cut = { text: cutToWidth(named.text, half, view.style.unicode) };
  const rights = { text: `tier ${status.tier} ${status.profile}` };
  const shortRights = { text: `${status.tier} ${status.profile}` };
  const paint = paintOf(status, view);
  const context = { text: contextText(status, false), paint };
  const percent = { text: contextText(status, true), paint };
  const tokens = {
    text: `${countText(status.inputTokens)} in ${countText(status.outputTokens)} out`,
  };
  const cost = { text: costText(status.costUsd) };
  return [
    [model, rights, context, tokens, cost],
    [named, rights, context, tokens, cost],
    [named, shortRights, percent, tokens, cost],
    [cut, shortRights, percent, cost],
    [cut, { text: status.profile }, percent, cost],
    [cut, percent, cost],
    [cut, percent],
    [percent.text === "" ? cut : percent],
  ].map((parts) => parts.filter(({ text }) => text !== ""));
}

/** Providers prefix their names: `openai/gpt-5`. */
function shortModel(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1) || model;
}

/** How full the context is; its size alone where the window is unknown. */
function contextText({ contextTokens, contextWindow }: Status, isShort: boolean): string {
  if (contextTokens === undefined) return "";
  if (contextWindow === undefined || contextWindow <= 0) {
    return isShort ? countText(contextTokens) : `context ${countText(contextTokens)}`;
  }
  const percent = `${Math.round(contextTokens / contextWindow * 100)}%`;
  return isShort ? percent : `context ${percent} of ${countText(contextWindow)}`;
}

function paintOf({ contextTokens = 0, contextWindow }: Status, { style }: View): Paint {
  const share = contextWindow ? contextTokens / contextWindow : 0;
  if (share >= BRIMMING) return style.red;
  return share >= FULL ? style.yellow : style.dim;
}

/** An unknown price is no price of 0. */
export function costText(dollars: number | undefined): string {
  if (dollars === undefined) return "$?";
  return `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`;
}

/** A number of tokens in few characters: `950`, `12.3k`, `128k`, `1.2M`. */
export function countText(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${tenths(count / 1000)}k`;
  return `${tenths(count / 1_000_000)}M`;
}

function tenths(number: number): string {
  return number < 99.95 ? String(Math.round(number * 10) / 10) : String(Math.round(number));
}
