/** Many listings read at once: together where that is allowed, alone where it is not, each as getListingsItem would show it. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/base/errors.ts';
import type { Segments } from '../../../../src/base/json-difference.ts';
import type { Operation } from '../../../../src/service/facts/operation.ts';
import { readListings } from '../../../../src/write/handlers/listing/read-listings.ts';

interface World {
  /** SKUs that there are. */
  there: readonly string[];
  /** The SKUs that no search finds yet, though they are there. */
  isNew?: readonly string[];
  /** Status of each search, and of each other request. */
  search?: number;
  single?: number;
  /** Statuses that refuse whatever names the SKU. */
  refused?: Readonly<Record<string, number>>;
  /** Places within the answer of numbers that were read as texts. */
  inexact?(skus: readonly string[]): Segments[];
  /** The body of an answer in place of listings. */
  body?: unknown;
  attributes?: ReadonlySet<string>;
}

const listing = (sku: string) => ({
  sku,
  summaries: [{ marketplaceId: 'M1', itemName: `Lamp ${sku}`, productType: 'LAMP', asin: 'B1' }],
  attributes: { item_name: [{ value: sku }], brand: [{ value: 'Lumen' }] },
});

async function read(skus: readonly string[], world: World) {
  const asked: { name: string; skus: readonly string[]; parameters: object }[] = [];
  const reports: number[][] = [];
  const client = {
    async call({ operation, parameters }: { operation: { id: string }; parameters?: object }) {
      const { sku, identifiers }: { sku?: string; identifiers?: string[] } = parameters ?? {};
      const wanted = identifiers ?? [sku ?? ''];
      const name = operation.id.replace('listings-items/', '');
      asked.push({ name, skus: wanted, parameters: parameters ?? {} });
      const status = identifiers === undefined ? world.single : world.search;
      const refusal = wanted.flatMap((one) => world.refused?.[one] ?? [])[0];
      if (refusal !== undefined) throw new ApiError({ status: refusal }, 'not this one');
      if (status !== undefined) throw new ApiError({ status }, 'no');
      const isFound = (one: string) => identifiers === undefined || !(world.isNew ?? []).includes(one);
      const found = wanted.filter((one) => world.there.includes(one) && isFound(one));
      if (identifiers === undefined && found.length === 0) throw new ApiError({ status: 404 }, 'none');
      const items = found.map(listing);
      const body = identifiers === undefined ? items[0] : { items };
      return {
        body: 'body' in world ? world.body : body,
        findNumbersAsText: () => world.inexact?.(found) ?? [],
      };
    },
  };
  const reader = {
    client: client as never,
    find: (id: string) => ({ id }) as unknown as Operation,
    account: 'default',
    marketplaceId: 'M1',
    call: {} as never,
    attributes: world.attributes,
    tell: (...parts: number[]) => void reports.push(parts),
  };
  const found = await readListings(skus, reader);
  return { found, keys: [...found.keys()].toSorted(), asked, reports };
}
const skusOf = (count: number) => Array.from({ length: count }, (_, at) => `S-${at}`);
const searches = ({ asked }: Awaited<ReturnType<typeof read>>) =>
  asked.filter(({ name }) => name === 'searchListingsItems').map(({ skus }) => skus.length);
const alone = ({ asked }: Awaited<ReturnType<typeof read>>) =>
  asked.filter(({ name }) => name === 'getListingsItem').flatMap(({ skus }) => skus);

it('twenty are one search, and every one that there is is given', async () => {
  const skus = skusOf(45);
  const all = await read(skus, { there: skus });
  expect(searches(all).toSorted()).toEqual([20, 20, 5]);
  expect(alone(all)).toEqual([]);
  expect(all.keys).toEqual(skus.toSorted());
  expect(all.found.get('S-44')?.item).toEqual(listing('S-44'));
  expect(all.reports.map(([, of]) => of)).toEqual([45, 45, 45]);
  expect(Math.max(...all.reports.map(([done = 0]) => done))).toBe(45);
  expect(all.asked[0]?.parameters).toEqual({
    marketplaceIds: ['M1'],
    includedData: ['summaries', 'attributes', 'productTypes', 'fulfillmentAvailability', 'offers'],
    identifiers: skus.slice(0, 20),
    identifiersType: 'SKU',
    pageSize: 20,
  });
});

it('a SKU with a comma is read alone: a list is parted there', async () => {
  const all = await read(['A', 'B,C', 'D'], { there: ['A', 'B,C', 'D'] });
  expect(searches(all)).toEqual([2]);
  expect(alone(all)).toEqual(['B,C']);
  expect(all.keys).toEqual(['A', 'B,C', 'D']);
  const none = await read(['B,C'], { there: [] });
  expect([none.keys, alone(none), searches(none)]).toEqual([[], ['B,C'], []]);
});

describe('what a search does not give', () => {
  it('is looked for by itself, since what is new is not found at once', async () => {
    const all = await read(skusOf(5), { there: skusOf(4), isNew: ['S-1'] });
    expect(alone(all).toSorted()).toEqual(['S-1', 'S-4']);
    expect(all.keys).toEqual(['S-0', 'S-1', 'S-2', 'S-3']);
  });

  it.each([
    [40, 40],
    [41, 0],
  ])('unless it is too many: of %i that are missing %i are', async (missing, expected) => {
    const all = await read(skusOf(missing), { there: [] });
    expect(alone(all)).toHaveLength(expected);
    expect(all.keys).toEqual([]);
  });
});

describe('where no search is allowed', () => {
  it.each([403, 404])('(%i) each is read alone, once, and no other search is tried', async (search) => {
    const skus = skusOf(3);
    const all = await read([...skus, 'gone'], { there: skus, search });
    expect(searches(all)).toEqual([4]);
    expect(alone(all)).toEqual([...skus, 'gone']);
    expect(all.keys).toEqual(skus);
  });

  it('a search for one alone does not say that for the others', async () => {
    const all = await read(['S-0'], { there: ['S-0'], search: 404 });
    expect(all.keys).toEqual(['S-0']);
    expect(searches(all)).toEqual([1]);
  });

  it.each([{ search: 500 }, { search: 403, single: 500 }, { search: 403, single: 403 }])(
    'what cannot be read at all cannot be compared: %j',
    async (statuses) => {
      await expect(read(['A', 'B'], { there: ['A', 'B'], ...statuses })).rejects.toThrow('no');
    },
  );
});

it('a SKU that cannot be read takes no other with it, wherever it stands', async () => {
  const status = fc.constantFrom(400, 403, 404, 413, 422);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 65 }),
      fc.array(fc.tuple(fc.nat(64), status), { maxLength: 6 }),
      fc.boolean(),
      async (count, refusals, maySearch) => {
        const skus = skusOf(count);
        const refused = Object.fromEntries(refusals.map(([at, status]) => [`S-${at}`, status]));
        const isRead = (sku: string) => refused[sku] === undefined;
        fc.pre(skus.some(isRead));
        const { found, keys } = await read(skus, {
          there: skus,
          refused,
          ...(maySearch ? {} : { search: 403 }),
        });
        expect(keys).toEqual(skus.filter(isRead).toSorted());
        const isUnread = (sku: string) => !isRead(sku) && refused[sku] !== 404;
        expect([...found.unread.keys()].toSorted()).toEqual(skus.filter(isUnread).toSorted());
      },
    ),
    { numRuns: 60 },
  );
});

it('a search that fails is asked for one by one where the service answers others', async () => {
  const skus = skusOf(45);
  const { keys, found } = await read(skus, { there: skus, refused: { 'S-3': 500 } });
  expect(keys).toEqual(skus.filter((sku) => sku !== 'S-3').toSorted());
  expect([...found.unread.keys()]).toEqual(['S-3']);
});

it('a service that is away is not asked for every SKU', async () => {
  const skus = skusOf(2_000);
  const all = await read(skus, {
    there: skus,
    refused: Object.fromEntries(skus.slice(20).map((sku) => [sku, 503])),
  });
  expect(all.keys).toEqual(skus.slice(0, 20).toSorted());
  expect(all.found.unread.size).toBe(1_980);
  expect(all.asked.length).toBeLessThan(60);
});

it.each([undefined, 5, [], { items: 5 }, { items: [5, null, {}, { sku: 5 }] }])(
  'an answer that holds no listings (%j) gives none',
  async (body) => {
    expect((await read(['A'], { there: ['A'], body })).keys).toEqual([]);
  },
);

it('a number that was read as a text is told of its own listing and attribute alone', async () => {
  const inexact = (skus: readonly string[]): Segments[] =>
    skus.length === 1
      ? [['attributes', 'weight', 0, 'value']]
      : [
          ['items', 0, 'attributes', 'brand', 0, 'value'],
          ['items', 1, 'attributes', 'weight'],
          ['items', 1, 'summaries', 'price'],
          ['items', 1, 'attributes', 'size'],
          ['pagination', 1, 'attributes', 'other'],
          ['numberOfResults'],
        ];
  const { found } = await read(['A', 'B', 'C'], { there: ['A', 'B', 'C'], inexact });
  const of = (sku: string) => [...(found.get(sku)?.inexact ?? ['?'])];
  expect([of('A'), of('B'), of('C')]).toEqual([['brand'], ['weight', 'size'], []]);
  const one = await read(['A,B'], { there: ['A,B'], inexact });
  expect([...(one.found.get('A,B')?.inexact ?? [])]).toEqual(['weight']);
});

it('of many only the attributes that are needed are kept, and their names and types', async () => {
  const { found } = await read(['A'], { there: ['A'], attributes: new Set(['brand', 'size']) });
  expect(found.get('A')?.item).toEqual({
    sku: 'A',
    summaries: [{ marketplaceId: 'M1', itemName: 'Lamp A', productType: 'LAMP' }],
    attributes: { brand: [{ value: 'Lumen' }] },
  });
  const bare = { items: [{ sku: 'A', other: 1 }] };
  const whole = await read(['A'], { there: ['A'], attributes: new Set(['brand']), body: bare });
  expect(whole.found.get('A')?.item).toEqual({ sku: 'A', other: 1 });
});
