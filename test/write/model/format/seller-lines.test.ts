/**
 * Tests how the seller and the target of a write are named: a write that is not for the real service or this
 * account never looks so.
 */

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../../../src/service/facts/operation.ts';
import { addressesFor } from '../../../../src/service/facts/regions.ts';
import { loadRegistry } from '../../../../src/service/registry/registry.ts';
import {
  isSellerKnown,
  otherSellers,
  sellerLines,
  sellerOf,
} from '../../../../src/write/model/format/seller-lines.ts';
import { OWNER } from '../../run/open-guard.ts';

let operation: Operation;
beforeAll(async () => {
  operation = (await loadRegistry()).find('listings-items/patchListingsItem');
});

const REAL = { ...OWNER, baseUrl: addressesFor('eu', false).baseUrl };
const lines = (
  owner: typeof OWNER,
  calls: Record<string, unknown>[] = [{}],
  more: object = {},
  url?: string,
) =>
  sellerLines(
    { operation, account: 'acme', request: { method: 'PATCH', owner }, ...more },
    calls,
    6_000,
    url,
  );

it('the account’s own seller is told alone, others before it and in capitals, each once', () => {
  const ids = fc.array(fc.constantFrom(undefined, OWNER.sellerId, 'OTHER1', 'OTHER2', 'OTHER3', 'OTHER4'), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(ids, (sellers) => {
      const calls = sellers.map((sellerId) => (sellerId === undefined ? {} : { sellerId }));
      const others = [...new Set(sellers.filter((id) => id !== undefined && id !== OWNER.sellerId))];
      expect(otherSellers(REAL, calls)).toEqual(others);
      const more = others.length > 3 ? ` and ${others.length - 3} more` : '';
      const head =
        others.length === 0
          ? ''
          : `${others.slice(0, 3).join(', ')}${more}, AS THE PARAMETERS NAME IT, NOT THE ACCOUNT'S OWN: `;
      expect(lines(REAL, calls)).toEqual([`Seller: ${head}A1SELLER, account acme`]);
      const id = others.length === 0 ? 'A1SELLER' : `${others.join(', ')}, NOT THE ACCOUNT'S OWN (A1SELLER)`;
      expect(sellerOf({ owner: REAL }, calls)).toEqual({ id, client_id: 'client-1', sent_to: undefined });
    }),
    { examples: [[['OTHER1', 'OTHER2', 'OTHER3']], [['OTHER1', 'OTHER2', 'OTHER3', 'OTHER4']]] },
  );
});

it('where nobody knows whose it is, the client id is told', () => {
  const { sellerId: _seller, ...unknown } = REAL;
  expect(lines(unknown)).toEqual(['Seller: id not known, client id "client-1", account acme']);
  expect(sellerOf({ owner: unknown }, [{ sellerId: 'X' }])).toMatchObject({
    id: 'not known',
    client_id: 'client-1',
  });
  const given = { ...REAL, isGiven: true };
  expect(lines(given)[0]).toBe(
    'Seller: NOT VERIFIED, credentials given in the chat, client id "client-1", account acme',
  );
  expect(sellerOf({ owner: given }, [{ sellerId: 'X' }]).id).toBe(
    'NOT VERIFIED, credentials given in the chat',
  );
  const { login: _login, ...bare } = unknown;
  expect(lines(bare)[0]).toBe('Seller: id not known, client id not known, account acme');
  expect([REAL, unknown, given].map(isSellerKnown)).toEqual([true, false, false]);
});

describe('where it goes', () => {
  const targetLine = (baseUrl: string, more: object = {}) => lines({ ...OWNER, baseUrl, ...more })[1];
  it('is not told of an address of the service, and told of its sandbox', () => {
    for (const region of ['eu', 'na', 'fe'] as const) {
      expect(targetLine(addressesFor(region, false).baseUrl)).toBeUndefined();
      const { baseUrl } = addressesFor(region, true);
      expect(targetLine(baseUrl)).toBe(
        `Sent to: the sandbox of the service (${new URL(baseUrl).host}), NOT THE REAL SERVICE`,
      );
    }
  });
  it('is told of any other', () => {
    expect(targetLine('https://shop.example/api')).toBe(
      'Sent to: shop.example/api, NOT AN ADDRESS OF THE REAL SERVICE',
    );
    expect(targetLine('https://shop.example')).toBe(
      'Sent to: shop.example, NOT AN ADDRESS OF THE REAL SERVICE',
    );
    expect(targetLine('http://127.0.0.1:81')).toBe(
      'Sent to: 127.0.0.1:81 on this computer, NOT AN ADDRESS OF THE REAL SERVICE',
    );
    expect(targetLine('http://127.0.0.1:81', { isSandbox: true })).toBe(
      'Sent to: the demo account on this computer; nothing reaches Amazon',
    );
    const long = `${'a.'.repeat(150)}example`;
    expect(targetLine(`https://${long}`)).toBe(
      `Sent to: ...${long.slice(-260)}, NOT AN ADDRESS OF THE REAL SERVICE`,
    );
  });
});

it('who makes the call reads its operation and address, the address whole where it fits', () => {
  const details = (url?: string) => lines(REAL, [{}], { isForCaller: true }, url).at(-1);
  expect(details('https://x.test/y')).toBe('For the assistant: patchListingsItem, PATCH https://x.test/y');
  expect(details()).toBe(`For the assistant: patchListingsItem, PATCH ${operation.path} at ${REAL.baseUrl}`);
  expect(details(`https://x.test/${'y'.repeat(600)}`)).toBe(details());
});
