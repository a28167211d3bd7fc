/** The RFC's own cases, and what the service's bodies need beside them. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../../src/base/canonical-json.ts';
import { isJsonObject } from '../../../../src/base/json.ts';
import { applyMergePatch } from '../../../../src/write/model/store/body.ts';

/** Appendix A of RFC 7396: original, patch, result. */
const RFC_CASES: readonly [string, string, string][] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
];

describe('applyMergePatch', () => {
  it.each(RFC_CASES)('%s patched with %s is %s', (target, patch, result) => {
    expect(JSON.stringify(applyMergePatch(JSON.parse(target), JSON.parse(patch)))).toBe(result);
  });

  it('treats __proto__ as a member like any other', () => {
    const patch: unknown = JSON.parse('{"__proto__":{"polluted":true},"a":{"__proto__":null}}');
    const result = applyMergePatch({ a: { b: 1 } }, patch);
    expect(JSON.stringify(result)).toBe('{"a":{"b":1},"__proto__":{"polluted":true}}');
    expect(Reflect.has({}, 'polluted')).toBe(false);
    expect(isJsonObject(result) && result.polluted).toBeUndefined();
  });

  it('changes neither argument', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
        const before = [JSON.stringify(target), JSON.stringify(patch)];
        applyMergePatch(target, patch);
        expect([JSON.stringify(target), JSON.stringify(patch)]).toEqual(before);
      }),
    );
  });

  it('gives the same when it is applied twice', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
        const once = applyMergePatch(target, patch);
        expect(canonicalJson(applyMergePatch(once, patch))).toBe(canonicalJson(once));
      }),
    );
  });
});
