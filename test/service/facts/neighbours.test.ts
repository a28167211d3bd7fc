/** What is named instead of an operation that is refused can be called itself. */

import { expect, test } from 'vitest';
import { neighboursOf, reportInstead } from '../../../src/service/facts/neighbours.ts';
import { reportType } from '../../../src/service/facts/report-types.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

test('of every operation that reads: others that can be called and read, and reports that exist', async () => {
  const { operations, find } = await loadRegistry();
  for (const { id, effect } of operations.filter((one) => one.effect === 'read')) {
    for (const other of neighboursOf(id)) {
      expect(other).not.toBe(id);
      expect(find(other), `${id} -> ${other}`).toMatchObject({ effect });
    }
    const report = reportInstead(id);
    if (report !== undefined) expect(reportType(report), report).toBeDefined();
  }
  expect(neighboursOf('orders/searchOrders')).toEqual(['orders/getOrders']);
  expect(neighboursOf('orders/getOrders')).toEqual(['orders/searchOrders']);
});
