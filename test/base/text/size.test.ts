/** Sizes in words: short, and never so short that they mislead. */

import { expect, it } from 'vitest';
import { formatSize } from '../../../src/base/text/size.ts';

it.each([
  [0, '0 B'],
  [812, '812 B'],
  [1_234, '1.2 kB'],
  [24_300, '24 kB'],
  [3_400_000, '3.4 MB'],
  [943_718_400, '943 MB'],
  [1_572_864_000, '1.5 GB'],
])('%i bytes are %s', (bytes, words) => {
  expect(formatSize(bytes)).toBe(words);
});
