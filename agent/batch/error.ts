/** What a batch keeps cannot be kept; the message is one sentence for people. */
export class BatchError extends Error {
  override readonly name = "BatchError";
}
