import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodePath } from '../../../src/client/request/address.ts';

const encode = (value: string) => encodePath('/catalog/v0/items/{asin}', { asin: value });

describe('a path', () => {
  it('keeps any accepted value in its own segment', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (value) => {
        const encoded = encode(value);
        if (!encoded.ok) return;
        const url = new URL(`https://service.example${encoded.path}`);
        expect(url.pathname).toBe(encoded.path);
        expect(url.search + url.hash).toBe('');
        const segments = url.pathname.split('/');
        expect(segments).toHaveLength(5);
        expect(decodeURIComponent(segments[4] ?? '')).toBe(value);
      }),
    );
  });

  it('accepts what identifiers are made of', () => {
    fc.assert(fc.property(fc.stringMatching(/^[A-Za-z0-9_:-]{1,64}$/), (value) => encode(value).ok));
    expect(encode('SKU 1/2+é')).toEqual({ ok: true, path: '/catalog/v0/items/SKU%201%2F2%2B%C3%A9' });
  });

  it.each([
    ['', 'must not be empty'],
    ['.', 'dot segment'],
    ['..', 'dot segment'],
    ['../x', 'dot segment'],
    ['x/../../y', 'dot segment'],
    ['..\\x', 'dot segment'],
    ['a\r\nHost: x', 'control characters'],
    ['\ud800', 'not well-formed'],
    ['x'.repeat(10_240), 'is 10240 bytes long'],
  ])('refuses %j', (value, message) => {
    expect(encode(value)).toEqual({
      ok: false,
      problems: [{ path: 'asin', message: expect.stringContaining(message) }],
    });
  });

  it('refuses dots that only meet inside one segment', () => {
    expect(encodePath('/a/{x}{y}/b', { x: '.', y: '.' }).ok).toBe(false);
    expect(encodePath('/a/{x}.json', { x: '.' })).toEqual({ ok: true, path: '/a/..json' });
  });

  it('tells every placeholder without a value, inherited names included', () => {
    expect(encodePath('/a/{x}/{toString}', {})).toEqual({
      ok: false,
      problems: [
        { path: 'x', message: 'is required' },
        { path: 'toString', message: 'is required' },
      ],
    });
  });
});
