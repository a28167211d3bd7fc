/** Formats a number of bytes for readers. */

import prettyBytes from 'pretty-bytes';

/** Formats `812 B`, `1.2 kB`, `24 kB`, `3.4 MB`, `1.5 GB`, with at least two digits when there are two. */
export function formatSize(bytes: number): string {
  const digits = String(Math.trunc(bytes)).length;
  return prettyBytes(bytes, { maximumFractionDigits: digits % 3 === 1 ? 1 : 0 });
}
