/** Checks the facts of every operation beyond its request: pages, what to read after a write, and refusals. */

import { describe, expect, test } from 'vitest';
import { reviewedPaging, reviewedReadings, reviewedRefusals } from '../../../scripts/facts/reviewed.ts';
import {
  decodeReading,
  decodeRefusals,
  encodeReading,
  encodeRefusals,
} from '../../../src/service/facts/compact-readings.ts';
import { effectOfCall } from '../../../src/service/facts/effects.ts';
import type { Operation, RelatedRead } from '../../../src/service/facts/operation.ts';
import { resolveSchema } from '../../../src/service/facts/schema-parts.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

const registry = await loadRegistry();

const bodyMembers = ({ body, defs = {} }: Operation) =>
  Object.keys(body === undefined ? {} : (resolveSchema(body.schema, defs).properties ?? {}));
const takes = ({ parameters }: Operation, name: string) => parameters.some((one) => one.name === name);

describe('pages', () => {
  test('every operation that takes a token pages, but those that were reviewed; every input exists', () => {
    for (const operation of registry.operations) {
      const { id, parameters, paging } = operation;
      const tokens = parameters.filter(({ name }) => /^(next|page|pagination|nextPage)Token/i.test(name));
      if (paging === undefined) {
        expect(tokens.length === 0 || reviewedPaging[id]?.paging === null, id).toBe(true);
        continue;
      }
      if (paging.input.in === 'query') expect(takes(operation, paging.input.name), id).toBe(true);
      else expect(bodyMembers(operation), id).toContain(paging.input.name.split('.')[0]);
      expect(operation.effect, id).toBe('read');
    }
    expect(registry.operations.filter(({ paging }) => paging !== undefined)).toHaveLength(76);
  });

  test('token, list and key of those that sellers use most', () => {
    const paging = (id: string) => registry.find(id).paging;
    expect(paging('orders/searchOrders')).toEqual({
      by: 'token',
      input: { in: 'query', name: 'paginationToken' },
      output: 'pagination.nextToken',
      list: 'orders',
      key: 'orderId',
    });
    expect(paging('reports/getReports')).toMatchObject({ alone: true, list: 'reports', key: 'reportId' });
    expect(paging('orders/getOrders')).toMatchObject({ output: 'payload.NextToken', list: 'payload.Orders' });
    expect(paging('fulfilment-inventory/getInventorySummaries')).toMatchObject({
      output: 'pagination.nextToken',
      list: 'payload.inventorySummaries',
    });
    expect(paging('replenishment/listOffers')).toMatchObject({
      by: 'offset',
      output: 'pagination.totalResults',
    });
    expect(paging('orders/getOrder')).toBeUndefined();
  });
});

describe('what to read after a write', () => {
  const all = () =>
    registry.operations.flatMap((operation) =>
      [operation.state, operation.progress].flatMap((reading) => (reading ? [{ operation, reading }] : [])),
    );

  test('leads to a reading operation that exists and is not deprecated, by parameters that both have', () => {
    for (const { operation, reading } of all()) {
      const target = registry.find(reading.operation);
      expect(target.id, operation.id).toBe(reading.operation);
      expect(target.effect, operation.id).toBe('read');
      expect(target.deprecated, operation.id).toBeUndefined();
      for (const [name, { from, name: source }] of Object.entries(reading.parameters)) {
        expect(takes(target, name), `${operation.id}: ${name}`).toBe(true);
        if (from === 'parameter') expect(takes(operation, source), `${operation.id}: ${source}`).toBe(true);
        if (from === 'body') expect(bodyMembers(operation), operation.id).toContain(source.split('.')[0]);
      }
    }
  });

  test('fills every required parameter, but those of the account', () => {
    const filledIn = /^(sellerId|marketplaceIds?)$/i;
    for (const { operation, reading } of all()) {
      const missing = registry
        .find(reading.operation)
        .parameters.filter(({ name, required }) => required && !Object.hasOwn(reading.parameters, name));
      expect(
        missing.map(({ name }) => name).filter((name) => !filledIn.test(name)),
        operation.id,
      ).toEqual([]);
    }
  });

  test('every write and delete has one, or a reviewed reason why not; reads have none', () => {
    for (const { id, effect, state, progress } of registry.operations) {
      if (effect === 'read') expect([state, progress], id).toEqual([undefined, undefined]);
      else if (effect === 'request') expect(state, id).toBeUndefined();
      else if (state === undefined && progress === undefined)
        expect(reviewedReadings[id]?.reason, id).toBeTruthy();
    }
  });

  test.each<[string, Partial<Record<'state' | 'progress', RelatedRead>>]>([
    [
      'listings-items/patchListingsItem',
      { state: decodeReading('listings-items/getListingsItem sellerId sku marketplaceIds') },
    ],
    ['orders/confirmShipment', { state: decodeReading('orders/getOrder@2026-01-01 orderId') }],
    ['reports/createReport', { progress: decodeReading('reports/getReport reportId=answer:reportId') }],
    [
      'inbound-fulfilment/createInboundPlan',
      {
        state: decodeReading('inbound-fulfilment/getInboundPlan inboundPlanId=answer:inboundPlanId'),
        progress: decodeReading(
          'inbound-fulfilment/getInboundOperationStatus operationId=answer:operationId',
        ),
      },
    ],
    [
      'outbound-fulfilment/createFulfillmentOrder',
      {
        state: decodeReading(
          'outbound-fulfilment/getFulfillmentOrder sellerFulfillmentOrderId=body:sellerFulfillmentOrderId',
        ),
      },
    ],
  ])('%s', (id, expected) => {
    expect(registry.find(id)).toMatchObject(expected);
  });
});

describe('refusals in a 2xx answer', () => {
  test.each([
    ['listings-items/putListingsItem', [{ member: 'status', when: ['INVALID'] }]],
    ['orders/getOrders', [{ member: 'errors', when: 'filled' }]],
    ['product-pricing/getCompetitiveSummary', [{ member: 'responses[].status.statusCode', when: 'status' }]],
    ['external-fulfilment/batchInventory', [{ member: 'responses[].status.statusCode', when: 'status' }]],
    ['scheduled-package-delivery/createScheduledPackageBulk', [{ member: 'rejectedOrders', when: 'filled' }]],
  ])('%s', (id, expected) => {
    expect(registry.find(id).refusals).toEqual(expected);
  });

  test('are told of 131 operations', () => {
    expect(registry.operations.filter(({ refusals }) => refusals !== undefined)).toHaveLength(131);
    expect(registry.find('orders/searchOrders').refusals).toBeUndefined();
  });
});

describe('the effect of one call', () => {
  const put = () => registry.find('listings-items/putListingsItem');

  test('a listing that is only checked is a request, whatever else is sent', () => {
    expect(effectOfCall(put(), { mode: 'VALIDATION_PREVIEW', sku: 'A' })).toBe('request');
    expect(effectOfCall(registry.find('patchListingsItem'), { mode: 'VALIDATION_PREVIEW' })).toBe('request');
  });

  test.each([
    [{}],
    [{ mode: 'validation_preview' }],
    [{ mode: ['VALIDATION_PREVIEW'] }],
    [{ mode: true }],
    [{ Mode: 'VALIDATION_PREVIEW' }],
  ])('%o is a write', (parameters) => {
    expect(effectOfCall(put(), parameters)).toBe('write');
  });

  test('a value inherited from a prototype does not count, nor does the mode of another operation', () => {
    expect(effectOfCall(put(), Object.create({ mode: 'VALIDATION_PREVIEW' }))).toBe('write');
    const deleting = registry.find('deleteListingsItem');
    expect(effectOfCall(deleting, { mode: 'VALIDATION_PREVIEW' })).toBe('delete');
    expect(registry.operations.filter(({ previewMode }) => previewMode !== undefined)).toHaveLength(2);
  });
});

test('what was reviewed is of operations that exist, each with a reason', () => {
  for (const list of [reviewedPaging, reviewedReadings, reviewedRefusals])
    for (const [id, { reason }] of Object.entries(list)) {
      expect(registry.find(id).id).toBe(id);
      expect(reason.length, id).toBeGreaterThan(10);
    }
});

test('the notation is read back as it was written', () => {
  for (const text of ['a/b', 'a/b sku', 'a/b x=answer:payload.x y=body:y z=parameter:q w=constant:ALL'])
    expect(encodeReading(decodeReading(text))).toBe(text);
  for (const text of ['errors', 'status=INVALID|FAILED', 'responses[].status.statusCode> errors'])
    expect(encodeRefusals(decodeRefusals(text))).toBe(text);
  expect(() => decodeReading('a/b x=cookie:y')).toThrow('not a source');
});
