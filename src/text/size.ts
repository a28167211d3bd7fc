/** A number of bytes in words. */

import prettyBytes from 'pretty-bytes';

/** `812 B`, `1.2 kB`, `24 kB`, `3.4 MB`. */
export function sizeWords(bytes: number): string {
  const isSmall = bytes < 10_000 || (bytes >= 1_000_000 && bytes < 10_000_000);
  return prettyBytes(bytes, { maximumFractionDigits: isSmall ? 1 : 0 });
}
