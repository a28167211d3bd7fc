/** Tests where a signed address may lead, and that the checked look-up is the one that is connected to. */

import type { LookupAddress, LookupOptions, lookup } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { NetworkError } from '../../../src/base/errors.ts';
import {
  checkAddress,
  checkRedirect,
  guardLookup,
  NOT_FETCHED,
  NOTHING_UPLOADED,
} from '../../../src/call/download/allowed-address.ts';

const INTERNET = 'https://service.example';
const LOOPBACK = 'http://127.0.0.1:8080';

/** Why it is refused; undefined where it is not. */
function refusalOf(check: () => URL): string | undefined {
  try {
    check();
  } catch (error) {
    expect(error).toMatchObject({ code: 'ADDRESS_NOT_ALLOWED', fate: 'not-sent' });
    return error instanceof NetworkError ? error.message : String(error);
  }
  return undefined;
}

describe('an address', () => {
  it.each([
    ['https://reports.example/d?X-Amz-Signature=s#x', INTERNET],
    ['https://8.8.8.8/d', INTERNET],
    ['https://[2606:4700::1111]/d', INTERNET],
    ['https://10.example/d', INTERNET],
    ['https://reports.example/d', LOOPBACK],
    ['http://127.0.0.1:9/d', LOOPBACK],
    ['https://127.0.0.1:9/d', LOOPBACK],
    ['http://localhost/d', 'http://[::1]:1'],
  ])('%s of a service at %s is taken as it is', (address, givenBy) => {
    expect(checkAddress(address, givenBy).href).toBe(new URL(address).href);
  });

  it.each([
    ['http://127.0.0.1:9/d', INTERNET, 'does not begin with https: but with http:'],
    ['http://127.0.0.1:9/d', 'not an address', 'does not begin with https: but with http:'],
    ['https://127.0.0.1:9/d', INTERNET, 'leads into a private network'],
    ['https://localhost/d', INTERNET, 'leads into a private network'],
    ['https://[fd00::1]/d', LOOPBACK, 'leads into a private network'],
    ['https://10.1.2.3/d', LOOPBACK, 'leads into a private network'],
    ['ftp://127.0.0.1/d', LOOPBACK, 'does not begin with https: but with ftp:'],
    ['http://reports.example/d', LOOPBACK, 'does not begin with https: but with http:'],
    ['https://name@reports.example/d', INTERNET, 'contains a user name or password'],
    ['https://:secret@reports.example/d', INTERNET, 'contains a user name or password'],
    ['nonsense', LOOPBACK, 'is not an address'],
  ])('%s of a service at %s is not', (address, givenBy, why) => {
    expect(refusalOf(() => checkAddress(address, givenBy))).toBe(
      `The address of the document ${why}; it was not fetched.`,
    );
    expect(refusalOf(() => checkAddress(address, givenBy, NOTHING_UPLOADED))).toBe(
      `The address of the document ${why}; nothing was uploaded.`,
    );
  });
});

describe('a redirect', () => {
  const from = new URL('https://reports.example/a/b?c');

  it.each([
    ['d', 'https://reports.example/a/d'],
    ['/d', 'https://reports.example/d'],
    ['//other.example/d', 'https://other.example/d'],
    ['https://other.example/d', 'https://other.example/d'],
  ])('to %s leads to %s', (location, target) => {
    expect(checkRedirect(location, from, INTERNET).href).toBe(target);
  });

  it.each([
    ['http://other.example/d', 'redirects from https: to http:'],
    ['https://[', 'redirects to what is not an address'],
    ['https://10.0.0.1/d', 'leads into a private network'],
    ['https://localhost/d', 'leads into a private network'],
  ])('to %s is refused', (location, why) => {
    expect(refusalOf(() => checkRedirect(location, from, INTERNET))).toBe(
      `The address of the document ${why}; it was not fetched.`,
    );
  });

  it('from loopback stays on its scheme too', () => {
    const local = new URL('http://127.0.0.1:9/d');
    expect(checkRedirect('/e', local, LOOPBACK).href).toBe('http://127.0.0.1:9/e');
    expect(refusalOf(() => checkRedirect('https://reports.example/d', local, LOOPBACK))).toContain(
      'redirects from http: to https:',
    );
  });
});

describe('the look-up of a name', () => {
  const PUBLIC: LookupAddress[] = [
    { address: '203.0.113.9', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ];

  /** Returns what a connection gets from its look-up, and what the name server was asked. */
  function look(options: LookupOptions, failure: Error | null, addresses: LookupAddress[] | undefined) {
    const asked: unknown[] = [];
    const system: typeof lookup = Object.assign(
      (...args: unknown[]) => {
        asked.push(...args.slice(0, -1));
        const callback = args.at(-1);
        if (typeof callback === 'function') callback(failure, addresses);
      },
      { __promisify__: () => Promise.reject(new Error('not used')) },
    );
    const given: unknown[] = [];
    guardLookup(NOT_FETCHED, system)('reports.example', options, (...answer) => given.push(...answer));
    return { asked, given };
  }

  it('asks for every address, whatever the connection wants, and gives it what it wants', () => {
    const all = look({ family: 4, all: true }, null, PUBLIC);
    expect(all.asked).toEqual(['reports.example', { family: 4, all: true }]);
    expect(all.given).toEqual([null, PUBLIC]);
    for (const options of [{}, { all: false }, { family: 6 }]) {
      const one = look(options, null, PUBLIC);
      expect(one.asked).toEqual(['reports.example', { ...options, all: true }]);
      expect(one.given).toEqual([null, '203.0.113.9', 4]);
    }
  });

  it('gives none of them where one leads into a private network, wherever it stands', () => {
    const inside = { address: '10.1.2.3', family: 4 };
    for (const addresses of [[inside, ...PUBLIC], [...PUBLIC, inside], [inside]]) {
      for (const all of [true, false]) {
        expect(look({ all }, null, addresses).given).toEqual([
          expect.objectContaining({
            code: 'ADDRESS_NOT_ALLOWED',
            message: 'The address of the document leads into a private network; it was not fetched.',
          }),
          [],
        ]);
      }
    }
  });

  it('hands on what the name server failed with, and that a name has no address', () => {
    const failure = new Error('ENOTFOUND');
    expect(look({ all: true }, failure, undefined).given).toEqual([failure, []]);
    expect(look({ all: true }, failure, PUBLIC).given).toEqual([failure, []]);
    expect(look({}, null, []).given).toEqual([new Error('no address'), []]);
  });
});
