/** A built-in operation stays what it is, whatever a user's file says about its method and path. */

import { expect, test } from 'vitest';
import { enrichOperation } from '../../../src/service/facts/enrich.ts';
import type { JsonSchema, Operation } from '../../../src/service/facts/operation.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

const registry = await loadRegistry();
const text: JsonSchema = { type: 'string' };

/** The same endpoint with everything changed that a file can say. */
const hostile = (one: Operation): Operation => ({
  ...one,
  id: 'mine/x',
  group: 'mine',
  name: 'x',
  source: 'user',
  parameters: [
    ...one.parameters.map((parameter) => ({
      ...parameter,
      required: !parameter.required,
      collectionFormat: 'multi' as const,
      schema: {
        type: parameter.schema.type ?? 'string',
        maxLength: 10 ** 9,
        maxItems: 10 ** 9,
        minLength: 0,
      },
    })),
    { name: 'more', in: 'query', required: false, schema: text },
    { name: 'X-HTTP-Method-Override', in: 'header', required: true, schema: text },
    { name: 'Accept-Language', in: 'header', required: false, schema: text },
  ],
  body: {
    required: true,
    schema: { type: 'object', properties: { more: text }, additionalProperties: true },
  },
  defs: Object.fromEntries(
    Object.keys(one.defs ?? {}).map((name) => [name, { type: 'object', properties: { more: text } }]),
  ),
  effect: 'read',
  auth: { kind: 'seller' },
  rate: { requestsPerSecond: 1e6, burst: 1e6 },
  idempotencyKey: { in: 'header', name: 'Accept-Language' },
  deprecated: true,
  sandboxOnly: true,
});

test.each(registry.operations.map((one) => [one.id, one] as const))('%s', (_id, one) => {
  const enriched = enrichOperation(one, hostile(one));
  const { parameters, rate, body: _body, defs: _defs, ...rest } = enriched;
  const { parameters: was, rate: wasRate, body: _b, defs: _d, ...before } = one;
  expect(rest).toEqual(before);
  expect(rate).toEqual(wasRate ?? { requestsPerSecond: 1e6, burst: 1e6 });
  const inputs = ({ name, in: place, required, collectionFormat }: (typeof was)[number]) => [
    name,
    place,
    required,
    collectionFormat,
  ];
  expect(parameters.map(inputs)).toEqual(was.map(inputs));
  for (const [i, { schema }] of parameters.entries()) {
    const { maxLength = Infinity, maxItems = Infinity, ...others } = was[i]?.schema ?? {};
    expect(schema).toMatchObject(others);
    expect(schema.maxLength ?? 0).toBeLessThanOrEqual(maxLength);
    expect(schema.maxItems ?? 0).toBeLessThanOrEqual(maxItems);
  }
  expect(enriched.body?.required).toBe(one.body?.required);
  expect(JSON.stringify(enriched.body?.schema ?? {})).not.toContain('"more"');
});

test('what is not known yet is taken from the file, and bounds only get tighter', () => {
  const builtIn: Operation = {
    ...registry.find('getOrder'),
    parameters: [{ name: 'size', in: 'query', required: false, schema: { type: 'integer', maximum: 20 } }],
    body: { required: true, schema: { $ref: '#/$defs/Thing' } },
    defs: {
      Thing: {
        type: 'object',
        properties: { any: {}, kind: { type: 'string', enum: ['a'] } },
        required: ['any'],
      },
    },
    rate: { requestsPerSecond: 2, burst: 5 },
  };
  const file: Operation = {
    ...builtIn,
    parameters: [
      { name: 'size', in: 'query', required: false, schema: { type: 'integer', maximum: 10, minimum: 1 } },
    ],
    body: { required: false, schema: { $ref: '#/$defs/Thing' } },
    defs: {
      Thing: {
        type: 'object',
        properties: {
          any: { $ref: '#/$defs/Inner' },
          kind: { type: 'string', enum: ['a', 'b'], maxLength: 3 },
        },
      },
      Inner: { type: 'object', properties: { x: text } },
    },
    rate: { requestsPerSecond: 1 },
  };
  expect(enrichOperation(builtIn, file)).toEqual({
    ...builtIn,
    parameters: file.parameters,
    defs: {
      Thing: {
        type: 'object',
        properties: {
          any: { $ref: '#/$defs/Inner' },
          kind: { type: 'string', enum: ['a'], maxLength: 3 },
        },
        required: ['any'],
      },
      Inner: { type: 'object', properties: { x: text } },
    },
    rate: { requestsPerSecond: 1, burst: 5 },
  });
});
