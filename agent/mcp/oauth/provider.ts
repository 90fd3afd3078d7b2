import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { HttpServer } from "../server_schema.ts";
import type { KeptLogin, TokenStore } from "./token_store.ts";

/** What a log-in works with. */
export interface LoginParts {
  readonly url: string;
  readonly store: TokenStore;
  /** What the person configured of the client. */
  readonly oauth: HttpServer["oauth"];
  readonly clientSecret: string | undefined;
  /** Where the authorization server sends the person back to. */
  readonly redirectUrl: string;
  /** Sends the person to the authorization server. @throws where nobody can be sent. */
  readonly authorize: (url: URL) => void;
  /** Told of each token, which must not be shown. */
  readonly learn: (token: string) => void;
}

/** The client's side of OAuth for one server, with what it keeps in the state folder. */
export class StoredLogin implements OAuthClientProvider {
  readonly #parts: LoginParts;
  readonly #state = crypto.randomUUID();
  #verifier = "";

  constructor(parts: LoginParts) {
    this.#parts = parts;
  }

  get redirectUrl(): string {
    return this.#parts.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { oauth, clientSecret, redirectUrl } = this.#parts;
    return {
      client_name: "Cordon",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: clientSecret === undefined ? "none" : "client_secret_post",
      ...(oauth?.scope !== undefined && { scope: oauth.scope }),
    };
  }

  /** What has to come back with the code, so that nobody else's answer is taken. */
  state(): string {
    return this.#state;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { oauth, clientSecret } = this.#parts;
    if (oauth?.client_id !== undefined) {
      return {
        client_id: oauth.client_id,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
      };
    }
    // It is what the client of the protocol gave to be kept, and checks again.
    return this.#kept.client as StoredOAuthClientInformation | undefined;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#update((before) => ({ ...before, client: { ...client } }));
  }

  tokens(): StoredOAuthTokens | undefined {
    const { tokens } = this.#kept;
    for (const token of [tokens?.access_token, tokens?.refresh_token]) {
      if (token !== undefined) this.#parts.learn(token);
    }
    // As for the client.
    return tokens as StoredOAuthTokens | undefined;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#update((before) => ({ ...before, tokens: { ...tokens } }));
  }

  redirectToAuthorization(url: URL): void {
    this.#parts.authorize(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.#update((before) => ({ ...before, discovery: { ...discovery } }));
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    // As for the client.
    return this.#kept.discovery as OAuthDiscoveryState | undefined;
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    const all = scope === "all";
    if (all || scope === "verifier") this.#verifier = "";
    this.#update(({ client, tokens, discovery, ...rest }) => ({
      ...rest,
      ...(client && !all && scope !== "client" && { client }),
      ...(tokens && !all && scope !== "tokens" && { tokens }),
      ...(discovery && !all && scope !== "discovery" && { discovery }),
    }));
  }

  get #kept(): KeptLogin {
    return this.#parts.store.read(this.#parts.url);
  }

  #update(change: (before: KeptLogin) => KeptLogin): void {
    this.#parts.store.update(this.#parts.url, change);
  }
}
