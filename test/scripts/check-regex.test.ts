/** The check of regular expressions finds a bad one, whatever hides it, and an excuse that nothing needs. */

import { beforeAll, describe, expect, it } from 'vitest';
import { compare } from '../../scripts/check-regex/compare.ts';
import { type Lists, readExceptions } from '../../scripts/check-regex/exceptions.ts';
import { findExpressions } from '../../scripts/check-regex/find-expressions.ts';
import { type Judge, loadJudge } from '../../scripts/check-regex/judge.ts';

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
    ['/a\\b.*\\bb|b\\b.*\\ba/i', /polynomial/],
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
