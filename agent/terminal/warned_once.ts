/**
 * Tells lines on, each warning once: what is wrong with the machine is not said again by every agent
 * that takes the seat.
 */
export function warnedOnce(tell: (line: string) => void): (line: string) => void {
  const warned = new Set<string>();
  return (line) => {
    if (warned.has(line)) return;
    if (line.startsWith("warning: ")) warned.add(line);
    tell(line);
  };
}
