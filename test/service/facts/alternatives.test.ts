/** Tests that the alternative named for a refused operation can be called itself. */

import { expect, test } from 'vitest';
import { alternativesOf, pagesInstead, reportInstead } from '../../../src/service/facts/alternatives.ts';
import { reportType } from '../../../src/service/facts/report-types.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

test('of every operation that reads: others that can be called and read, and reports that exist', async () => {
  const { operations, find } = await loadRegistry();
  for (const { id, effect } of operations.filter((one) => one.effect === 'read')) {
    for (const other of alternativesOf(id)) {
      expect(other).not.toBe(id);
      expect(find(other), `${id} -> ${other}`).toMatchObject({ effect });
    }
    const report = reportInstead(id);
    if (report !== undefined) expect(reportType(report), report).toBeDefined();
  }
  expect(alternativesOf('orders/searchOrders')).toEqual(['orders/getOrders']);
  expect(alternativesOf('orders/getOrders')).toEqual(['orders/searchOrders']);
});

test('what has the same of many is named as long as it is not refused; then a report, where one holds it', () => {
  const named = (id: string, refused: readonly string[]) =>
    pagesInstead(id, (one) => refused.includes(one)) ?? '';
  expect(named('orders/getOrderItems', [])).toContain('searchOrders has the same');
  expect(named('orders/getOrderBuyerInfo', [])).toContain('searchOrders with BUYER');
  expect(named('orders/getOrderItems', ['orders/searchOrders'])).toMatch(/^the report GET_\w+ has the same$/);
  expect(named('orders/getOrderBuyerInfo', ['orders/searchOrders'])).toBe('');
  expect(named('listings-items/getListingsItem', [])).toBe('');
});
