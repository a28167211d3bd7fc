import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildConfig } from '../../src/base/config.ts';
import { readStoreAddress } from '../../src/base/store-address.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

it('what is written as an address is read as it was meant', () => {
  const host = fc.constantFrom('store', 'a.example', '10.0.0.1', '[2001:db8::1]', 'pg-0.pg', ...LOOPBACK);
  const port = fc.option(fc.integer({ min: 1, max: 65_535 }));
  const endpoint = fc.record({ host, port });
  const written = ({ host: name, port: number }: { host: string; port: number | null }) =>
    number === null ? name : `${name}:${number}`;
  fc.assert(
    fc.property(
      fc.constantFrom('postgres', 'postgresql'),
      fc.array(endpoint, { minLength: 1, maxLength: 3 }),
      fc.option(fc.constantFrom('sellers', 'a%40b')),
      fc.option(fc.constantFrom('shared', 'a%2Fb')),
      fc.option(fc.constantFrom('disable', 'verify-full')),
      (scheme, hosts, username, database, mode) => {
        const user = username === null ? '' : `${username}@`;
        const path = database === null ? '' : `/${database}`;
        const query = mode === null ? '' : `?sslmode=${mode}`;
        const name = username === null ? undefined : decodeURIComponent(username);
        expect(readStoreAddress(`${scheme}://${user}${hosts.map(written).join(',')}${path}${query}`)).toEqual(
          {
            hosts: hosts.map((one) => ({ host: one.host.replace(/[[\]]/g, ''), port: one.port ?? 5432 })),
            isEncrypted:
              mode === null ? hosts.some((one) => !LOOPBACK.includes(one.host)) : mode !== 'disable',
            username: name,
            database: database === null ? (name ?? 'postgres') : decodeURIComponent(database),
          },
        );
      },
    ),
  );
});

const NONE = `store:5432 http://store postgres:// postgres:///shared postgres://a:0 postgres://a:65536
  postgres://a,,b postgres://a/b/c postgres://a%zz@b postgres://a?sslmode=require
  postgres://a?sslmode=disable&application_name=b postgres://a?password=hunter-two`.split(/\s+/);

it.each(['', ...NONE])('%j is none', (text) => {
  expect(readStoreAddress(text)).toBeUndefined();
  if (text !== '')
    expect(() => buildConfig({ store: text }, {})).toThrow(
      /^Invalid settings\. --store: must be postgres:\/\/USER@HOST:PORT\/DATABASE,(?!.*hunter)/,
    );
});

it('a password never stands in an address, and is not repeated', () => {
  const store = 'postgresql://sellers:hunter-two@store.example';
  expect(readStoreAddress(store)).toBeUndefined();
  expect(() => buildConfig({ store }, {})).toThrow(
    /^Invalid settings\. --store: must not hold a password: give it in SELLER_STORE_PASSWORD\.$/,
  );
});

it.each(['redis://store', 'rediss://sellers:hunter-two@store'])('%j is told what took its place', (store) => {
  expect(() => buildConfig({ store }, {})).toThrow(
    /^Invalid settings\. --store: is PostgreSQL now, no longer Redis: postgres:\/\/USER@HOST:PORT\/DATABASE\.$/,
  );
});
