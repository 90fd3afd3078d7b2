/** A time as people say it: `0.4 s`, `12 s`, `3 min 04 s`, `2 h 05 min`. In milliseconds. */
export function elapsedText(milliseconds: number): string {
  const whole = Math.floor(Math.max(0, milliseconds) / 1000);
  if (whole < 10) return `${(Math.floor(Math.max(0, milliseconds) / 100) / 10).toFixed(1)} s`;
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${twoDigits(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${twoDigits(Math.floor(whole / 60) % 60)} min`;
}

/** The same without tenths, for what counts on before somebody's eyes. */
export function runningText(milliseconds: number): string {
  const whole = Math.floor(Math.max(0, milliseconds) / 1000);
  return whole < 10 ? `${whole} s` : elapsedText(milliseconds);
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
