import { type Net, NET_LIMIT_MS, type NetAnswer } from "../../sandbox/net.ts";
import type { DocumentHint } from "./document.ts";
import { type GithubForm, githubForm } from "./github.ts";

/** What came of asking for a page, and what is known of it. */
export type Page =
  | { readonly ok: true; readonly answer: Came; readonly hint: DocumentHint }
  | { readonly ok: false; readonly reason: string; readonly message: string };

type Came = Extract<NetAnswer, { ok: true }>;

/** A PDF of some hundred pages with pictures has that; of a page the text is far shorter. In bytes. */
export const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** Some servers answer nobody who does not say who he is, GitHub among them. */
const HEADERS = {
  "user-agent": "Mozilla/5.0 (compatible; cordon)",
  "accept": "text/html, application/xhtml+xml, text/markdown;q=0.9, */*;q=0.8",
  "accept-language": "en, *;q=0.5",
};

const GITHUB_HEADERS = { ...HEADERS, accept: "application/vnd.github+json" };

/**
 * Asks for a page, and for pages of GitHub in the form that is not made for browsers; where that
 * cannot be had, as its host may not be reached, for the page itself.
 */
export async function fetchPage(
  net: Net,
  url: string,
  { raw = false, signal }: { readonly raw?: boolean; readonly signal: AbortSignal },
): Promise<Page> {
  const form = githubForm(url);
  // Who asks for the source of an issue means its page.
  const better = form && (!raw || form.kind === "raw")
    ? await inForm(net, form, signal)
    : undefined;
  if (better) return better;
  const answer = await ask(net, url, signal);
  return answer.ok ? pageOf(answer, raw ? { raw } : {}) : answer;
}

async function inForm(net: Net, form: GithubForm, signal: AbortSignal): Promise<Page | undefined> {
  switch (form.kind) {
    case "raw": {
      const answer = await ask(net, form.url, signal);
      return isWhole(answer) ? pageOf(answer) : undefined;
    }
    case "gist": {
      const answer = await ask(net, form.url, signal, GITHUB_HEADERS);
      return isWhole(answer) ? pageOf(answer, { form: "github_gist" }) : undefined;
    }
    case "issue": {
      const [issueUrl, commentsUrl] = form.urls;
      const issue = await ask(net, issueUrl, signal, GITHUB_HEADERS);
      if (!isWhole(issue)) return undefined;
      const comments = await ask(net, commentsUrl, signal, GITHUB_HEADERS);
      if (!isWhole(comments)) return undefined;
      return pageOf({ ...issue, body: threadOf(issue.body, comments.body) }, {
        form: "github_issue",
      });
    }
  }
}

function ask(
  net: Net,
  url: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = HEADERS,
): Promise<NetAnswer> {
  const limits = { timeoutMs: NET_LIMIT_MS, maxBytes: MAX_PAGE_BYTES };
  return net.fetch(url, { headers, signal, ...limits });
}

function isWhole(answer: NetAnswer): answer is Came {
  return answer.ok && answer.status === 200 && !answer.truncated;
}

/** Two answers as one document; neither is looked at here. */
function threadOf(issue: Uint8Array, comments: Uint8Array): Uint8Array {
  const encoder = new TextEncoder();
  const parts = [
    encoder.encode('{"issue":'),
    issue,
    encoder.encode(',"comments":'),
    comments,
    encoder.encode("}"),
  ];
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function pageOf(answer: Came, more: Pick<DocumentHint, "raw" | "form"> = {}): Page {
  const contentType = answer.headers["content-type"];
  return {
    ok: true,
    answer,
    hint: {
      url: answer.url,
      ...(contentType !== undefined && { contentType }),
      ...(answer.truncated && { cut: true }),
      ...more,
    },
  };
}
