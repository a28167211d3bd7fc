/** One spelling per value: equal contents hash alike, other contents never do. */

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256, sha256OfAll } from '../../src/base/canonical-json.ts';
import { InputError } from '../../src/base/errors.ts';
import { isJsonObject } from '../../src/base/json.ts';

describe('canonicalJson', () => {
  it('sorts members at every depth and leaves out what would not be sent', () => {
    expect(canonicalJson({ b: [{ d: 1, c: null }], a: 'x', gone: undefined })).toBe(
      '{"a":"x","b":[{"c":null,"d":1}]}',
    );
  });

  it('is JSON of the same value, whatever the order of members', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reverseMembers(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('tells no body from a null body', () => {
    expect(canonicalJson(undefined)).not.toBe(canonicalJson(null));
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1])(
    'refuses %s, which JSON cannot carry',
    (value) => {
      expect(() => canonicalJson({ value })).toThrow(InputError);
    },
  );
});

describe('sha256', () => {
  it('is that of the whole text, also where a long list is never whole in memory', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(value, fc.constantFrom(0, 1, 999, 1_000, 2_345), (some, length) => {
        const list = Array.from({ length }, (_, at) => (at % 7 === 0 ? undefined : { at, some }));
        for (const whole of [list, { b: list, a: some, c: undefined }, [{ key: 1, value: { list } }], some]) {
          const text = createHash('sha256').update(canonicalJson(whole)).digest('hex');
          expect(sha256(whole)).toBe(text);
          expect(sha256OfAll([whole])).toBe(sha256([whole]));
        }
        expect(sha256OfAll(list)).toBe(sha256(list));
      }),
      { numRuns: 30 },
    );
  });

  it('is the hash of the canonical text', () => {
    // printf '{"a":1,"b":2}' | sha256sum
    expect(sha256({ b: 2, a: 1 })).toBe('43258cff783fe7036d8a43033f830adfc60ec037382473548ac742b888292777');
  });
});

function reverseMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reverseMembers(inner)]),
  );
}
