/** A pattern of a file is checked only where no text can make it slow. */

import { expect, it } from 'vitest';
import { isSafePattern } from '../../../src/definitions/read/safe-pattern.ts';

it.each([
  ['^[a-z]*x$', true],
  ['^[a-z]*[a-z]*x$', false],
  ['[a-z]*x', false],
  ['^(a|b)$', true],
  ['^(a)*$', false],
])('%s: %s', (pattern, isSafe) => {
  expect(isSafePattern(pattern)).toBe(isSafe);
});
