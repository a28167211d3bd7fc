/** Formats durations for readers. */

/** Formats a duration as `850 ms`, `2.5 s`, `90 s` or `12 min`, always rounded up. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.ceil(ms)} ms`;
  if (ms < 10_000) return `${Math.ceil(ms / 100) / 10} s`;
  if (ms < 300_000) return `${Math.ceil(ms / 1000)} s`;
  return `${Math.ceil(ms / 60_000)} min`;
}

const HOUR_MS = 3_600_000;

/** Formats an age as `40 s`, `12 min`, `5 hours` or `3 days`; at least one second. */
export function formatAge(ms: number): string {
  if (ms >= 48 * HOUR_MS) return `${Math.round(ms / (24 * HOUR_MS))} days`;
  if (ms >= 2 * HOUR_MS) return `${Math.round(ms / HOUR_MS)} hours`;
  return formatDuration(Math.max(1_000, Math.round(ms / 1_000) * 1_000));
}
