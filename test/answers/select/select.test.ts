/** `select` takes what its paths name, keeps the shape, and tells what could have been named instead. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shownValue } from '../../../src/answers/select/part.ts';
import { formatSegment, nameSegment, parsePath } from '../../../src/answers/select/path.ts';
import { selectMembers } from '../../../src/answers/select/select.ts';

const whole: unknown = JSON.parse(`{
  "payload": {
    "sku": "A-1",
    "summaries": [{ "itemName": "Blue", "asin": "B1" }, { "itemName": "Blau", "asin": "B2" }, { "asin": "B3" }],
    "issues": [{ "code": "1" }, { "code": "2" }, { "code": "3" }],
    "attributes": { "a.b": 1, "#1": 2, "~json": 3, "*": 4, "0-1": 5, "": 6, "item name": { "x": 7 } },
    "note": "abc\u{1F600}def",
    "__proto__": { "polluted": true },
    "nothing": null
  },
  "errors": []
}`);

const select = (paths: readonly string[]) => {
  const { part, unknown } = selectMembers(whole, paths);
  return { value: shownValue(part), unknown };
};

describe('selectMembers', () => {
  test.each<[string[], unknown]>([
    [['payload.sku'], { payload: { sku: 'A-1' } }],
    [
      ['payload.summaries.itemName'],
      { payload: { summaries: [{ itemName: 'Blue' }, { itemName: 'Blau' }, {}] } },
    ],
    [['payload.issues.0'], { payload: { issues: [{ code: '1' }] } }],
    [['payload.issues[1].code'], { payload: { issues: [{ code: '2' }] } }],
    [['payload.issues.1-9'], { payload: { issues: [{ code: '2' }, { code: '3' }] } }],
    [['payload.issues.2-'], { payload: { issues: [{ code: '3' }] } }],
    [['payload.issues[*].code'], { payload: { issues: [{ code: '1' }, { code: '2' }, { code: '3' }] } }],
    [
      ['payload.summaries.0.asin', 'payload.summaries.1.itemName'],
      { payload: { summaries: [{ asin: 'B1' }, { itemName: 'Blau' }] } },
    ],
    [['payload.sku', 'errors'], { payload: { sku: 'A-1' }, errors: [] }],
    [
      ['payload.issues', 'payload.issues.0.code'],
      { payload: { issues: [{ code: '1' }, { code: '2' }, { code: '3' }] } },
    ],
    [['payload.attributes."a.b"'], { payload: { attributes: { 'a.b': 1 } } }],
    [['payload.attributes["a.b"]'], { payload: { attributes: { 'a.b': 1 } } }],
    [['payload.attributes."#1"'], { payload: { attributes: { '#1': 2 } } }],
    [['payload.attributes.#1'], { payload: { attributes: { '#1': 2 } } }],
    [['payload.attributes."~json"'], { payload: { attributes: { '~json': 3 } } }],
    [['payload.attributes.0-1'], { payload: { attributes: { '0-1': 5 } } }],
    [['payload.attributes.""'], { payload: { attributes: { '': 6 } } }],
    [['payload.attributes.item name.x'], { payload: { attributes: { 'item name': { x: 7 } } } }],
    [['payload.attributes.*.x'], { payload: { attributes: { 'item name': { x: 7 } } } }],
    [['payload.attributes.~json'], { payload: { attributes: { '~json': 3 } } }],
    [['payload.note.0-2'], { payload: { note: 'abc' } }],
    [['payload.note.0-3'], { payload: { note: 'abc\u{1F600}' } }],
    [['payload.note.4-'], { payload: { note: 'def' } }],
    [['payload.nothing'], { payload: { nothing: null } }],
  ])('%j', (paths, value) => {
    expect(select(paths)).toEqual({ value, unknown: [] });
    expect(JSON.stringify(select(paths).value)).toBe(JSON.stringify(value));
  });

  test('no paths select everything', () => {
    expect(select([]).value).toBe(whole);
  });

  test('__proto__ is a member like any other, inherited members are none', () => {
    const { value, unknown } = select(['payload.__proto__.polluted']);
    expect(JSON.stringify(value)).toBe('{"payload":{"__proto__":{"polluted":true}}}');
    expect(unknown).toEqual([]);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    for (const name of ['constructor', 'toString', 'hasOwnProperty', '__defineGetter__']) {
      expect(selectMembers({ a: 1 }, [name]).unknown).toMatchObject([{ path: name, valid: ['a'] }]);
    }
    expect(selectMembers([1, 2], ['length']).unknown).toHaveLength(1);
    expect(selectMembers('text', ['length']).unknown).toHaveLength(1);
  });

  test.each<[string, object]>([
    ['payload.isues', { at: 'payload', nearest: 'payload.issues' }],
    ['payload.SKU', { at: 'payload', nearest: 'payload.sku' }],
    ['payload.isues.0.code', { at: 'payload', nearest: 'payload.issues.0.code' }],
    [
      'payload.summaries.itemname',
      { at: 'payload.summaries', nearest: 'payload.summaries.itemName', valid: ['itemName', 'asin'] },
    ],
    ['payload.issues.7', { at: 'payload.issues', valid: ['code'] }],
    ['payload.sku.first', { at: 'payload.sku', valid: ['0-2'] }],
    ['payload.attributes.item_name', { at: 'payload.attributes', nearest: 'payload.attributes."item name"' }],
    ['errors.code', { at: 'errors', valid: [] }],
    ['payload.attributes.#2-3', { at: 'payload.attributes' }],
    ['payload.issues.~json.0-11', { at: 'payload.issues', valid: ['code'] }],
    ['payload.nothing.x', { at: 'payload.nothing', valid: [] }],
    ['payload..sku', { at: '', valid: ['payload', 'errors'] }],
    ['payload."sku', { at: '', valid: ['payload', 'errors'] }],
  ])('%s leads nowhere, and says so', (path, expected) => {
    expect(select(['payload.sku', path])).toMatchObject({
      value: { payload: { sku: 'A-1' } },
      unknown: [{ path, ...expected }],
    });
  });

  test('of very many names the first are shown, the rest counted', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`name${i}`, i]));
    const [unknown] = selectMembers(many, ['zzz']).unknown;
    expect(unknown?.valid).toHaveLength(30);
    expect(unknown?.more).toBe(70);
  });

  test('any path at all: no exception, and either a value or a word about it', () => {
    const piece = fc.constantFrom(
      'payload',
      'issues',
      '0',
      '0-',
      '*',
      '#1',
      '~json',
      '"',
      '[',
      ']',
      '.',
      '..',
      '"a.b"',
      '\u202E',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join('.')),
        ),
        (path) => {
          const { value, unknown } = select([path]);
          expect(unknown.length === 1 || value !== undefined).toBe(true);
        },
      ),
    );
  });
});

describe('paths', () => {
  test('any member name makes a segment that finds it again, in visible ASCII or letters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const segment = nameSegment(name);
        expect(segment).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
        expect(parsePath(`a.${segment}.b`)?.map(({ text }) => text)).toEqual(['a', name, 'b']);
        const object = Object.fromEntries([[name, 1]]);
        expect(selectMembers(object, [segment])).toMatchObject({ unknown: [] });
        expect(parsePath(formatSegment({ text: name, literal: true }))?.[0]?.text).toBe(name);
      }),
    );
  });
});
