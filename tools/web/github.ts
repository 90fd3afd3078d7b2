/** What to ask for in the place of a page of GitHub that is made for browsers. */
export type GithubForm =
  /** The file itself. */
  | { readonly kind: "raw"; readonly url: string }
  /** Interfaces that answer with JSON; of an issue the second are its comments. */
  | { readonly kind: "issue"; readonly urls: readonly [issue: string, comments: string] }
  | { readonly kind: "gist"; readonly url: string };

const API = "https://api.github.com";

/** The raw or interface form of a page of github.com or gist.github.com; undefined where it has none. */
export function githubForm(address: string): GithubForm | undefined {
  const url = URL.parse(address);
  if (url?.protocol !== "https:" || url.port !== "") return undefined;
  const parts = url.pathname.split("/").slice(1);
  switch (url.hostname) {
    case "github.com":
    case "www.github.com":
      return ofRepository(parts);
    case "gist.github.com":
      return ofGist(parts);
    default:
      return undefined;
  }
}

function ofRepository([owner, name, what, ...rest]: readonly string[]): GithubForm | undefined {
  if (!owner || !name) return undefined;
  switch (what) {
    case "blob":
    case "raw":
      if (rest.filter((part) => part !== "").length < 2) return undefined;
      return {
        kind: "raw",
        url: `https://raw.githubusercontent.com/${owner}/${name}/${rest.join("/")}`,
      };
    case "issues":
    case "pull": {
      const [number = "", ...below] = rest;
      if (!/^\d+$/.test(number) || below.some((part) => part !== "")) return undefined;
      const issue = `${API}/repos/${owner}/${name}/issues/${number}`;
      return { kind: "issue", urls: [issue, `${issue}/comments?per_page=100`] };
    }
    default:
      return undefined;
  }
}

function ofGist(parts: readonly string[]): GithubForm | undefined {
  const [, id = "", ...below] = parts;
  if (!/^[0-9a-f]{5,}$/.test(id) || below.some((part) => part !== "")) return undefined;
  return { kind: "gist", url: `${API}/gists/${id}` };
}
