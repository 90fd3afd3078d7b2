import { loadClassifier } from "../../../agent/shell/classifier.ts";

/** A program of its own: judges its first argument and prints the decision. */
if (import.meta.main) {
  const classifier = await loadClassifier();
  console.log(classifier.classify(Deno.args[0] ?? "").decision);
}
