/** Ids and bare names of the first edition mean what they meant, whatever later editions bring. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { groups } from '../../../src/service/facts/generated/groups.ts';
import { olderVersions } from '../../../src/service/facts/groups.ts';
import { type IdParts, idsOf } from '../../../src/service/facts/operation-ids.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

const listed = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'ids-of-the-first-edition.json'), 'utf8')));
const firstIds = Object.keys(listed);
const nameOf = (id: string) => id.slice(id.indexOf('/') + 1).replace(/@.*$/, '');
const groupOf = (id: string) => id.slice(0, id.indexOf('/'));

const registry = await loadRegistry();

test('every id of the first edition has its method and path still', () => {
  expect(firstIds).toHaveLength(230);
  for (const [id, endpoint] of Object.entries(listed)) {
    const { method, path, id: found } = registry.find(id);
    expect(found).toBe(id);
    expect(`${method} ${path}`, id).toBe(endpoint);
  }
});

test('every bare name that meant one operation still does, in the same group and its current version', () => {
  const names = firstIds.map(nameOf).filter((name, _, all) => all.filter((one) => one === name).length === 1);
  const shared = names.filter((name) => registry.operations.filter((one) => one.name === name).length > 1);
  expect([...shared].sort()).toEqual([
    'getInvoice',
    'getInvoiceStatus',
    'getOrder',
    'getOrders',
    'submitInvoice',
  ]);
  for (const name of names) {
    const { operation, note } = registry.resolve(name);
    const before = firstIds.find((id) => nameOf(id) === name) ?? '';
    expect(groupOf(operation.id), name).toBe(groupOf(before));
    const twins = registry.operations.filter((one) => one.name === name && one.group === operation.group);
    expect(operation.edition, name).toBe(Math.max(...twins.map(({ edition = 0 }) => edition)));
    expect(note !== '', name).toBe(shared.includes(name));
  }
});

test('a bare name that two of the first groups share stays an error', () => {
  const shared = ['getShipment', 'getAccount', 'cancelShipment', 'createShipment', 'getCatalogItem'];
  for (const name of [...shared, 'getRates', 'purchaseShipment', 'linkCarrierAccount'])
    expect(() => registry.find(name), name).toThrow('names');
});

test('a new name means sellers before vendors and external ones', () => {
  const later = registry.operations.filter(({ edition = 1 }) => edition > 1);
  for (const name of new Set(later.map((one) => one.name))) {
    const all = registry.operations.filter((one) => one.name === name);
    const groups = new Set(all.filter(({ audience }) => audience === undefined).map(({ group }) => group));
    if (groups.size !== 1 || firstIds.some((id) => nameOf(id) === name)) continue;
    expect(registry.find(name).audience, name).toBeUndefined();
  }
});

describe('groups', () => {
  test('are unique beside those of the document, fit for ids and short', () => {
    expect(new Set(groups.map(({ slug }) => slug)).size).toBe(groups.length);
    expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length);
    for (const { slug } of groups.filter(({ names }) => names === undefined))
      expect(slug).toMatch(/^[a-z0-9-]{3,30}$/);
  });

  test('vendors and external ones are marked, and nobody else', () => {
    for (const { id, path, audience } of registry.operations) {
      const expected = /^\/(?:vendor|finances\/remittances)\//.test(path)
        ? 'vendor'
        : /^\/externalFulfillment\//.test(path)
          ? 'external'
          : undefined;
      expect(audience, id).toBe(expected);
    }
  });
});

test('older versions that are left out are listed in a newer one, by the same names', () => {
  expect(olderVersions.flatMap(({ operations }) => operations)).toHaveLength(18);
  for (const { group, newer, path, operations } of olderVersions) {
    for (const name of operations) {
      const found = registry.operations.filter((one) => one.name === name && groupOf(one.id) === group);
      expect(
        found.map(({ version }) => version),
        `${group}/${name}`,
      ).toContain(newer);
    }
    expect(registry.operations.filter((one) => one.path.startsWith(path))).toEqual([]);
  }
});

describe('idsOf', () => {
  const one = (more: Partial<IdParts> = {}): IdParts => ({
    slug: 'orders',
    edition: 1,
    name: 'getOrder',
    version: 'v0',
    method: 'GET',
    ...more,
  });

  test('a later edition never changes an id, in whatever order the files come', () => {
    const before = idsOf([one()]);
    const [first, later] = idsOf([one(), one({ edition: 2, version: 'v1' })]);
    expect([first]).toEqual(before);
    expect(later).toBe('orders/getOrder@v1');
    expect(idsOf([one({ edition: 2, version: 'v1' }), one()])).toEqual([
      'orders/getOrder@v1',
      'orders/getOrder',
    ]);
  });

  test('twins of one edition both carry the version, and the method where that is the same too', () => {
    expect(idsOf([one(), one({ version: 'v1' })])).toEqual(['orders/getOrder@v0', 'orders/getOrder@v1']);
    expect(idsOf([one(), one({ method: 'PUT' })])).toEqual([
      'orders/getOrder@v0-GET',
      'orders/getOrder@v0-PUT',
    ]);
  });
});
