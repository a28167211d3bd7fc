/** "No change" is said, and nothing asked or sent, where everything is as it is wanted; never over a write of ours that reads do not show yet. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tool } from '../../src/protocol/define-tool.ts';
import { changeListings } from '../../tools/change-listings.ts';
import { undoChange } from '../../tools/undo-change.ts';
import { updateSupplySource } from '../../tools/update-supply-source.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import { type Handler, type HttpService, startHttpService } from '../helpers/http-service.ts';
import { RUNS_ALL } from '../helpers/launch.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

const US = 'ATVPDKIKX0DER';
const CA = 'A2EUQ1WTGCTBG2';
const SKU = 'LAMP-1';
const QUICK = { 'x-amzn-RateLimit-Limit': '1000' };

/** Simulates a service that shows a write only when it is let, one write after the other. */
function delayed<State>(first: State) {
  const waiting: State[] = [];
  let shown = first;
  return {
    shown: () => shown,
    latest: () => waiting.at(-1) ?? shown,
    write: (state: State) => void waiting.push(state),
    reveal() {
      shown = waiting.shift() ?? shown;
    },
  };
}

interface Price {
  [marketplace: string]: number;
}
const offersOf = (prices: Price) =>
  Object.entries(prices).map(([marketplace_id, price]) => ({
    audience: 'ALL',
    currency: 'USD',
    marketplace_id,
    our_price: [{ schedule: [{ value_with_tax: price }] }],
  }));
type Offer = ReturnType<typeof offersOf>[number];
const pricesOf = (offers: readonly Offer[]): Price =>
  Object.fromEntries(
    offers.map((offer) => [offer.marketplace_id, offer.our_price[0]?.schedule[0]?.value_with_tax ?? 0]),
  );

interface Shop {
  alias: string;
  configuration: {
    timezone: string;
    operationalConfiguration: { operatingHoursByDay: Record<string, object[]> };
  };
}
const OPEN = [{ startTime: '10:00', endTime: '14:00' }];
const shopOf = (sunday: object[], alias = 'Shop'): Shop => ({
  alias,
  configuration: {
    timezone: 'UTC',
    operationalConfiguration: { operatingHoursByDay: { sunday, monday: OPEN } },
  },
});

let listing = delayed<Price>({});
let shop = delayed(shopOf([]));
let status = delayed('Active');
let isAnswering = true;
const reveal = () => {
  for (const one of [listing, shop, status]) one.reveal();
};

const service: Handler = ({ method, path, json }) => {
  if (path === '/auth/o2/token')
    return { body: { access_token: 'Atza|token', token_type: 'bearer', expires_in: 3600 } };
  const url = new URL(path, 'http://service');
  if (url.pathname.startsWith('/supplySources')) {
    const one = { supplySourceId: 's-1', supplySourceCode: 'c-1' };
    if (method === 'GET') {
      const whole = { ...shop.shown(), ...one, status: status.shown() };
      return { headers: QUICK, body: url.pathname.endsWith('/s-1') ? whole : { supplySources: [whole] } };
    }
    if (url.pathname.endsWith('/status')) status.write(Object(json).status);
    else shop.write(Object(json));
    return isAnswering ? { headers: QUICK, status: 204 } : { status: 503 };
  }
  if (method === 'PATCH') {
    const marketplaces = (url.searchParams.get('marketplaceIds') ?? '').split(',');
    const kept = Object.entries(listing.latest()).filter(([id]) => !marketplaces.includes(id));
    const given = pricesOf(Object(json).patches[0].value);
    listing.write({ ...Object.fromEntries(kept), ...given });
    return { headers: QUICK, body: { sku: SKU, status: 'ACCEPTED', submissionId: 's', issues: [] } };
  }
  const item = {
    sku: SKU,
    summaries: [{ marketplaceId: US, productType: 'LAMP', itemName: 'Lamp' }],
    attributes: { purchasable_offer: offersOf(listing.shown()) },
  };
  return { headers: QUICK, body: url.pathname.endsWith(`/${SKU}`) ? item : { items: [item] } };
};

let folder: string;
let runner: ToolRunner;
let http: HttpService;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-no-change-'));
  http = await startHttpService(service);
  listing = delayed<Price>({ [US]: 218.99, [CA]: 300 });
  shop = delayed(shopOf([]));
  status = delayed('Active');
  isAnswering = true;
});
afterEach(async () => {
  await runner.close();
  await http.close();
  await rm(folder, { recursive: true, force: true });
});

/** Each time as another process, of the same seller at the same service. */
const start = async (writes = 'allow') => {
  const env = { SELLER_BASE_URL: http.url, SELLER_AUTH_URL: http.url, SELLER_STATE_DIR: folder };
  runner = await startToolRunner(() => ({}), { ...env, SELLER_WRITES: writes });
};
const restart = async (writes?: string) => {
  await runner.close();
  await start(writes);
};
const sent = () => http.requests.filter(({ method, path }) => method !== 'GET' && path !== '/auth/o2/token');
const showAtOnce = () => {
  const { write } = shop;
  shop.write = (state) => {
    write(state);
    shop.reveal();
  };
};
const entries = async () => (await runner.session.journal()).list();

const patchOf = (price: number, place = US) => ({
  parameters: { sku: SKU, marketplaceIds: [place] },
  body: {
    productType: 'LAMP',
    patches: [{ op: 'replace', path: '/attributes/purchasable_offer', value: offersOf({ [place]: price }) }],
  },
});
const sundays = (sunday: object[]) => ({
  configuration: { operationalConfiguration: { operatingHoursByDay: { sunday } } },
});

type Call = readonly [Tool, object];
/** Each way to set a price. */
const PRICES = {
  'a single write': (price: number): Call => [
    writeOperation,
    { operation: 'patchListingsItem', ...patchOf(price) },
  ],
  calls: (price: number): Call => [
    writeOperation,
    { operation: 'patchListingsItem', calls: [patchOf(price)] },
  ],
  'change_listings by set': (price: number): Call => [
    changeListings,
    { items: [{ sku: SKU, set: { price } }] },
  ],
  'change_listings by patches': (price: number): Call => [
    changeListings,
    { items: [{ sku: SKU, patches: patchOf(price).body.patches }] },
  ],
};
/** Each way to set the openings of Sunday. */
const SUNDAYS = {
  update_supply_source: (sunday: object[]): Call => [
    updateSupplySource,
    { supplySourceId: 's-1', changes: sundays(sunday) },
  ],
  'a whole body': (sunday: object[]): Call => [
    updateSupplySource,
    { supplySourceId: 's-1', ...shopOf(sunday) },
  ],
  'several stores': (sunday: object[]): Call => [
    updateSupplySource,
    { supplySourceIds: ['s-1'], changes: sundays(sunday) },
  ],
  'a single write': (sunday: object[]): Call => [
    writeOperation,
    {
      operation: 'updateSupplySource',
      parameters: { supplySourceId: 's-1' },
      body: shopOf(sunday),
    },
  ],
};
const setStatus = (value: string): Call => [
  writeOperation,
  {
    operation: 'updateSupplySourceStatus',
    parameters: { supplySourceId: 's-1' },
    body: { status: value },
  },
];
const make = ([tool, args]: Call, more: object = {}) => runner.run(tool, { ...args, ...more });

const ways = <Way>(all: Readonly<Record<string, Way>>) => Object.entries(all);

describe('where everything is as it is wanted', () => {
  const same: [string, Call][] = [
    ...ways(PRICES).map(([name, way]): [string, Call] => [`a price, ${name}`, way(218.99)]),
    ...ways(SUNDAYS).map(([name, way]): [string, Call] => [`a closed Sunday, ${name}`, way([])]),
    ['a status', setStatus('Active')],
  ];
  it.each(same)('%s: nothing is asked, sent or recorded', async (_way, call) => {
    for (const writes of ['code', 'allow']) {
      await start(writes);
      for (const more of [{}, { dryRun: true }]) {
        const { structured, text } = await make(call, more);
        expect(structured.outcome).toBe('no_change');
        expect(text).toContain('Nothing was sent: everything is already like this.');
      }
      expect(sent()).toEqual([]);
      expect(await entries()).toEqual([]);
      await runner.close();
    }
    await start();
  });

  it('an undo of what somebody else has put back already', async () => {
    await start();
    showAtOnce();
    const { structured } = await make(SUNDAYS.update_supply_source(OPEN));
    shop.write(shopOf([]));
    const undo = await runner.run(undoChange, { id: String(structured.journal_id) });
    expect(undo.structured.outcome).toBe('no_change');
    expect(shop.latest()).toEqual(shopOf([]));
  });
});

describe('while a write of ours is not visible yet', () => {
  const prices = ways(PRICES);
  // Each way with the next one, and under test:all with every one.
  const pairs = prices.flatMap(([name, way], at) =>
    (RUNS_ALL ? prices : [...prices, ...prices].slice(at + 1, at + 2)).map(
      ([back, wayBack]) => [name, back, way, wayBack] as const,
    ),
  );
  it.each(pairs)(
    'a price set by %s and back by %s is what the service has in the end',
    async (_way, _back, way, back) => {
      await start();
      await make(way(208.04));
      await restart('code');
      const asked = await make(back(218.99));
      expect(asked.structured.outcome).toBe('needs_confirmation');
      // The question shows the value at the service first, then the wanted value, and the pending write last.
      expect(asked.text).toMatch(/price: 218\.99 USD -> 218\.99 USD.*208\.04 USD/);
      expect(asked.text).toMatch(/was set from here .* it may not be visible yet/);
      await make(back(218.99), { confirmationCode: asked.structured.confirmation_code });
      expect(listing.latest()).toEqual({ [US]: 218.99, [CA]: 300 });
    },
  );

  it.each(ways(SUNDAYS))('Sunday opened and closed again by %s', async (_name, way) => {
    await start();
    await make(SUNDAYS.update_supply_source(OPEN));
    await restart('code');
    const asked = await make(way([]));
    expect(asked.structured.outcome).toBe('needs_confirmation');
    expect(asked.text).toMatch(/Sundays closed -> closed.*10:00-14:00/);
    await make(way([]), { confirmationCode: asked.structured.confirmation_code });
    expect(shop.latest()).toEqual(shopOf([]));
  });

  it('a change of something else sends it along, and shows that', async () => {
    await start();
    await make(SUNDAYS.update_supply_source(OPEN));
    const { text } = await runner.run(updateSupplySource, {
      supplySourceId: 's-1',
      changes: { alias: 'Other' },
      dryRun: true,
    });
    expect(text).toMatch(/alias: "Shop" -> "Other"/);
    expect(text).toMatch(/Sundays closed -> 10:00-14:00/);
  });

  it.each([
    ['the last of them', 1, [208.04]],
    ['the first of them', 0, [218.99]],
    ['one after the other', 1, [208.04, 218.99]],
  ])('an undo of two changes, neither visible: %s', async (_name, first, wanted) => {
    await start();
    const made = [];
    for (const price of [208.04, 199]) made.push(await make(PRICES['a single write'](price)));
    await restart();
    for (const [at, price] of wanted.entries()) {
      const id = String(made[first - at]?.structured.journal_id);
      const { structured } = await runner.run(undoChange, { id });
      expect(structured.outcome).toBe('accepted_not_visible');
      expect(listing.latest()[US]).toBe(price);
    }
  });

  it('what was sent while nothing showed it is not told as visible', async () => {
    await start();
    await make(PRICES['a single write'](208.04));
    const { structured } = await make(PRICES['a single write'](218.99));
    expect(structured).toMatchObject({ outcome: 'accepted_not_visible' });
    // The first of the two comes up: the second is still on its way.
    reveal();
    const again = await make(PRICES['a single write'](208.04));
    expect(again.structured.outcome).not.toBe('no_change');
    expect(listing.latest()[US]).toBe(208.04);
  });

  it('a write without an answer counts as one that may come', async () => {
    shop = delayed(shopOf(OPEN));
    await start();
    isAnswering = false;
    await make(SUNDAYS.update_supply_source([])).catch(() => undefined);
    isAnswering = true;
    const { structured } = await make(SUNDAYS.update_supply_source(OPEN));
    expect(structured.outcome).not.toBe('no_change');
    expect(shop.latest()).toEqual(shopOf(OPEN));
  });

  it.each(ways(PRICES))(
    'after one of which nothing is kept, nothing is left out of %s',
    async (_name, way) => {
      await start();
      const odd = patchOf(208.04).body.patches.map((patch) => ({ ...patch, note: 'of another version' }));
      const { parameters, body } = patchOf(208.04);
      const first = { operation: 'patchListingsItem', parameters, body: { ...body, patches: odd } };
      await runner.run(writeOperation, first);
      expect(listing.latest()[US]).toBe(208.04);
      await restart();
      const { structured } = await make(way(218.99));
      expect(structured.outcome).not.toBe('no_change');
      expect(listing.latest()).toEqual({ [US]: 218.99, [CA]: 300 });
    },
  );

  it('another marketplace, and another member, are not concerned', async () => {
    await start();
    await make(PRICES['a single write'](208.04));
    const { structured } = await runner.run(writeOperation, {
      operation: 'patchListingsItem',
      ...patchOf(300, CA),
    });
    expect(structured.outcome).toBe('no_change');
    const active = await make(setStatus('Active'));
    expect(active.structured.outcome).toBe('no_change');
  });

  it('what was read back once, and was changed by somebody else since, is not waited for', async () => {
    shop = delayed(shopOf(OPEN));
    await start();
    showAtOnce();
    expect((await make(SUNDAYS.update_supply_source([]))).structured.outcome).toBe('done');
    shop.write(shopOf(OPEN));
    const { structured } = await make(SUNDAYS.update_supply_source(OPEN));
    expect(structured.outcome).toBe('no_change');
  });
});

it('whatever is set, shown and restarted: what was wanted last is what the service has', async () => {
  let unchanged = 0;
  const step = fc.oneof(
    fc.record({
      way: fc.constantFrom(...Object.values(PRICES)),
      price: fc.constantFrom(218.99, 208.04, 199),
    }),
    fc.record({ way: fc.constantFrom(...Object.values(SUNDAYS)), sunday: fc.constantFrom([], OPEN) }),
    fc.record({ status: fc.constantFrom('Active', 'Inactive') }),
    fc.constant('reveal' as const),
    fc.constant('restart' as const),
  );
  await start();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      await rm(folder, { recursive: true, force: true });
      listing = delayed<Price>({ [US]: 218.99, [CA]: 300 });
      shop = delayed(shopOf([]));
      status = delayed('Active');
      await restart();
      for (const one of steps) {
        if (one === 'reveal') reveal();
        else if (one === 'restart') await restart();
        else {
          const call =
            'price' in one
              ? one.way(one.price)
              : 'sunday' in one
                ? one.way(one.sunday)
                : setStatus(one.status);
          const before = sent().length;
          const { structured } = await make(call);
          const isSame = structured.outcome === 'no_change';
          expect(sent().length - before).toBe(isSame ? 0 : 1);
          unchanged += Number(isSame);
          if ('price' in one) expect(listing.latest()).toEqual({ [US]: one.price, [CA]: 300 });
          else if ('sunday' in one) expect(shop.latest()).toEqual(shopOf(one.sunday));
          else expect(status.latest()).toBe(one.status);
        }
      }
    }),
    { numRuns: RUNS_ALL ? 30 : 10 },
  );
  expect(unchanged).toBeGreaterThan(3);
}, 600_000);
