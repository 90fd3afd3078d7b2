import type { Secret } from "../redact/redact.ts";
import type { Quarantine } from "./quarantine.ts";
import { sweepLines } from "./report.ts";
import { SET_IDS } from "./scan.ts";
import { secretsIn } from "./secret_files.ts";
import { compareScan, type Finding, type Findings, type Snapshot, takeSnapshot } from "./sweep.ts";
import { undoFindings, type Undone } from "./undo.ts";
import { type WalkOptions, walkTree } from "./walk_tree.ts";

/**
 * Sweeps of one workspace, where its files are: in this process, or in the cell. All that crosses
 * is plain data and bytes; what the files were before stays on this side.
 */
export interface Sweeper {
  /** Looks before a command; the number names this look. */
  before(): Promise<number>;
  /**
   * Compares with that look, once the command is dead. Where there is nothing to take back, as nearly
   * always, the look is forgotten.
   */
  after(look: number): Promise<Findings>;
  /** Takes back what `after` has found, and forgets the look. */
  undo(look: number): Promise<Undone>;
  /** The secrets in the workspace's files, as the last look found them; looks where none was. */
  secrets(): Promise<readonly Secret[]>;
}

export interface SweeperOptions extends WalkOptions {
  /** Looks are numbered from here on; default 0. */
  readonly firstLook?: number;
}

interface Look {
  readonly snapshot: Snapshot;
  findings?: Findings;
}

/**
 * A sweeper of the tree below a real folder. Only the first look before a command searches for
 * set-id bits: later ones look again at those that were there, and what had none then has none to
 * keep.
 */
export function createSweeper(root: string, options: SweeperOptions = {}): Sweeper {
  const looks = new Map<number, Look>();
  let last = options.firstLook ?? 0;
  let setIds = options.setIds ?? true;
  let secretFiles: readonly string[] | undefined;

  function lookOf(id: number): Look {
    const look = looks.get(id);
    if (!look) throw new RangeError(`Cannot sweep: there is no look ${id}`);
    return look;
  }

  return {
    before() {
      const snapshot = takeSnapshot(root, { ...options, setIds });
      if (setIds === true) setIds = pathsWithSetIds(snapshot);
      secretFiles = snapshot.scan.secretFiles;
      looks.set(++last, { snapshot });
      return Promise.resolve(last);
    },
    after(id) {
      const look = lookOf(id);
      const scan = walkTree(root, options);
      secretFiles = scan.secretFiles;
      look.findings = compareScan(root, look.snapshot, scan);
      if (!takesBack(look.findings)) looks.delete(id);
      return Promise.resolve(withoutBefore(look.findings));
    },
    undo(id) {
      const { findings } = lookOf(id);
      looks.delete(id);
      if (!findings) throw new RangeError(`Cannot take back look ${id}: nothing was compared`);
      return Promise.resolve(undoFindings(root, findings));
    },
    secrets() {
      secretFiles ??= walkTree(root, { ...options, setIds: false }).secretFiles;
      return Promise.resolve(secretsIn(root, secretFiles));
    },
  };
}

/** Whether there is something to undo: what is only reported stays. */
function takesBack({ files, setIds }: Findings): boolean {
  return files.length > 0 || setIds.length > 0;
}

const NOTHING_UNDONE: Undone = { files: [], setIds: [] };

function pathsWithSetIds({ scan }: Snapshot): string[] {
  return [...scan.seen.values()].filter(({ mode }) => (mode & SET_IDS) !== 0).map(({ path }) =>
    path
  );
}

/** What a person or a model need not see, and what would cross for nothing. */
function withoutBefore(findings: Findings): Findings {
  const files = findings.files.map(({ seen, bytes }): Finding => ({
    seen,
    ...(bytes && { bytes }),
  }));
  return { ...findings, files };
}

/** What came of a command and the sweep after it. */
export interface SweptRun<T> {
  readonly result: T;
  /** For model and person; none where nothing was found. */
  readonly lines: readonly string[];
}

/** What a sweep works with. */
export interface SweepContext {
  readonly sweeper: Sweeper;
  /** Absent where nothing may be written: then what is taken out is gone. */
  readonly quarantine?: Quarantine;
  /** Absolute, links resolved; names the workspace in the quarantine. */
  readonly workspace: string;
  /** Takes each line for a person at once, also where the command throws. */
  readonly tell?: (line: string) => void;
}

/** The command is done, and its result counts, whatever became of the look after it. */
const UNSWEPT = "Files that are obeyed unasked may have been made, and could not be looked for";

/**
 * Runs a command between two looks: what it made or changed of the files that are obeyed unasked
 * is kept in the quarantine and then taken back, also where the command throws.
 */
export async function sweepAround<T>(
  { sweeper, quarantine, workspace, tell }: SweepContext,
  run: () => Promise<T>,
): Promise<SweptRun<T>> {
  const look = await sweeper.before();
  async function sweep(): Promise<string[]> {
    const findings = await sweeper.after(look);
    await quarantine?.keep(workspace, findings.files);
    return sweepLines(findings, takesBack(findings) ? await sweeper.undo(look) : NOTHING_UNDONE);
  }
  async function swept(): Promise<string[]> {
    const lines = await sweep().catch((error: Error) => [`${UNSWEPT}: ${error.message}`]);
    for (const line of lines) tell?.(line);
    return lines;
  }
  let result: T;
  try {
    result = await run();
  } catch (error) {
    await swept();
    throw error;
  }
  return { result, lines: await swept() };
}
