import { describe, expect, test } from 'vitest';
import { describeOperation } from '../../../src/service/describe/describe-operation.ts';
import { knownValues } from '../../../src/service/describe/generated/known-values.ts';
import { notesOf } from '../../../src/service/describe/notes.ts';
import type { JsonSchema, Operation } from '../../../src/service/facts/operation.ts';
import { resolveSchema } from '../../../src/service/facts/schema-parts.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

const registry = await loadRegistry();

const text = (id: string) => describeOperation(registry.find(id)).text;

describe('allowed values', () => {
  test('those of the definition, also inside lists, and those that it tells in words', () => {
    expect(text('orders/searchOrders')).toContain('fulfillmentStatuses?: ("PENDING_AVAILABILITY"|"PENDING"|');
    expect(text('orders/searchOrders')).toContain('fulfilledBy?: ("MERCHANT"|"AMAZON")[]');
    expect(text('orders/getOrders')).toMatch(/OrderStatuses: PendingAvailability, Pending, Unshipped,/);
    expect(text('orders/getOrders')).toContain('FulfillmentChannels: AFN (by Amazon), MFN (by the seller)');
    expect(text('outbound-fulfilment/updateOrderStatus')).toContain('status: PROCESSING, COMPLETE,');
  });

  test('dates say their format', () => {
    for (const operation of registry.operations) {
      if (describeOperation(operation).text.includes('string(date-time)'))
        expect(text(operation.id)).toContain('date-time: ISO 8601 with time zone');
    }
  });

  test('what is told belongs to a parameter or member that has no values of its own', () => {
    for (const [id, values] of Object.entries(knownValues)) {
      const operation = registry.find(id);
      for (const name of Object.keys(values)) {
        if (/[…,]/.test(name)) continue;
        const schema = schemaOf(operation, name);
        expect(schema, `${id} ${name}`).toBeDefined();
        expect(schema?.enum, `${id} ${name}`).toBeUndefined();
      }
    }
  });
});

function schemaOf(operation: Operation, name: string): JsonSchema | undefined {
  const parameter = operation.parameters.find((one) => one.name === name);
  if (parameter !== undefined) return parameter.schema;
  const defs = operation.defs ?? {};
  let schema: JsonSchema | undefined = operation.body?.schema;
  for (const step of name.split('.')) {
    let here = resolveSchema(schema ?? {}, defs);
    while (here.items !== undefined) here = resolveSchema(here.items, defs);
    schema = here.properties?.[step];
  }
  return schema === undefined ? undefined : resolveSchema(schema, defs);
}

describe('marketplaces', () => {
  test('whoever can give one by its country is told so, and nobody else', () => {
    const described = registry.operations.filter((operation) =>
      notesOf(operation).join().includes('Marketplaces:'),
    );
    const ids = described.map(({ id }) => id);
    expect(ids).toContain('orders/searchOrders');
    expect(ids).toContain('reports/createReport');
    expect(ids).toContain('fees/getMyFeesEstimateForSKU');
    expect(ids).toContain('listings-items/patchListingsItem');
    expect(ids).not.toContain('orders/confirmShipment@2026-01-01');
    expect(ids).not.toContain('reports/getReport');
  });
});

describe('what comes after the call', () => {
  test('pages, reading back, progress and refusals of every operation that has them', () => {
    for (const operation of registry.operations) {
      const notes = notesOf(operation).join('\n');
      const { paging, state, progress, refusals = [] } = operation;
      if (paging !== undefined) expect(notes).toContain(paging.input.name);
      if (state !== undefined) expect(notes).toContain(state.operation);
      if (progress !== undefined) expect(notes).toContain(progress.operation);
      for (const { member } of refusals) expect(notes).toContain(member);
    }
    expect(text('reports/getReports')).toContain(
      'Next page: send nextToken of the answer as nextToken, without any other parameter',
    );
  });
});

describe('a listing', () => {
  test('a patch: what each op does to a list, and that only whole attributes are patched', () => {
    const patch = text('listings-items/patchListingsItem');
    expect(patch).toContain('nothing inside an attribute can be patched');
    for (const op of ['add, replace:', 'merge:', 'delete:']) expect(patch).toContain(`\n  ${op}`);
  });

  test.each(['getListingsItem', 'searchListingsItems', 'patchListingsItem', 'putListingsItem'])(
    '%s says that a WARNING can suppress',
    (name) => {
      expect(text(`listings-items/${name}`)).toContain('severity WARNING can suppress');
    },
  );
});
