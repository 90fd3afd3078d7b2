/** A server of the protocol on the web, with its own authorization server, that can go wrong. */
export interface FakeWebServer extends AsyncDisposable {
  /** Where the protocol is spoken. */
  readonly url: string;
  readonly host: string;
  /** What came, as `POST /mcp tools/call`. */
  readonly requests: readonly string[];
  /** The tokens that are taken, which a test may change. */
  readonly tokens: Set<string>;
  /** A person's browser: goes to an address and follows where it is sent. */
  browse(address: string): Promise<Response>;
}

/** How it behaves. */
export interface FakeWebOptions {
  /** Who calls needs a token. */
  readonly auth?: boolean;
  /** Metadata that names another authorization server. */
  readonly authServer?: string;
  /** The first answer of a call comes as a stream that breaks before its result. */
  readonly dropsStreams?: boolean;
  /** It speaks only the handshake of 2025. */
  readonly legacy?: boolean;
}

const TOOL = { name: "echo", description: "Says it again", inputSchema: { type: "object" } };

/** Starts one on loopback. */
export function fakeWebServer(options: FakeWebOptions = {}): FakeWebServer {
  const requests: string[] = [];
  const tokens = new Set<string>();
  const codes = new Map<string, string>();
  let count = 0;

  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      const text = await request.text();
      const method = pathname === "/mcp" && text !== "" ? ` ${JSON.parse(text).method}` : "";
      requests.push(`${request.method} ${pathname}${method}`);
      return pathname === "/mcp" ? speak(request, text) : authorize(request, text);
    },
  );
  const origin = `http://localhost:${server.addr.port}`;

  function speak(request: Request, text: string): Response {
    const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    if (options.auth && !tokens.has(token)) {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      return new Response(null, {
        status: 401,
        headers: { "www-authenticate": `Bearer resource_metadata="${metadata}"` },
      });
    }
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const { id, method, params } = JSON.parse(text);
    if (id === undefined) return new Response(null, { status: 202 });
    const result = answer(method, params);
    if (!result) {
      return Response.json({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }, {
        status: options.legacy ? 400 : 200,
      });
    }
    const line = `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`;
    const drops = options.dropsStreams && method === "tools/call";
    return new Response(drops ? ": one moment\n\n" : line, {
      headers: { "content-type": "text/event-stream" },
    });
  }

  function answer(
    method: string,
    params: { arguments?: { message?: string } },
  ): object | undefined {
    const modern = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
    switch (method) {
      case "initialize":
        return {
          protocolVersion: "2025-06-18",
          serverInfo: { name: "web", version: "1" },
          capabilities: { tools: {} },
        };
      case "server/discover":
        if (options.legacy) return undefined;
        return {
          ...modern,
          supportedVersions: ["2026-07-28"],
          serverInfo: { name: "web", version: "1" },
          capabilities: { tools: {} },
        };
      case "tools/list":
        return { ...modern, tools: [TOOL] };
      case "tools/call":
        return { ...modern, content: [{ type: "text", text: params.arguments?.message ?? "" }] };
    }
  }

  function authorize(request: Request, text: string): Response {
    const url = new URL(request.url);
    const form = new URLSearchParams(text);
    switch (url.pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
        return Response.json({
          resource: `${origin}/mcp`,
          authorization_servers: [options.authServer ?? origin],
        });
      case "/.well-known/oauth-authorization-server":
        return Response.json({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ["code"],
          grant_types_supported: ["authorization_code", "refresh_token"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none"],
        });
      case "/register":
        return Response.json({ ...JSON.parse(text), client_id: "client-1" }, { status: 201 });
      case "/authorize": {
        const asked = url.searchParams;
        const code = `code-${++count}`;
        codes.set(code, asked.get("code_challenge") ?? "");
        const back = new URL(asked.get("redirect_uri") ?? "");
        back.searchParams.set("code", code);
        back.searchParams.set("state", asked.get("state") ?? "");
        return Response.redirect(back, 302);
      }
      case "/token": {
        const known = form.get("grant_type") === "refresh_token"
          ? form.get("refresh_token") === "refresh-1"
          : codes.has(form.get("code") ?? "") && form.has("code_verifier");
        if (!known) return Response.json({ error: "invalid_grant" }, { status: 400 });
        const token = `access-${++count}`;
        tokens.add(token);
        return Response.json({
          access_token: token,
          token_type: "Bearer",
          expires_in: 3600,
          refresh_token: "refresh-1",
        });
      }
    }
    return new Response(null, { status: 404 });
  }

  return {
    url: `${origin}/mcp`,
    host: `localhost:${server.addr.port}`,
    ...{ requests, tokens },
    browse: (address) => fetch(address),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
