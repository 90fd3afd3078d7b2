import type { ControlStripper } from "../sandbox/commands/control.ts";
import {
  cleanStream,
  createRedactor,
  redactedMarker,
  redactJson,
  type Secret,
} from "../sandbox/redact/redact.ts";
import type { Person } from "../tools/tool.ts";
import type { EventSink } from "./events.ts";
import type { Approver } from "./gate/approver.ts";
import type { Session } from "./session/log.ts";
import type { NewRecord } from "./session/records.ts";
import type { Settings } from "./settings.ts";

/** Takes secrets out of what a session shows, to anybody; which they are it learns as it goes. */
export interface Redaction {
  /** From now on these are secrets, too; what was one stays one. */
  learn(secrets: readonly Secret[]): void;
  redact(text: string): string;
  /** A marker of a known secret in a text that is to be written, where it would replace the secret. */
  markerIn(value: unknown): string | undefined;
  /** A value with every string in it redacted. */
  json<T>(value: T): T;
  /** For raw output in pieces: control sequences and secrets are taken out. */
  cleanStream(): ControlStripper;
  /** For text in pieces. */
  stream(): ControlStripper;
}

/** A redaction that knows these secrets, and what looks like a token. */
export function createRedaction(own: readonly Secret[]): Redaction {
  const known = new Map(own.map((secret) => [secret.value, secret]));
  let redactor = createRedactor([...known.values()]);
  return {
    learn(secrets) {
      const fresh = secrets.filter(({ value }) => !known.has(value));
      if (fresh.length === 0) return;
      for (const secret of fresh) known.set(secret.value, secret);
      redactor = createRedactor([...known.values()]);
    },
    redact: (text) => redactor.redact(text),
    markerIn(value) {
      const texts = JSON.stringify(value) ?? "";
      const markers = [...known.values()].map(({ name }) => redactedMarker(name));
      return markers.find((marker) => texts.includes(marker));
    },
    json: (value) => redactJson(redactor, value),
    cleanStream: () => cleanStream(redactor),
    stream: () => redactor.stream(),
  };
}

/** The keys and passwords that a run itself holds. */
export function ownSecrets(
  { apiKey, provider, applyModel, embeddings, search }: Settings,
): Secret[] {
  const keys = [
    { key: apiKey, name: provider.keyVariable },
    { key: applyModel?.apiKey, name: applyModel?.provider.keyVariable },
    { key: embeddings?.apiKey, name: embeddings?.provider.keyVariable },
    ...search.flatMap((engine) =>
      "apiKey" in engine ? [{ key: engine.apiKey, name: `key of ${engine.name}` }] : []
    ),
  ];
  const addresses = [provider, applyModel?.provider, embeddings?.provider];
  return [
    ...keys.flatMap(({ key, name = "API key" }) => key ? [{ name, value: key }] : []),
    ...addresses.flatMap((it) => it ? passwordsIn(it.baseUrl) : []),
  ];
}

/** The password in an address, as it was typed and as a URL has it. */
function passwordsIn(address: string): Secret[] {
  const typed = /^\w+:\/\/[^/?#:]*:([^/?#]*)@/.exec(address)?.[1];
  return typed
    ? [typed, new URL(address).password].map((value) => ({ name: "password", value }))
    : [];
}

/** What comes in pieces: a model's answer, and what it thinks. */
type PieceType = "text_delta" | "reasoning_delta";

/** The same sink for events without secrets, also where a model's text comes in pieces. */
export function redactedEvents(emit: EventSink, redaction: Redaction): EventSink {
  let open: { readonly type: PieceType; readonly stream: ControlStripper } | undefined;
  /** The rest of what came in pieces, once something else follows. */
  function finish(): void {
    const rest = open?.stream.end() ?? "";
    if (open && rest !== "") emit({ type: open.type, text: rest });
    open = undefined;
  }
  return (event) => {
    const { type } = event;
    if (type !== open?.type) finish();
    if (type !== "text_delta" && type !== "reasoning_delta") return emit(redaction.json(event));
    open ??= { type, stream: redaction.stream() };
    const text = open.stream.strip(event.text);
    if (text !== "") emit({ type, text });
  };
}

/** Asks a person about a call without showing them, and whoever watches, its secrets. */
export function redactedApprover(approve: Approver, redaction: Redaction): Approver {
  return (request, signal) => approve(redaction.json(request), signal);
}

/** Asks a person something without showing them secrets. */
export function redactedPerson(person: Person, redaction: Redaction): Person {
  return { ask: (question, signal) => person.ask(redaction.json(question), signal) };
}

/** What is encrypted or signed by the model's server, which wants it back as it came. */
const SEALED = ["encrypted_content", "signature", "data"];

/**
 * Appends to a log without secrets; since a conversation is what its log says, the model is told
 * no secret either.
 */
export function redactedAppend(
  session: Pick<Session, "append">,
  redaction: Redaction,
): Session["append"] {
  return (record) => session.append(withoutSecrets(record, redaction));
}

function withoutSecrets(record: NewRecord, redaction: Redaction): NewRecord {
  const clean = redaction.json(record);
  const items = record.type === "assistant" ? record.reasoning?.items : undefined;
  if (clean.type !== "assistant" || !clean.reasoning || !items) return clean;
  const cleanItems = items.map((item) => {
    if (typeof item !== "object" || item === null) return redaction.json(item);
    const sealed = Object.entries(item).filter(([name]) => SEALED.includes(name));
    return { ...redaction.json(item), ...Object.fromEntries(sealed) };
  });
  return { ...clean, reasoning: { ...clean.reasoning, items: cleanItems } };
}
