import { type Rule, ruleText } from "../../gate/rules.ts";
import { visibleLine } from "../visible.ts";

/** What a person answered for the session, a line each; empty where they answered nothing so. */
export function rulesText(rules: readonly Rule[]): string {
  if (rules.length === 0) return "";
  const lines = rules.map((rule) => `  ${visibleLine(ruleText(rule))}`);
  return ["answered for this session:", ...lines, ""].join("\n");
}
