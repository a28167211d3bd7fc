import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonBytes } from '../../../src/client/transport/parse-answer.ts';
import { MAX_DEPTH } from '../../../src/json.ts';

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
  ])('keeps every digit of %s', async (text, value) => expect(await read(text)).toEqual({ ok: true, value }));

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
