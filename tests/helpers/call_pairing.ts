type Json = Record<string, unknown>;

/**
 * What is wrong with the calls and results of a request, a sentence each: every call has exactly
 * one result, right after the message that made it, and every result has its call.
 */
export function pairingViolations(body: Json): string[] {
  return Array.isArray(body.messages) ? violationsIn(chatSteps(body.messages)) : violationsIn(
    responsesSteps(Array.isArray(body.input) ? body.input : []),
  );
}

/** A message as far as pairing goes. */
type Step =
  | { readonly calls: readonly string[] }
  | { readonly result: string }
  | { readonly other: true };

function violationsIn(steps: readonly Step[]): string[] {
  const violations: string[] = [];
  const seen = new Set<string>();
  const open = new Set<string>();
  const closeAll = () => {
    for (const id of open) violations.push(`call ${id} has no result`);
    open.clear();
  };
  for (const step of steps) {
    if ("result" in step) {
      if (!open.delete(step.result)) violations.push(`result ${step.result} has no open call`);
      continue;
    }
    closeAll();
    for (const id of "calls" in step ? step.calls : []) {
      if (seen.has(id)) violations.push(`call id ${id} is used twice`);
      seen.add(id);
      open.add(id);
    }
  }
  closeAll();
  return violations;
}

function chatSteps(messages: readonly Json[]): Step[] {
  return messages.map((message) => {
    if (message.role === "tool") return { result: String(message.tool_call_id) };
    const calls = message.tool_calls;
    return Array.isArray(calls) ? { calls: calls.map(({ id }) => String(id)) } : { other: true };
  });
}

/** Calls that follow each other are one step: they came in one answer. */
function responsesSteps(items: readonly Json[]): Step[] {
  const steps: Step[] = [];
  for (const item of items) {
    const last = steps.at(-1);
    const id = String(item.call_id);
    if (item.type === "function_call_output") steps.push({ result: id });
    else if (item.type !== "function_call") steps.push({ other: true });
    else if (last && "calls" in last) steps.splice(-1, 1, { calls: [...last.calls, id] });
    else steps.push({ calls: [id] });
  }
  return steps;
}
