import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateShape } from '../../../src/call/request/validate-shape.ts';
import type { JsonSchema } from '../../../src/service/facts/operation.ts';

const defs: Record<string, JsonSchema> = {
  Duration: {
    type: 'object',
    properties: { value: { type: 'number' }, timeUnit: { type: 'string', enum: ['Hours', 'Days'] } },
    required: ['value'],
    additionalProperties: false,
  },
};
const schema: JsonSchema = {
  type: 'object',
  properties: {
    holds: { type: 'array', items: { $ref: '#/$defs/Duration' }, maxItems: 2 },
    'a/b~c': { type: 'boolean' },
    alias: { type: 'string', minLength: 2, maxLength: 3, pattern: '^[a-z]+$' },
  },
  additionalProperties: false,
};
const check = (value: unknown) => validateShape(schema, value, defs);

describe('a shape', () => {
  it.each([[{ holds: [{ value: 1, timeUnit: 'Hours' }], alias: 'ab', 'a/b~c': true }], [{}]])(
    'fits: %j',
    async (value) => expect(await check(value)).toEqual([]),
  );

  it.each<[JsonSchema, unknown, string]>([
    [{ minimum: 2 }, 1, 'must be at least 2'],
    [{ maximum: 2 }, 3, 'must be at most 2'],
    [{ minLength: 2 }, 'a', 'must have at least 2 characters'],
    [{ maxLength: 2 }, 'abc', 'must have at most 2 characters'],
    [{ minItems: 2 }, [1], 'must have at least 2 elements'],
    [{ maxItems: 2 }, [1, 2, 3], 'must have at most 2 elements'],
  ])('with %j has a bound that is told', async (bounded, value, message) => {
    expect(await validateShape(bounded, value, {})).toEqual([expect.objectContaining({ message })]);
  });

  it.each<[unknown, string, string]>([
    [[], '', 'must be an object, not a list'],
    [{ holds: [{ value: 1 }, { value: '1' }] }, 'holds.1.value', 'must be a number, not text'],
    [{ holds: [{}] }, 'holds.0.value', 'is required'],
    [
      { holds: [{ value: 1, timeUnit: 'hours' }] },
      'holds.0.timeUnit',
      'must be one of Hours, Days; did you mean Hours?',
    ],
    [
      { holds: [{ value: 1, timeunit: 'Hours' }] },
      'holds.0.timeunit',
      'is not known here. Did you mean timeUnit? Valid: value, timeUnit.',
    ],
    [{ holds: [1, 2, 3].map((value) => ({ value })) }, 'holds', 'must have at most 2 elements'],
    [{ 'a/b~c': 1 }, 'a/b~c', 'must be true or false, not a number'],
    [{ alias: 'a' }, 'alias', 'must have at least 2 characters'],
    [{ alias: 'AB' }, 'alias', 'must match ^[a-z]+$'],
  ])('does not fit: %j', async (value, path, message) =>
    expect(await check(value)).toEqual([{ path, message }]),
  );

  it('tells many problems, but not without end', async () => {
    const list: JsonSchema = { type: 'array', items: { type: 'integer' } };
    const problems = await validateShape(list, new Array(10_000).fill('x'));
    expect(problems).toHaveLength(20);
  });

  it('never fails on any JSON value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        for (const { path, message } of await check({ holds: value, alias: value })) {
          expect(path).toMatch(/^(holds|alias)/);
          expect(message).not.toBe('');
        }
      }),
      { numRuns: 50 },
    );
  });
});

it('holds each pattern against its own text, and none against a text that is too long to be sure of its time', async () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { a: { type: 'string', pattern: '^a*$' }, b: { type: 'string', pattern: '^b*$' } },
  };
  expect(await validateShape(schema, { a: 'aa', b: 'bb' })).toEqual([]);
  expect((await validateShape(schema, { a: 'b', b: 'a' })).map(({ path }) => path)).toEqual(['a', 'b']);
  expect(await validateShape(schema, { a: 'b'.repeat(2_001) })).toEqual([]);
});
