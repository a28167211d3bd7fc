/** A number of bytes in words. */

import prettyBytes from 'pretty-bytes';

/** `812 B`, `1.2 kB`, `24 kB`, `3.4 MB`, `1.5 GB`: two digits at least, where there are as many. */
export function sizeWords(bytes: number): string {
  const digits = String(Math.trunc(bytes)).length;
  return prettyBytes(bytes, { maximumFractionDigits: digits % 3 === 1 ? 1 : 0 });
}
