/** Durations as people read them. */

/** `850 ms`, `2.5 s`, `90 s`, `12 min`: never less than the time meant. */
export function inWords(ms: number): string {
  if (ms < 1000) return `${Math.ceil(ms)} ms`;
  if (ms < 10_000) return `${Math.ceil(ms / 100) / 10} s`;
  if (ms < 300_000) return `${Math.ceil(ms / 1000)} s`;
  return `${Math.ceil(ms / 60_000)} min`;
}
