/** Compares the parsers of the bundle with those of pg-types, in whose place they stand. */

import pg from 'pg';
import { expect, it } from 'vitest';
import { getTypeParser } from '../../scripts/bundle/pg-parts.ts';

const { BOOL, FLOAT4, FLOAT8, INT2, INT4, TEXT } = pg.types.builtins;

it.each([
  [BOOL, 't'],
  [BOOL, 'f'],
  [INT2, '7'],
  [INT4, '-7'],
  [FLOAT4, '1.5'],
  [FLOAT8, '1790000000000000.5'],
  [TEXT, '7'],
])('reads type %i as pg-types does: %s', (type, text) => {
  expect(getTypeParser(type)(text)).toBe(pg.types.getTypeParser(type)(text));
});
