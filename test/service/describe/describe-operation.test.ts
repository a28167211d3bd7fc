import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/errors.ts';
import { describeOperation } from '../../../src/service/describe/describe-operation.ts';
import { exampleSeeds } from '../../../src/service/describe/generated/example-seeds.ts';
import type { JsonSchema, Operation } from '../../../src/service/facts/operation.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

const registry = await loadRegistry();

const base: Operation = {
  id: 'mine/putThing',
  group: 'Mine',
  name: 'putThing',
  method: 'PUT',
  path: '/things',
  parameters: [],
  effect: 'write',
  auth: { kind: 'seller' },
  source: 'user',
};

/** An object with `width` members at each of `depth` levels. */
function tree(width: number, depth: number): JsonSchema {
  const member: JsonSchema = depth === 0 ? { type: 'string' } : tree(width, depth - 1);
  const properties = Object.fromEntries(
    Array.from({ length: width }, (_, i) => [`member${depth}x${i}`, member]),
  );
  return { type: 'object', properties };
}

describe('over all operations', () => {
  test('takes at most 2,000 tokens, and shortens only documents of A+ content, which have 40 kinds of modules', () => {
    const shortened: string[] = [];
    for (const operation of registry.operations) {
      const description = describeOperation(operation);
      const { text, tokens, collapsed } = description;
      expect(Buffer.byteLength(JSON.stringify(description)) / 3, operation.id).toBeLessThanOrEqual(2000);
      expect(tokens).toBe(Math.ceil(Buffer.byteLength(text) / 3));
      if (collapsed) shortened.push(operation.name);
    }
    expect(shortened).toEqual([
      'createContentDocument',
      'updateContentDocument',
      'validateContentDocumentAsinRelations',
    ]);
  });

  test('every parameter and every top member is named, with method, path, tool and an example that names the id', () => {
    for (const operation of registry.operations) {
      const { text, example, tool } = describeOperation(operation);
      expect(text).toContain(`${operation.method} ${operation.path}`);
      expect(text).toContain(`Example: ${tool} {"operation":"${operation.id}"`);
      for (const { name } of operation.parameters) expect(text).toContain(name);
      const required = operation.parameters
        .filter((p) => p.required && p.name !== operation.idempotencyKey?.name)
        .map((p) => p.name)
        .filter((name) => !/^(sellerId|marketplace_?ids?)$/i.test(name));
      expect(Object.keys(example.parameters)).toEqual(expect.arrayContaining(required));
      if (Object.keys(example.parameters).length > required.length)
        expect(Object.keys(exampleSeeds)).toContain(operation.id);
      expect(tool).toBe(operation.effect === 'read' ? 'read_operation' : 'write_operation');
    }
  });
});

test('the supply source write: the whole body in little, shared shapes named once, sources told apart', () => {
  const { text, tokens } = describeOperation(registry.find('updateSupplySource'));
  expect(tokens).toBeLessThan(1500);
  expect(text.match(/OperationalConfiguration = /g)).toHaveLength(1);
  expect(text).toContain('Not in the document, but in the definitions:');
  expect(text).toContain('Address.phone');
  expect(text).toContain('timeUnit?: "Hours"|"Minutes"|"Days"');
});

test('limits, tokens, keys, deprecation and removal are told', () => {
  const text = (name: string) => describeOperation(registry.find(name)).text;
  expect(text('catalog-v0/getCatalogItem')).toContain(
    'removal date 2022-09-30; use catalog-items/getCatalogItem',
  );
  expect(text('catalog-v0/getCatalogItem')).toContain('Deprecated, says the interface document');
  expect(text('getOrders')).toContain('Deprecated, says the definition');
  expect(text('getOrders')).toContain('0.0167 requests per second, burst 20');
  expect(text('getOrderAddress')).toContain('a restricted data token');
  expect(text('createDestination')).toContain('scope sellingpartnerapi::notifications');
  expect(text('generateCollectionForm')).toContain('Idempotency key: header x-amzn-IdempotencyKey');
  expect(text('addInventory')).toContain("only in the service's sandbox");
  expect(text('searchListingsItems')).toContain('not in the interface document');
});

describe('member', () => {
  test('shows one part, through arrays and named shapes', () => {
    const supply = registry.find('updateSupplySource');
    const part = describeOperation(supply, { member: 'capabilities.outbound.pickupChannel' }).text;
    expect(part).toContain('inventoryHoldPeriod?: Duration');
    expect(describeOperation(supply, { member: 'Address' }).text).toContain('addressLine1: string');
    const day = 'configuration.operationalConfiguration.operatingHoursByDay.monday.startTime';
    expect(describeOperation(supply, { member: day }).text).toMatch(/string$/);
    expect(describeOperation(registry.find('getOrders'), { member: 'MarketplaceIds' }).text).toContain(
      'string[..50]',
    );
  });

  test('a wrong one names the step and what is there', () => {
    const run = () =>
      describeOperation(registry.find('updateSupplySource'), { member: 'capabilities.outbond' });
    expect(run).toThrow(InputError);
    expect(run).toThrow(/no member "outbond"/);
    expect(() => describeOperation(registry.find('getOrders'), { member: '__proto__' })).toThrow(InputError);
  });
});

describe('shapes that do not fit', () => {
  test.each([
    ['deep', tree(4, 6)],
    ['wide', tree(120, 1)],
    ['very wide', tree(5000, 0)],
    [
      'long enum',
      { type: 'object', properties: { kind: { type: 'string', enum: [...Array(2000).keys()].map(String) } } },
    ],
  ] satisfies [string, JsonSchema][])(
    '%s: shortened, says how to see more, stays below the limit',
    (_, schema) => {
      const operation: Operation = { ...base, body: { required: true, schema } };
      const { text, collapsed } = describeOperation(operation);
      expect(Buffer.byteLength(text) / 3).toBeLessThanOrEqual(2000);
      expect(collapsed).toBe(true);
      expect(text).toContain('describe_operation with member');
    },
  );

  test('a part of a deep body can be seen by its path', () => {
    const operation: Operation = { ...base, body: { required: true, schema: tree(4, 6) } };
    const { text } = describeOperation(operation, { member: 'member6x0.member5x1.member4x2.member3x0' });
    expect(text).toContain('member0x3?: string');
  });

  test('hundreds of parameters are cut', () => {
    const parameters = Array.from({ length: 500 }, (_, i) => ({
      name: `parameterNumber${i}`,
      in: 'query' as const,
      required: i % 2 === 0,
      schema: { type: 'string' as const },
    }));
    const description = describeOperation({ ...base, parameters });
    expect(Buffer.byteLength(JSON.stringify(description)) / 3).toBeLessThanOrEqual(2000);
  });

  test('shapes that contain themselves end', () => {
    const node: JsonSchema = {
      type: 'object',
      required: ['child', 'children'],
      properties: {
        child: { $ref: '#/$defs/Node' },
        children: { type: 'array', items: { $ref: '#/$defs/Node' } },
      },
    };
    const operation: Operation = {
      ...base,
      body: { required: true, schema: { $ref: '#/$defs/Node' } },
      defs: { Node: node, Loop: { $ref: '#/$defs/Loop' } },
    };
    const { text } = describeOperation(operation);
    expect(text).toContain('Node = {child: Node, children: Node[]}');
    const once: Operation = {
      ...operation,
      body: { required: true, schema: { type: 'object', properties: { loop: { $ref: '#/$defs/Loop' } } } },
    };
    expect(describeOperation(once).text).toContain('loop');
  });
});
