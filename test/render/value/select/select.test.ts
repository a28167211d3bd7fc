/** `select` takes what its paths name, keeps the shape, and tells what could have been named instead. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shownValue } from '../../../../src/render/value/select/part.ts';
import { formatSegment, nameSegment, parsePath } from '../../../../src/render/value/select/path.ts';
import { selectMembers } from '../../../../src/render/value/select/select.ts';
import { anyCharacters } from '../../../helpers/any-characters.ts';

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

describe('the part that is selected', () => {
  const nothingOf = (value: unknown) => selectMembers(value, ['x']).part;

  test('where nothing was found, it is empty and knows how much there is', () => {
    expect(nothingOf([1, 2])).toEqual({ kind: 'elements', entries: [], total: 2 });
    expect(nothingOf([{ a: 1 }])).toEqual({ kind: 'elements', entries: [], total: 1 });
    expect(nothingOf({ a: 1 })).toEqual({ kind: 'members', entries: [], total: 1 });
    for (const leaf of ['text', 5, null]) expect(nothingOf(leaf)).toEqual({ kind: 'whole', value: null });
    expect(selectMembers({ a: { b: 1 } }, ['a.c']).part).toEqual({ kind: 'members', entries: [], total: 1 });
  });

  test('the empty path is the whole', () => {
    expect(selectMembers({ a: 1 }, [''])).toEqual({ part: { kind: 'whole', value: { a: 1 } }, unknown: [] });
    expect(selectMembers('abc', ['']).part).toEqual({
      kind: 'text',
      full: 'abc',
      from: 0,
      to: 3,
      asked: true,
    });
  });

  test('a text knows that it was asked for, and which stretch', () => {
    const text = (path: string) => selectMembers({ t: 'abcdef' }, [path]).part;
    const entry = (from: number, to: number, tail: string) => ({
      kind: 'members',
      entries: [{ key: 't', part: { kind: 'text', full: 'abcdef', from, to, asked: true }, tails: [tail] }],
      total: 1,
    });
    expect(text('t')).toEqual(entry(0, 6, ''));
    expect(text('t.2-3')).toEqual(entry(2, 4, '2-3'));
    expect(text('t.5-')).toEqual(entry(5, 6, '5-'));
    expect(text('t.2-99')).toEqual(entry(2, 6, '2-99'));
  });

  test('each entry keeps the paths that lead into it, once; the whole of it needs no other', () => {
    const tails = (...paths: string[]) => {
      const { part } = selectMembers({ a: [{ b: { c: 1 }, d: 2 }] }, paths);
      return part.kind === 'members' ? part.entries.map((each) => each.tails) : undefined;
    };
    expect(tails('a.b', 'a.0.d')).toEqual([['b', '0.d']]);
    expect(tails('a.b', 'a.b')).toEqual([['b']]);
    expect(tails('a', 'a.b')).toEqual([['']]);
    expect(tails('a."b".c')).toEqual([['b.c']]);
  });

  test('members stand in the order of the whole', () => {
    expect(JSON.stringify(shownValue(selectMembers({ a: 1, b: 2, c: 3 }, ['c', 'a']).part))).toBe(
      '{"a":1,"c":3}',
    );
  });
});

describe('paths that lead nowhere beside others that lead somewhere', () => {
  const choose = (value: unknown, ...paths: string[]) => {
    const { part, unknown } = selectMembers(value, paths);
    return [shownValue(part), unknown.map(({ path }) => path)];
  };

  test.each<[unknown, string[], unknown, string[]]>([
    [{ a: { b: 1 } }, ['a', 'a.x'], { a: { b: 1 } }, ['a.x']],
    [{ a: { b: 1 } }, ['a', 'a.b'], { a: { b: 1 } }, []],
    [{ t: 'abc' }, ['t', 't.1-'], { t: 'abc' }, []],
    [{ t: 'abc' }, ['t.2-'], { t: 'c' }, []],
    [{ t: 'abc' }, ['t.3-'], {}, ['t.3-']],
    [{ t: '' }, ['t.0-'], { t: '' }, []],
    [{ t: '' }, ['t.1'], {}, ['t.1']],
    [{ t: 'abc' }, ['t.0-1.x'], {}, ['t.0-1.x']],
    [{ t: 'abcdef' }, ['t.1', 't.4'], { t: 'bcde' }, []],
    [{ t: 'a\uffffb' }, ['t.1-1'], { t: '\uffff' }, []],
    [{ t: 'a\u{1F600}b' }, ['t.2-'], { t: 'b' }, []],
    [[{ a: 1 }, { c: 1 }], ['a', '1.b'], [{ a: 1 }, {}], ['1.b']],
    [[{ a: 1 }, { c: 1 }], ['0.a', '1.b'], [{ a: 1 }], ['1.b']],
    [[{ a: 1 }, {}], ['*.a'], [{ a: 1 }], []],
    [[{ a: 1 }, 5], ['a'], [{ a: 1 }, 5], []],
    [[{ a: 1 }, {}], ['b'], [], ['b']],
    [[1, 2, 3], ['1', '9'], [2], ['9']],
    [{ a: 5 }, ['a.b'], {}, ['a.b']],
    [{ a: [], b: {} }, ['a.*', 'b.*'], { a: [] }, ['b.*']],
    [{ a: { list: [] } }, ['a.list.name.first', 'a.list.0-9'], { a: { list: [] } }, []],
    [[{ list: [] }, { list: [{ b: 1 }] }], ['list.c'], [{ list: [] }, {}], ['list.c']],
    [[{ list: [] }, { list: [{ b: 1 }] }], ['list.b'], [{ list: [] }, { list: [{ b: 1 }] }], []],
  ])('%j %j', (value, paths, selected, unknown) => {
    expect(choose(value, ...paths)).toEqual([selected, unknown]);
  });
});

describe('paths', () => {
  test('any member name makes a segment that finds it again, in visible ASCII or letters', () => {
    fc.assert(
      fc.property(anyCharacters(), (name) => {
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
