import type { WriteFiles } from "../../sandbox/files/files.ts";

/**
 * Lays something over the files of a session, as the buffers of an editor: what it does ends, or is
 * given up, when the signal is raised. It reaches nothing that the files below would refuse.
 */
export type FileLayer = (files: WriteFiles, signal?: AbortSignal) => WriteFiles;
