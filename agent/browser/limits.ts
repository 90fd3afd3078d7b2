/** What the library is told of how long it may try, in milliseconds, and when to give up. */
export interface Limits {
  readonly timeout: number;
  readonly signal: AbortSignal;
}
