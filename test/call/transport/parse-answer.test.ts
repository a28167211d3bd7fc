import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { MAX_DEPTH } from '../../../src/base/json.ts';
import type { RawAnswer } from '../../../src/call/transport/http-exchange.ts';
import { MAX_ANSWER_VALUES, parseAnswer, parseJsonBytes } from '../../../src/call/transport/parse-answer.ts';
import { apiRequest } from '../../helpers/api-request.ts';
import { expectOnlyIn } from '../../helpers/only-in.ts';
import { failureOf, writeOperation } from '../../helpers/test-client.ts';

const read = (text: string) => parseJsonBytes(Buffer.from(text));

/** No whole number beyond 2^53 in it. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) || !Number.isInteger(value);
  return typeof value === 'object' && value !== null ? Object.values(value).every(isExact) : true;
}

describe('JSON from outside', () => {
  it('is read as JSON.parse does where nothing can be lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue().filter(isExact), async (value) => {
        const text = JSON.stringify(value);
        expect(await read(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it.each([
    ['{"id":9007199254740993}', { id: '9007199254740993' }],
    ['{"id":9007199254740991}', { id: 9007199254740991 }],
    ['[12345678901234567890, 1]', ['12345678901234567890', 1]],
    ['{"price":1234567.1234567891}', { price: '1234567.1234567891' }],
    ['{"price":0.1,"text":"1234567890123456789"}', { price: 0.1, text: '1234567890123456789' }],
    ['[1e999]', ['1e999']],
    ['{"a":1,"a":12345678901234567890}', { a: '12345678901234567890' }],
  ])('keeps every digit of %s', async (text, value) =>
    expect(await read(text)).toMatchObject({ ok: true, value }),
  );

  it('says where a text stands for a number', async () => {
    const found = await read('{"a":[1,9007199254740993,"9007199254740993"],"b":{"c d":1e999},"d":1.5}');
    expect(found.ok && found.findNumbersAsText?.()).toEqual([
      ['a', 1],
      ['b', 'c d'],
    ]);
    expect(await read('{"a":"9007199254740993"}')).not.toHaveProperty('findNumbersAsText');
  });

  it('takes no body, white space and a byte order mark as they are meant', async () => {
    expect(await read('')).toEqual({ ok: true, value: undefined });
    expect(await read(' \n')).toEqual({ ok: true, value: undefined });
    expect(await read('\uFEFF{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
  });

  it('refuses nesting beyond the limit, and only nesting', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect((await read(nested(MAX_DEPTH))).ok).toBe(true);
    expect(await read(nested(MAX_DEPTH + 1))).toMatchObject({ ok: false, code: 'TOO_DEEP' });
    expect(await read(nested(100_000))).toMatchObject({ ok: false, code: 'TOO_DEEP' });
    expect((await read(JSON.stringify('["\\"['.repeat(5000)))).ok).toBe(true);
    expect((await read(`[${'[],'.repeat(5000)}[]]`)).ok).toBe(true);
  });

  it.each<[string, (values: number) => string]>([
    [
      'numbers',
      (values) =>
        `[${Array(values - 1)
          .fill(0)
          .join()}]`,
    ],
    [
      'empty objects',
      (values) =>
        `[ ${Array(values - 1)
          .fill('{ }')
          .join(' , ')} ]`,
    ],
    [
      'members',
      (values) =>
        `{${Array((values - 1) / 2)
          .fill('"a":0')
          .join()}}`,
    ],
    [
      'lists in each other',
      (values) =>
        `[${Array((values - 1) / 3)
          .fill('[[""]]')
          .join()}]`,
    ],
  ])('refuses more values than it reads, counted before they are made: %s', async (_kind, json) => {
    const most = MAX_ANSWER_VALUES - ((MAX_ANSWER_VALUES - 1) % 6);
    expect((await read(json(most))).ok).toBe(true);
    const tooMany = await read(json(MAX_ANSWER_VALUES + 6 - ((MAX_ANSWER_VALUES - 1) % 6)));
    expect(tooMany).toMatchObject({ ok: false, code: 'TOO_MANY_VALUES' });
    expect(tooMany).toHaveProperty('message', expect.stringContaining(`more than ${MAX_ANSWER_VALUES}`));
  });

  it('counts nothing inside a text', async () => {
    expect((await read(JSON.stringify(['{,:[\\"'.repeat(MAX_ANSWER_VALUES)]))).ok).toBe(true);
  });

  it('keeps every digit of a number of any length, and of the last of very many', async () => {
    const long = '1'.repeat(100_000);
    expect(await read(`[-${long}.5e7,1]`)).toMatchObject({ ok: true, value: [`-${long}.5e7`, 1] });
    const many = `[${'1e400,'.repeat(200_000)}0.1,12345678901234567890]`;
    const { value } = z.object({ value: z.array(z.unknown()) }).parse(await read(many));
    expect(value.slice(-3)).toEqual(['1e400', 0.1, '12345678901234567890']);
  });

  it('refuses bytes that are no UTF-8 and text that is no JSON', async () => {
    expect(await parseJsonBytes(Buffer.from([0x22, 0xff, 0xfe, 0x22]))).toMatchObject({
      ok: false,
      code: 'INVALID_UTF8',
    });
    expect(await read('{"a":')).toMatchObject({ ok: false, code: 'INVALID_JSON' });
    expect(await read('<html>')).toMatchObject({ ok: false, code: 'INVALID_JSON' });
  });

  it('keeps a member named __proto__ a member', async () => {
    const result = await read('{"__proto__":{"polluted":1},"n":12345678901234567890}');
    expect(result).toMatchObject({ ok: true, value: { n: '12345678901234567890' } });
    expect(Object.hasOwn(result.ok && result.value instanceof Object ? result.value : {}, '__proto__')).toBe(
      true,
    );
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('an answer', () => {
  const raw = (fields: Partial<RawAnswer> = {}): RawAnswer => ({
    status: 200,
    headers: {},
    body: Buffer.from('{"a":1}'),
    ...fields,
  });
  const html = { body: Buffer.from('<!DOCTYPE html><title>Sign in</title>') };
  const read = async (fields: Partial<RawAnswer>, of = apiRequest()) => parseAnswer(raw(fields), of, 1000);
  const write = apiRequest({ operation: writeOperation(), url: 'https://api.test/things/1?x=1' });

  it('is its status, its headers, its JSON and its size', async () => {
    const headers = { 'x-a': '1' };
    expect(await read({ headers })).toEqual({ status: 200, headers, body: { a: 1 }, bytes: 7 });
    expect(await read({ status: 299 })).toMatchObject({ body: { a: 1 } });
    expect(await read({ status: 404 })).toMatchObject({ status: 404, body: { a: 1 } });
    expect(await read({ body: Buffer.from('[12345678901234567890]') })).toMatchObject({
      body: ['12345678901234567890'],
      bytes: 22,
    });
  });

  it.each([199, 300, 500])('with status %i counts although its body cannot be read', async (status) => {
    const long = { body: Buffer.from(JSON.stringify('x'.repeat(300_000))) };
    for (const fields of [{ failure: 'BODY_TOO_LARGE' as const }, html, { body: Buffer.from('{') }, long]) {
      expect(await read({ status, ...fields })).toMatchObject({ status, body: undefined });
    }
  });

  it.each<[Partial<RawAnswer>, string, string, string]>([
    [
      { failure: 'BODY_TOO_LARGE' },
      'BODY_TOO_LARGE',
      'the answer is larger than 1000 bytes (setting max-response-bytes)',
      'Ask for less',
    ],
    [{ failure: 'BODY_CUT_SHORT' }, 'BODY_CUT_SHORT', 'the compressed answer ends too early', ''],
    [{ failure: 'BAD_ENCODING' }, 'BAD_ENCODING', 'not in the encoding that it claims', ''],
    [html, 'NOT_JSON', 'a web page (HTML), not JSON', 'login page'],
    [{ body: Buffer.from(' \n<html>') }, 'NOT_JSON', 'a web page', 'login page'],
    [
      { body: Buffer.from('nothing'), headers: { 'content-type': 'text/HTML' } },
      'NOT_JSON',
      'a web page',
      '',
    ],
    [{ body: Buffer.from('x <html>') }, 'INVALID_JSON', 'not valid JSON', ''],
    [{ body: Buffer.from([0xff]) }, 'INVALID_UTF8', 'not valid UTF-8', ''],
    [
      { body: Buffer.from('['.repeat(100) + ']'.repeat(100)) },
      'TOO_DEEP',
      'nested deeper than 64 levels',
      '',
    ],
    [
      { body: Buffer.from(`[${'0,'.repeat(MAX_ANSWER_VALUES)}0]`) },
      'TOO_MANY_VALUES',
      'more than 300000 values and member names',
      'Ask for less',
    ],
  ])('that is a success and cannot be read is an error: %j', async (fields, code, message, hint) => {
    const error = await failureOf(read(fields));
    expect(error).toMatchObject({ code, fate: 'unknown' });
    expect(error).toHaveProperty(
      'message',
      expect.stringMatching(/^getThing: 127\.0\.0\.1:1 answered, but /),
    );
    expect(error).toHaveProperty('message', expect.stringContaining(message));
    expect(error).toHaveProperty('hint', expect.stringContaining(hint));
    const ofWrite = await failureOf(read(fields, write));
    expectOnlyIn(
      /^The write may have been applied: before sending it again, read \/things\/1 back and compare\./,
      Object(ofWrite).hint,
      Object(error).hint,
    );
  });

  it('to a write may be a plain word, to a read it may not', async () => {
    const word = { body: Buffer.from('OK then'), headers: { 'content-type': 'text/plain; charset=utf-8' } };
    expect(await read(word, write)).toMatchObject({ body: 'OK then' });
    expect(await failureOf(read(word))).toMatchObject({ code: 'INVALID_JSON' });
    expect(await failureOf(read({ ...word, headers: {} }, write))).toMatchObject({ code: 'INVALID_JSON' });
    const list = Buffer.from('a, '.repeat(MAX_ANSWER_VALUES));
    expect(await read({ ...word, body: list }, write)).toMatchObject({ body: list.toString() });
    expect(await failureOf(read({ ...word, body: Buffer.from([0xff]) }, write))).toMatchObject({
      code: 'INVALID_UTF8',
    });
  });
});
