import * as z from "zod";

/** Names of what a server may be asked for without a yes: all of it, or tool by tool. */
const approval = z.union([
  z.enum(["ask", "allow"]),
  z.record(z.string(), z.enum(["ask", "allow"])),
]);

/** Times of more than a day are a slip of units. */
const milliseconds = z.int().min(1).max(86_400_000);

/** What holds for a server however it is reached. */
const common = {
  /** `false`: it is configured, and not used. */
  enabled: z.boolean().optional(),
  /** When a call needs a yes, for all of its tools or by their names; read from a person's own file alone. */
  approval: approval.optional(),
  /** Limit of one call. */
  timeout_ms: milliseconds.optional(),
  /** Limit of the way to its first answer. */
  start_timeout_ms: milliseconds.optional(),
  /** Further hosts: of a program all that it may reach, of a server on the web those that log in. */
  network: z.array(z.string().min(1)).optional(),
};

/** A program that speaks over its standard input and output. */
const stdioServer = z.object({
  type: z.literal("stdio").optional(),
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  /** Folders that it may read beside the workspace, and that it may change; `.` is the workspace. */
  read: z.array(z.string().min(1)).optional(),
  write: z.array(z.string().min(1)).optional(),
  ...common,
});

/** A server on the web. */
const httpServer = z.object({
  type: z.enum(["http", "streamable-http"]).optional(),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).optional(),
  /** A client that was registered beforehand; without it we register one, or are asked for none. */
  oauth: z.object({
    client_id: z.string().min(1),
    /** The variable that holds its secret. */
    client_secret_env: z.string().min(1).optional(),
    scope: z.string().optional(),
    /** The port of the local callback; default: any that is free. */
    callback_port: z.int().min(1).max(65535).optional(),
  }).partial().optional(),
  ...common,
});

/** One server, as `.mcp.json` and the key `mcp` of our own files have it; other keys are passed over. */
export const mcpServerSchema = z.union([stdioServer, httpServer]);

/** A program that speaks over its standard input and output. */
export type StdioServer = z.infer<typeof stdioServer>;
/** A server on the web. */
export type HttpServer = z.infer<typeof httpServer>;
/** One server as it was written. */
export type ServerSettings = StdioServer | HttpServer;

/** Whether a server is a program of this machine. */
export function isStdio(settings: ServerSettings): settings is StdioServer {
  return "command" in settings;
}
