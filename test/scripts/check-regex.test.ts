/** The check of regular expressions finds a bad one, whatever hides it, and an excuse that nothing needs. */

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compare } from '../../scripts/check-regex/compare.ts';
import { type Lists, readExceptions } from '../../scripts/check-regex/exceptions.ts';
import { findExpressions } from '../../scripts/check-regex/find-expressions.ts';
import { type Judge, loadJudge } from '../../scripts/check-regex/judge.ts';
import { listJudged, parseJudged, remember } from '../../scripts/check-regex/judged.ts';

const NONE: Lists = { slow: [], constructed: [] };

describe('what is found', () => {
  it('is every literal, and nothing that only looks like one', () => {
    const code = 'const a = 1 / 2 / 3;\nconst b = "/x/"; // /y/\nconst c = f(/z\\/w/gu, `/v/`);\n';
    expect(findExpressions('a.ts', code)).toEqual({
      literals: [{ file: 'a.ts', line: 3, source: 'z\\/w', flags: 'gu' }],
      constructions: [],
    });
  });

  it('is every construction, with and without new, however deep', () => {
    const code = 'const f = (s: string) => [new RegExp(s), RegExp("^" + s, "u"), globalThis.RegExp(s)];\n';
    const { constructions } = findExpressions('a.ts', code);
    expect(constructions.map(({ text }) => text)).toEqual([
      'new RegExp(s)',
      'RegExp("^" + s, "u")',
      'globalThis.RegExp(s)',
    ]);
  });

  it('throws where a file cannot be read as TypeScript', () => {
    expect(() => findExpressions('a.ts', 'const = /(a+)+$/;')).toThrow(/a\.ts/);
  });
});

describe('what is told', () => {
  let judge: Judge;
  beforeAll(async () => {
    judge = await loadJudge();
  });
  const check = (code: string, lists = NONE) => compare(findExpressions('a.ts', code), lists, judge);

  it('is nothing of linear expressions', () => {
    expect(check('const a = [/^[a-z]+$/, /token\\b/i, /^\\d{1,10}$/u];')).toEqual([]);
  });

  it.each([
    ['/^(a+)+$/', /exponential/],
    ['/x*$/', /polynomial/],
    ['/a\\b.*b|b\\b.*a/', /polynomial/],
  ])('is %s', (literal, what) => {
    const [finding = '', ...others] = check(`\nconst a = ${literal};`);
    expect(finding).toContain(`a.ts:2: ${literal} is vulnerable`);
    expect(finding).toMatch(what);
    expect(others).toEqual([]);
  });

  it('is no slow one that is excused in its file, and the same one elsewhere', () => {
    const excuse = { file: 'a.ts', text: '/x*$/', bound: '64 characters' };
    expect(check('const a = /x*$/;', { ...NONE, slow: [excuse] })).toEqual([]);
    expect(check('const a = /x*$/;', { ...NONE, slow: [{ ...excuse, file: 'b.ts' }] })).toHaveLength(2);
  });

  it('is an excuse for what is fast, or gone', () => {
    const excuse = { file: 'a.ts', text: '/x/', bound: '64 characters' };
    expect(check('const a = /x/;', { ...NONE, slow: [excuse] })).toEqual([
      'a.ts: /x/ is listed, but is not there or is not slow',
    ]);
  });

  it('is a construction that is not listed, each time that it stands there', () => {
    const entry = { file: 'a.ts', text: 'new RegExp(s)', bound: '64 characters' };
    const code = 'const a = (s: string) => [new RegExp(s), new RegExp(s)];';
    expect(check(code)).toHaveLength(2);
    expect(check(code, { ...NONE, constructed: [entry] })).toHaveLength(1);
    expect(check(code, { ...NONE, constructed: [entry, { ...entry }] })).toEqual([]);
    expect(check('', { ...NONE, constructed: [entry] })).toHaveLength(1);
  });
});

it('the list has to say what bounds the text', () => {
  expect(() => readExceptions('slow: [{ file: a.ts, text: /x/, bound: "" }]\nconstructed: []')).toThrow();
  expect(readExceptions('slow: []\nconstructed: []')).toEqual(NONE);
});

describe('what was judged before', () => {
  const asked: string[] = [];
  const judge: Judge = (source) => {
    asked.push(source);
    return source.endsWith('*$')
      ? { status: 'vulnerable', what: 'slow' }
      : { status: 'safe', what: 'linear' };
  };
  beforeEach(() => asked.splice(0));
  const { literals } = findExpressions('a.ts', 'const a = [/b/, /a|\\//g, /b/, /b/i, /x*$/];');

  it('is listed once where it is linear, and is not judged again', () => {
    const list = listJudged(literals, judge, 'one');
    expect(list.split('\n').slice(1)).toEqual(['/a|\\//g', '/b/', '/b/i', '']);
    asked.splice(0);
    expect(listJudged(literals, remember(parseJudged(list, 'one'), [], judge), 'one')).toBe(list);
    expect(asked).toEqual(['x*$']);
  });

  it('is judged again by another judge, and where there is no list', () => {
    const list = listJudged(literals, judge, 'one');
    expect(parseJudged(list, 'two').size).toBe(0);
    expect(parseJudged('').size).toBe(0);
  });

  it('excuses a slow one in its own file only', () => {
    const excuse = { file: 'a.ts', text: '/x*$/', bound: '64 characters' };
    const lists = { ...NONE, slow: [excuse] };
    const known = remember(new Set(), lists.slow, judge);
    expect(compare(findExpressions('a.ts', 'f(/x*$/);'), lists, known)).toEqual([]);
    expect(compare(findExpressions('b.ts', 'f(/x*$/);'), lists, known)).toHaveLength(2);
    expect(asked).toEqual([]);
  });
});
