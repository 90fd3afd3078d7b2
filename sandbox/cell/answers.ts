/** What the warden accepts from a cell: the other side may be in the hands of what it read. */
import * as z from "zod";
import { type Message, ProtocolError } from "./frames.ts";
import type { Method } from "./messages.ts";

const count = z.number().int().nonnegative();

const fileKind = z.enum(["file", "folder", "link", "other"]);

const facts = z.object({
  path: z.string(),
  real: z.string(),
  kind: fileKind,
  size: count,
  mtimeMs: z.number(),
  mode: count.max(0o7777),
});

const version = z.object({ size: count, hash: z.string().regex(/^[0-9a-f]{64}$/) });

const extent = { stopped: z.boolean(), unreadable: count };

const refusal = {
  ok: z.literal(false),
  path: z.string(),
  message: z.string(),
};

const refused = z.object({
  ...refusal,
  reason: z.enum(["denied", "not_a_file", "not_a_folder", "exists", "too_large"]),
});

const stale = z.object({
  ...refusal,
  reason: z.literal("stale"),
  current: z.object({ facts, version }),
});

const searchRefused = z.object({
  ...refusal,
  reason: z.enum(["denied", "not_a_file", "too_large", "bad_pattern"]),
});

function done<S extends z.ZodRawShape>(shape: S) {
  return z.object({ ok: z.literal(true), ...shape });
}

const hit = z.object({
  path: z.string(),
  line: count,
  text: z.string(),
  kind: z.enum(["match", "context"]),
});

const entry = z.object({ name: z.string(), kind: fileKind, size: count });

const seen = z.object({
  path: z.string(),
  kind: z.enum(["file", "link", "fifo", "socket", "device"]),
  reason: z.string().exactOptional(),
  inode: count,
  size: count,
  mtimeMs: z.number(),
  mode: count.max(0o7777),
});

const stamp = { size: count, mtimeMs: z.number(), inode: count };

const readItem = z.union([
  z.object({ path: z.string(), ...stamp, length: count }),
  z.object({ path: z.string(), problem: z.enum(["denied", "not_a_file", "too_large"]) }),
]);

const findings = z.object({
  files: z.array(z.object({ seen, length: count.exactOptional() })),
  setIds: z.array(seen),
  special: z.array(seen),
  unreadable: z.array(z.string()),
  stopped: z.boolean(),
});

const undone = z.object({
  files: z.array(z.object({
    path: z.string(),
    reason: z.string(),
    done: z.enum(["removed", "restored", "left"]),
  })),
  setIds: z.array(z.string()),
});

/** Values of answers by method, without the bytes that come in the body. */
const VALUES = {
  stat: z.union([done({ facts }), refused]),
  read: z.union([done({ facts, version }), refused]),
  list: z.union([done({ path: z.string(), entries: z.array(entry) }), refused]),
  walk: z.union([done({ paths: z.array(z.string()), total: count, ...extent }), refused]),
  search: z.union([done({ hits: z.array(hit), total: count, ...extent }), searchRefused]),
  survey: z.union([done({ ...extent }), refused]),
  read_many: z.union([done({ items: z.array(readItem) }), refused]),
  create: z.union([done({ facts }), refused]),
  replace: z.union([done({ facts }), stale, refused]),
  remove: z.union([done({ path: z.string() }), stale, refused]),
  sweep_before: z.object({ look: count }),
  sweep_after: findings,
  sweep_undo: undone,
  sweep_secrets: z.object({ secrets: z.array(z.object({ name: z.string(), value: z.string() })) }),
} satisfies Record<Method, z.ZodType>;

/** The value of an answer to a method. */
export type Value<M extends Method> = z.infer<(typeof VALUES)[M]>;

/**
 * The value of an answer, checked.
 * @throws {ProtocolError} where it is no answer to this method.
 */
export function parseValue<M extends Method>(method: M, value: unknown): Value<M> {
  // A cast: the compiler does not see that the schema and the type belong to one key.
  return check(VALUES[method] as unknown as z.ZodType<Value<M>>, value, `answer to ${method}`);
}

const id = count;

const fromCell = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello"), version: count }),
  z.object({ type: z.literal("answer"), id, value: z.unknown() }),
  z.object({
    type: z.literal("failure"),
    id,
    failure: z.object({
      name: z.string(),
      message: z.string(),
      code: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/).exactOptional(),
    }),
  }),
]);

/** A message of a cell, whose value is yet to be looked at. */
export type Reply = z.infer<typeof fromCell>;

/**
 * The head of a message of a cell, checked.
 * @throws {ProtocolError} where it is none.
 */
export function parseReply({ head }: Message): Reply {
  return check(fromCell, head, "message");
}

function check<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ProtocolError(`a malformed ${what} came`);
}
