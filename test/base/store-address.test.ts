import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildConfig } from '../../src/base/config.ts';
import { readStoreAddress } from '../../src/base/store-address.ts';

it('what is written as an address is read as it was meant', () => {
  const host = fc.constantFrom('store', 'a.example', '10.0.0.1', '[::1]', 'redis-0.redis');
  const port = fc.option(fc.integer({ min: 1, max: 65_535 }));
  const place = fc.record({ host, port });
  const written = ({ host: name, port: number }: { host: string; port: number | null }) =>
    number === null ? name : `${name}:${number}`;
  fc.assert(
    fc.property(
      fc.constantFrom('server', 'sentinel', 'cluster' as const),
      fc.boolean(),
      fc.array(place, { minLength: 1, maxLength: 3 }),
      fc.option(fc.constantFrom('sellers', 'a%40b')),
      fc.integer({ min: 0, max: 15 }),
      (kind, isEncrypted, places, username, database) => {
        const hosts = kind === 'server' ? places.slice(0, 1) : places;
        const path = kind === 'sentinel' ? `/main/${database}` : kind === 'server' ? `/${database}` : '';
        const address = `redis${isEncrypted ? 's' : ''}${kind === 'server' ? '' : `+${kind}`}://${username === null ? '' : `${username}@`}${hosts.map(written).join(',')}${path}`;
        expect(readStoreAddress(address)).toEqual({
          kind,
          isEncrypted,
          hosts: hosts.map((one) => ({
            host: one.host.replace(/[[\]]/g, ''),
            port: one.port ?? (kind === 'sentinel' ? 26_379 : 6379),
          })),
          username: username === null ? undefined : decodeURIComponent(username),
          database: kind === 'cluster' ? 0 : database,
          master: kind === 'sentinel' ? 'main' : undefined,
        });
      },
    ),
  );
});

it.each([
  '',
  'store:6379',
  'http://store',
  'redis://',
  'redis://a:0',
  'redis://a:65536',
  'redis://a,b',
  'redis://a/x',
  'redis://a/0/1',
  'redis+sentinel://a',
  'redis+cluster://a/1',
  'redis+other://a',
  'redis://a?db=1',
])('%j is none', (text) => {
  expect(readStoreAddress(text)).toBeUndefined();
  if (text !== '')
    expect(() => buildConfig({ store: text }, {})).toThrow('--store: must be redis://HOST:PORT');
});

it('a password never stands in an address, and is not repeated', () => {
  const store = 'redis://sellers:hunter-two@store.example';
  expect(() => buildConfig({ store }, {})).toThrow(
    '--store: must not hold a password: give it in SELLER_STORE_PASSWORD',
  );
  expect(() => buildConfig({ store }, {})).not.toThrow('hunter-two');
});
