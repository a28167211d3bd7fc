/** Rows are counted by sales channel and day from the first of them on. */

import { expect, it } from 'vitest';
import type { SqlValue } from '../../../../src/data/tables/table-types.ts';
import { createRowProfile } from '../../../../src/data/tables/worker/row-profile.ts';

const profileOf = (rows: readonly (readonly SqlValue[])[]) => {
  const columns = [{ name: 'day' }, { name: 'where_from' }];
  const profile = createRowProfile(columns, []);
  const begun = new Set<number>();
  for (const row of rows) {
    for (const [at, { name }] of columns.entries()) {
      const value = row[at] ?? null;
      if (value !== null && !begun.has(at)) profile.begin(at, name, value);
      if (value !== null) begun.add(at);
    }
    profile.see(row);
  }
  return profile.result({ columns: [{ name: 'day', type: 'date' }] });
};

it('a channel that its values tell has the rows before its first value too, and none where there are none', () => {
  const day = '2026-11-01T10:00:00Z';
  const channels = (...values: SqlValue[]) => profileOf(values.map((value) => [day, value])).channels?.values;
  expect(channels('Amazon.de', 'Amazon.de', null, 'Amazon.fr')).toEqual([
    { value: 'Amazon.de', rows: 2 },
    { value: null, rows: 1 },
    { value: 'Amazon.fr', rows: 1 },
  ]);
  expect(channels(null, null, 'Amazon.de')).toEqual([
    { value: null, rows: 2 },
    { value: 'Amazon.de', rows: 1 },
  ]);
  expect(channels('Amazon.de')).toEqual([{ value: 'Amazon.de', rows: 1 }]);
  const { counts } = profileOf([
    [day, null],
    ['2026-11-02', null],
    [day, null],
    [null, null],
  ]);
  expect(counts.day).toEqual({ column: 'day', rows: { '2026-11-01': 2, '2026-11-02': 1 } });
});
