import { Ajv } from 'ajv';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fitsPlainly } from '../../../src/call/request/fits-plainly.ts';
import type { JsonSchema } from '../../../src/service/facts/operation.ts';

const texts: JsonSchema = { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 2 };

describe('a value that plainly fits', () => {
  it.each<[JsonSchema, unknown]>([
    [{ type: 'string', format: 'date-time' }, 'not a date'],
    [{ type: 'string', minLength: 1, maxLength: 2 }, '\u{1f381}b'],
    [{ type: 'boolean' }, false],
    [{ type: 'integer', minimum: 1, maximum: 20 }, 20],
    [texts, ['a', 'b']],
    [texts, []],
  ])('%j takes %j', (schema, value) => expect(fitsPlainly(schema, value)).toBe(true));

  it.each<[JsonSchema, unknown]>([
    [{ type: 'integer', minimum: 1, maximum: 20 }, 21],
    [{ type: 'integer' }, 1.5],
    [{ type: 'integer' }, '1'],
    [texts, ['a', 'c']],
    [texts, ['a', 'b', 'a']],
    [texts, 'a'],
    [{ type: 'array', items: { type: 'string' }, minItems: 1 }, []],
    [{ type: 'string', pattern: 'a' }, 'a'],
    [{ type: 'string', maxLength: 1 }, 'ab'],
    [{ type: 'string', minLength: 2 }, '\u{1f381}'],
    [{ type: 'string', minLength: 1 }, 1],
    [{ type: 'string', nullable: true }, 'a'],
    [{ $ref: '#/$defs/Text' }, 'a'],
    [{}, 'a'],
    [{ type: 'object' }, {}],
  ])('%j with %j is not known here', (schema, value) => expect(fitsPlainly(schema, value)).toBe(false));

  it('fits for ajv too', () => {
    const bounds = { minimum: fc.integer({ min: -3, max: 3 }), maximum: fc.integer({ min: -3, max: 3 }) };
    const lengths = { minItems: fc.nat(3), maxItems: fc.nat(3) };
    const scalar = fc.oneof(
      fc.record(
        {
          type: fc.constant('string' as const),
          enum: fc.constant(['a', 'b']),
          minLength: fc.nat(2),
          maxLength: fc.nat(2),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record({ type: fc.constant('integer' as const), ...bounds }, { requiredKeys: ['type'] }),
      fc.record({ type: fc.constant('boolean' as const) }),
    );
    const list = fc.record(
      { type: fc.constant('array' as const), items: scalar, ...lengths },
      { requiredKeys: ['type', 'items'] },
    );
    const single = fc.oneof(
      fc.constantFrom('a', 'b', 'ab', '\u{1f381}', '\ud83c', '', 1.5, null),
      fc.integer({ min: -4, max: 4 }),
      fc.boolean(),
    );
    const ajv = new Ajv({ strict: false });
    fc.assert(
      fc.property(
        fc.oneof(scalar, list),
        fc.oneof(single, fc.array(single, { maxLength: 4 })),
        (schema, value) => {
          expect(fitsPlainly(schema, value)).toBe(ajv.validate(schema, value));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a check of arguments', () => {
  afterEach(() => {
    vi.doUnmock('../../../src/call/request/ajv.ts');
    vi.resetModules();
  });

  it('loads ajv only for what does not plainly fit', async () => {
    const load = vi.fn(() => ({ Ajv }));
    vi.resetModules();
    vi.doMock('../../../src/call/request/ajv.ts', load);
    const { validateShape } = await import('../../../src/call/request/validate-shape.ts');
    expect(await validateShape(texts, ['a'])).toEqual([]);
    expect(load).not.toHaveBeenCalled();
    expect(await validateShape(texts, ['c'])).toHaveLength(1);
    expect(load).toHaveBeenCalled();
  });
});
