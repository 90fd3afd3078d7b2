/** Characters of a token: four of code or English, and hardly more than one of other scripts. */
const PER_TOKEN = 4;

/** About how many tokens a text takes, without asking a tokeniser. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x2ff) wide++;
  return Math.ceil((text.length - wide) / PER_TOKEN + wide);
}
