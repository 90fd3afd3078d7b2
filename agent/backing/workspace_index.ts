import { join } from "node:path";
import type { Index } from "../../tools/rag/index.ts";
import type { ProvenView } from "../enclosure.ts";
import { keepsState, type Launch } from "../launch.ts";
import type { Redaction } from "../redaction.ts";
import { lazyIndex } from "../retrieval/lazy_index.ts";
import type { Session } from "../session/log.ts";

/** What can be searched of the workspace; undefined where nothing is kept. */
export function workspaceIndex(
  launch: Launch,
  view: ProvenView | undefined,
  session: Session,
  redaction: Redaction,
): (Index & Disposable) | undefined {
  const { places: { state, sessions, workspace }, settings: { embeddings } } = launch;
  // Who keeps no log leaves nothing behind.
  if (session.folder === undefined || state === undefined || sessions === undefined) {
    return undefined;
  }
  if (!keepsState(launch)) return undefined;
  return lazyIndex({
    folder: join(state, "index"),
    workspace: view?.view.workspace ?? workspace,
    sessions: { folder: sessions, workspace: session.header.cwd, current: session.id },
    redact: (text) => redaction.redact(text),
    ...(embeddings && { embeddings }),
  });
}
