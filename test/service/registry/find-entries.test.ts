import { expect, test } from 'vitest';
import { InputError } from '../../../src/base/errors.ts';
import { listOperations } from '../../../src/service/describe/list-operations.ts';
import type { Operation } from '../../../src/service/facts/operation.ts';
import { loadRegistry, type Registry } from '../../../src/service/registry/registry.ts';

const registry = await loadRegistry();

const tokens = (text: string) => Buffer.byteLength(text) / 3;

function madeUp(count: number, groups: number): Operation[] {
  return Array.from({ length: count }, (_, index): Operation => {
    const slug = `brought-${index % groups}`;
    return {
      id: `${slug}/getSomethingOfMine${index}`,
      group: slug,
      name: `getSomethingOfMine${index}`,
      method: 'GET',
      path: `/mine/${index}`,
      parameters: [],
      effect: 'read',
      auth: { kind: 'seller' },
      source: 'user',
    };
  });
}

test('without a filter: every group and name, under 2,000 tokens in both forms', async () => {
  const { text, data } = await listOperations(registry);
  expect(tokens(text)).toBeLessThan(2000);
  expect(tokens(JSON.stringify(data))).toBeLessThan(2000);
  expect(text).toContain('366 of 384 public operations can be called; 18 are left out as older versions');
  expect(text).toContain('203 operations: 201 can be called, 2 are known by name only; 165 more');
  expect(data).toMatchObject({
    documented: { callable: 201, nameOnly: 2 },
    beyondTheDocument: 165,
    public: { callable: 366, leftOut: 18 },
  });
  for (const { id } of registry.operations) expect(text).toContain(`\n${id.split('/')[0]}: `);
  for (const name of [
    'searchOrders',
    'getOrder@2026-01-01',
    'patchListingsItem',
    'createFeed',
    'sendInvoice',
  ])
    expect(text).toContain(name);
  expect(text).toContain('catalog-v0: listCatalogCategories (2 older)');
  expect(text).toContain('vendor-orders: 4 operations');
});

test.each([
  [500, 3],
  [3000, 1500],
])(
  '%i brought operations in %i groups keep it under 2,000 tokens, built-in names first',
  async (count, groups) => {
    const { text, data } = await listOperations(await loadRegistry(madeUp(count, groups)));
    expect(tokens(text)).toBeLessThan(2000);
    expect(tokens(JSON.stringify(data))).toBeLessThan(2000);
    expect(text).toContain('deleteDestination');
    expect(text).toContain(groups === 3 ? 'brought-1: 167 operations' : 'more groups');
  },
);

test('words in any order, over names, groups and ids; both spellings', async () => {
  const ids = async (search: string) =>
    (await registry.list({ search, limit: 50 })).operations.map(({ id }) => id);
  expect(await ids('items search')).toEqual(await ids('search items'));
  expect((await ids('items search'))[0]).toBe('catalog-items/searchCatalogItems');
  expect((await ids('getOrder')).slice(0, 5)).toContain('orders/getOrder@2026-01-01');
  expect(await ids('OUTBOUND Fulfillment')).toEqual(
    expect.arrayContaining(['outbound-fulfilment/getFeatures']),
  );
  expect(await ids('nothing-like-this')).toEqual([]);
});

test('group, method and callable narrow it; an unknown group lists those that exist', async () => {
  const deletes = await registry.list({ group: 'Notifications', method: 'DELETE' });
  expect(deletes.operations.map(({ name }) => name)).toEqual(['deleteSubscriptionById', 'deleteDestination']);
  const { operations: nameOnly } = await registry.list({ callable: false });
  expect(nameOnly.map(({ name, reason }) => [name, typeof reason])).toEqual([
    ['Authorization', 'string'],
    ['listCatalogItems', 'string'],
  ]);
  await expect(registry.list({ group: 'nope' })).rejects.toThrow(InputError);
  const { operations: inbound } = await registry.list({ group: 'inbound' });
  expect(inbound.every(({ group }) => group.includes('bound'))).toBe(true);
});

test('pages follow each other without loss and end', async () => {
  const seen: string[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const page: Awaited<ReturnType<Registry['list']>> = await registry.list({ offset, limit: 50 });
    expect(page.total).toBe(369);
    seen.push(...page.operations.map(({ id }) => id));
    offset = page.nextOffset;
  }
  expect(new Set(seen).size).toBe(369);
  expect((await listOperations(registry, { offset: 500 })).text).toContain('past the last');
});

test('details say method, path, effect, and what is deprecated or gone', async () => {
  const { text } = await listOperations(registry, { search: 'catalog', limit: 50 });
  expect(text).toContain('GET /catalog/v0/items/{asin} (read; deprecated; removal date 2022-09-30');
  expect(text).toContain('catalog-v0/listCatalogItems: GET (path not known) (not callable: withdrawn');
  const { text: more } = await listOperations(registry, { search: 'searchListingsItems' });
  expect(more).toContain('(read)');
});
