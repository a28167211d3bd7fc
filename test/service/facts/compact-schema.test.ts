import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeSchema } from '../../../scripts/facts/compact.ts';
import { decodeSchema } from '../../../src/service/facts/compact-schema.ts';
import type { JsonSchema } from '../../../src/service/facts/operation.ts';

const bound = fc.integer({ min: 0, max: 500 });
const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,8}$/);

const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.record(
      {
        type: fc.constant('string' as const),
        minLength: bound,
        maxLength: bound,
        pattern: fc.constant('^[a-z]+$'),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constant('string' as const), format: fc.constantFrom('date-time', 'date', 'uri') }),
    fc.record(
      {
        type: fc.constantFrom('integer' as const, 'number' as const),
        minimum: fc.integer(),
        maximum: fc.integer(),
        multipleOf: fc.constant(5),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constant('integer' as const), enum: fc.array(fc.integer(), { minLength: 1 }) }),
    fc.record({ type: fc.constant('string' as const), enum: fc.array(fc.string(), { minLength: 1 }) }),
    fc.constantFrom<JsonSchema>({}, { type: 'boolean' }, { type: 'object' }, { type: 'array' }),
    name.map((text): JsonSchema => ({ $ref: `#/$defs/${text}` })),
    fc.record(
      { type: fc.constant('array' as const), items: tie('schema'), minItems: bound, maxItems: bound },
      { requiredKeys: ['type', 'items'] },
    ),
    fc.record({
      type: fc.constant('object' as const),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
    }),
    fc.dictionary(name, tie('schema'), { maxKeys: 4 }).map((properties): JsonSchema => {
      const required = Object.keys(properties).filter((_, index) => index % 2 === 0);
      return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
    }),
  ),
}));

test('what is written is read back the same', () => {
  fc.assert(
    fc.property(schema, (original) => {
      const written: unknown = JSON.parse(JSON.stringify(encodeSchema(original)));
      expect(decodeSchema(written)).toEqual(original);
    }),
    { numRuns: 500 },
  );
});

test('text that is not in the notation is refused', () => {
  for (const broken of ['q', 's(', 's:', 3, null, true]) expect(() => decodeSchema(broken)).toThrow();
});

test('it is short', () => {
  const text = JSON.stringify(
    encodeSchema({
      type: 'object',
      required: ['sku'],
      properties: {
        sku: { type: 'string', minLength: 1, maxLength: 40 },
        tags: { type: 'array', items: { type: 'string' } },
      },
    }),
  );
  expect(text).toBe('{"p":{"sku*":"s(1..40)","tags":["s"]}}');
});
