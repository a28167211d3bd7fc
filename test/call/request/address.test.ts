import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodePath, leadsTo, MAX_SEGMENT_BYTES, serviceAddress } from '../../../src/call/request/address.ts';
import { anyCharacters } from '../../helpers/any-characters.ts';

const encode = (value: string) => encodePath('/catalog/v0/items/{asin}', { asin: value });

describe('a path', () => {
  it('keeps any accepted value in its own segment', () => {
    fc.assert(
      fc.property(anyCharacters({ maxLength: 40 }), (value) => {
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

  describe('with a value that is a path itself', () => {
    const spread = (value: string) =>
      encodePath('/up/{resource}', { resource: value }, (name) => name === 'resource');
    it('keeps its slashes and nothing else', () => {
      expect(spread('a/b c/d?e')).toEqual({ ok: true, path: '/up/a/b%20c/d%3Fe' });
      expect(spread('/a/b')).toEqual({ ok: true, path: '/up/a/b' });
    });
    it.each(['a/../b', '..', 'a//b', 'a/', '', 'a/%2e%2e/b', 'a/..%2fb', 'a/\u0000'])(
      'refuses %j',
      (value) => {
        expect(spread(value).ok).toBe(false);
      },
    );
    it('leads where it says, whatever the value is', () => {
      fc.assert(
        fc.property(anyCharacters({ maxLength: 40 }), (value) => {
          const encoded = spread(value);
          if (encoded.ok)
            expect(leadsTo(`https://x.example${encoded.path}`, 'https://x.example', encoded.path)).toBe(true);
        }),
      );
    });
  });

  it('refuses dots that only meet inside one segment', () => {
    expect(encodePath('/a/{x}{y}/b', { x: '.', y: '.' }).ok).toBe(false);
    expect(encodePath('/a/{x}.json', { x: '.' })).toEqual({ ok: true, path: '/a/..json' });
  });

  it.each([
    ['/a/%2e{x}/b', '.'],
    ['/a/.%2E{x}', ';v=1'],
    ['/a/%252e{x}/b', '%2e'],
    ['/a/%25252e%25252e{x}/b', ';'],
    ['/a/{x}', '%2e%2e'],
    ['/a/{x}', '..;x'],
    ['/a/{x}', '%252e%252e%252fb'],
    ['/a/{x}', 'b/%2e%2e/c'],
    ['/a/{x}', 'b%5c..'],
    ['/a/{x}', '%2%65%2%65'],
    ['/a/{x}/..', 'y'],
    ['/a/%2e%2e/{x}', 'y'],
    ['/a//{x}', 'y'],
    [`/a/{x}`, `%${'25'.repeat(100)}2e`],
  ])('refuses dots that %s makes of %j, and empty segments', (template, x) => {
    expect(encodePath(template, { x }).ok).toBe(false);
  });

  it('is what the address that is sent leads to, whatever template and values are', () => {
    const piece = fc.constantFrom(
      'a',
      '.',
      '..',
      '/',
      '%2e',
      '%2E',
      '%25',
      '2e',
      ';',
      '\\',
      '%5c',
      '%2f',
      '?',
      '#',
      '{x}',
      '{y}',
    );
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, text, text, (tail, x, y) => {
        const encoded = encodePath(`/base/${tail}`, { x, y });
        if (!encoded.ok) return;
        const leads = leadsTo(
          `https://service.example${encoded.path}`,
          'https://service.example',
          encoded.path,
        );
        const whole = !/[?#]/.test(encoded.path) && !encoded.path.includes('\\');
        expect(leads).toBe(whole);
        let decoded = encoded.path;
        for (let round = 0; round < 9; round += 1) decoded = decoded.replace(/%[0-7][0-9a-f]/gi, unescape);
        expect(decoded.split(/[/\\]/).filter((part) => /^\.\.?(;|$)/.test(part))).toEqual([]);
      }),
      { seed: 11, numRuns: 2_000 },
    );
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

describe('the address of a service', () => {
  it.each([
    ['https://service.example', 'https://service.example', 'https://service.example'],
    ['https://service.example///', 'https://service.example', 'https://service.example'],
    [
      'https://Service.example:8443/a/b//',
      'https://service.example:8443',
      'https://service.example:8443/a/b',
    ],
    ['http://127.0.0.1:8080/x', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080/x'],
    ['http://localhost/', 'http://localhost', 'http://localhost'],
  ])('%s is taken, without its trailing slashes', (address, origin, base) => {
    expect(serviceAddress(address)).toEqual({ origin, base });
  });

  it.each([
    'http://service.example',
    'ftp://127.0.0.1',
    'service.example',
    '',
    'https://user@service.example',
    'https://:password@service.example',
    'https://',
  ])('%j is refused every time', (address) => {
    for (const _time of [1, 2]) expect(() => serviceAddress(address)).toThrow('must start with https://');
  });

  it('is known again of the first hundred only, and taken all the same', () => {
    const addresses = Array.from({ length: 120 }, (_, i) => `https://service-${i}.example`);
    for (const address of addresses) expect(serviceAddress(address).base).toBe(address);
    const [first, again] = [addresses.map(serviceAddress), addresses.map(serviceAddress)];
    expect(again).toEqual(first);
    const known = again.filter((address, at) => address === first[at]);
    expect(known.length).toBeLessThanOrEqual(100);
    expect(known).not.toContain(again.at(-1));
  });
});

it('a value may be as long as a segment, in bytes', () => {
  const longest = 'é'.repeat(MAX_SEGMENT_BYTES / 2);
  expect(encode(longest).ok).toBe(true);
  expect(encode(`${longest}x`)).toEqual({
    ok: false,
    problems: [{ path: 'asin', message: 'is 2049 bytes long; at most 2048 are accepted' }],
  });
});

it.each(['\u0000', '\u001f', '\u007f'])(
  '%j is a control character, and what is beside it is none',
  (sign) => {
    expect(encode(`a${sign}`)).toMatchObject({ problems: [{ message: 'must not hold control characters' }] });
    expect(encode('a \u0080~').ok).toBe(true);
  },
);

it('only a parameter that is a whole segment is a path itself', () => {
  const both = (template: string) => encodePath(template, { a: 'x/y', b: '/z' }, (name) => name === 'a');
  expect(both('/{a}/{b}')).toEqual({ ok: true, path: '/x/y/%2Fz' });
  expect(both('/p{a}')).toEqual({ ok: true, path: '/px%2Fy' });
  expect(both('/{a}s')).toEqual({ ok: true, path: '/x%2Fys' });
  expect(encodePath('/{a}', {}, () => true)).toEqual({
    ok: false,
    problems: [{ path: 'a', message: 'is required' }],
  });
  expect(encodePath('/{a}', { a: 'x//y' }, () => true)).toEqual({
    ok: false,
    problems: [{ path: 'a', message: 'must not be empty' }],
  });
});

it.each([
  ['https://x.example/a', true],
  ['https://x.example/a?b=c', true],
  ['https://x.example/a#b', false],
  ['https://x.example/b', false],
  ['https://y.example/a', false],
  ['not an address', false],
])('%s leads to https://x.example/a: %s', (url, leads) => {
  expect(leadsTo(url, 'https://x.example', '/a')).toBe(leads);
});
