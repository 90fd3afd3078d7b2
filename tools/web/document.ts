import * as z from "zod";

/** What a page or file turned out to be. */
export const documentKinds = ["html", "pdf", "feed", "json", "text", "github"] as const;

/** A reader that was led astray tells no stories, in characters. */
const MAX_MESSAGE = 200;
const MAX_NOTES = 100;

const documentSchema = z.strictObject({
  ok: z.literal(true),
  kind: z.enum(documentKinds),
  title: z.string().optional(),
  byline: z.string().optional(),
  /** As the page says it. */
  published: z.string().optional(),
  /** The encoding that it was read by, as the Encoding standard names it. */
  charset: z.string().optional(),
  /** Readable text, Markdown where it has structure. */
  text: z.string(),
  /** Half sentences on what the text does not hold. */
  notes: z.array(z.string().max(MAX_MESSAGE)).max(MAX_NOTES),
});

const unreadableSchema = z.strictObject({
  ok: z.literal(false),
  reason: z.enum(["image", "binary", "broken", "too_complex"]),
  /** Half a sentence, as "it is no text". */
  message: z.string().max(MAX_MESSAGE),
});

/** What a reader says of a document; it comes from a process that nobody trusts. */
export const reading = z.discriminatedUnion("ok", [documentSchema, unreadableSchema]);

/** A document as text. */
export type WebDocument = Readonly<z.infer<typeof documentSchema>>;

/** A document that is no text, or why it cannot be read. */
export type Unreadable = Readonly<z.infer<typeof unreadableSchema>>;

/** What came of reading a document. */
export type Reading = WebDocument | Unreadable;

/** What is known of a document before it is read. */
export interface DocumentHint {
  /** Where it was found; links are made absolute by it. */
  readonly url: string;
  /** The header `content-type`, as it came. */
  readonly contentType?: string;
  /** The bytes are the beginning of a longer document. */
  readonly cut?: boolean;
  /** As it stands, without making it readable. */
  readonly raw?: boolean;
  /** What it is known to be: answers of GitHub's interface, or a page of hits, which become JSON. */
  readonly form?: "github_issue" | "github_gist" | "duckduckgo" | "google";
}
