import { afterEach, describe, expect, it } from 'vitest';
import { changeListings } from '../../tools/change-listings.ts';
import type { Handler, ReceivedRequest } from '../helpers/http-service.ts';
import { startToolRunner, type ToolRunner, toolContext } from '../helpers/tool-runner.ts';

const US = 'ATVPDKIKX0DER';
const amount = (value: number) => [{ schedule: [{ value_with_tax: value }] }];
const SALE = [{ schedule: [{ value_with_tax: 15, start_at: '2026-12-01', end_at: '2036-12-24' }] }];

function offers(price: number) {
  const marketplaceMembers = { currency: 'USD', marketplace_id: US };
  return [
    { ...marketplaceMembers, audience: 'ALL', our_price: amount(price), discounted_price: SALE },
    { ...marketplaceMembers, audience: 'B2B', our_price: amount(price - 1) },
  ];
}

interface Listings {
  [sku: string]: { price: number; channel?: string; attributes?: object };
}

/** Listings that can be searched by SKU, read alone, and patched. */
function service(
  listings: Listings,
  before: (request: ReceivedRequest) => ReturnType<Handler> | undefined = () => undefined,
): Handler {
  const show = (sku: string) => {
    const { price = 0, channel = 'DEFAULT', attributes = {} } = listings[sku] ?? {};
    return {
      sku,
      summaries: [{ marketplaceId: US, productType: 'LAMP', itemName: `Lamp ${sku}` }],
      attributes: {
        purchasable_offer: offers(price),
        fulfillment_availability: [{ fulfillment_channel_code: channel, marketplace_id: US }],
        ...attributes,
      },
    };
  };
  return (request, response) => {
    const early = before(request);
    if (early !== undefined) return early;
    const url = new URL(request.path, 'http://service');
    const sku = decodeURIComponent(url.pathname.split('/')[5] ?? '');
    const headers = { 'x-amzn-RateLimit-Limit': '1000' };
    if (request.method === 'PATCH')
      return { headers, body: { sku, status: 'ACCEPTED', submissionId: 's-1', issues: [] } };
    if (sku !== '')
      return listings[sku] === undefined
        ? { status: 404, body: { errors: [{ code: 'NOT_FOUND' }] } }
        : { headers, body: show(sku) };
    const wanted = url.searchParams.get('identifiers')?.split(',') ?? Object.keys(listings);
    void response;
    const items = wanted.filter((one) => listings[one] !== undefined).map(show);
    return { headers, body: { numberOfResults: items.length, items } };
  };
}

let runner: ToolRunner;
afterEach(() => runner.close());

const start = async (handler: Handler, writes = 'allow') => {
  runner = await startToolRunner(handler, { SELLER_WRITES: writes });
};
const sent = () => runner.calls().filter(({ method }) => method === 'PATCH');
const problemOf = (args: object) =>
  runner.run(changeListings, args).then(
    () => '',
    (error) =>
      [
        error.name,
        error.message,
        ...(error.problems ?? []).map(
          ({ path, message }: { path: string; message: string }) => `${path} ${message}`,
        ),
        error.hint,
      ].join('\n'),
  );

describe('what is sent', () => {
  it('one search for all, and a patch of the whole attribute for each', async () => {
    await start(service({ 'L-1': { price: 20 }, 'L-2': { price: 30 } }));
    const items = [
      { sku: 'L-1', set: { price: 18.5 } },
      { sku: 'L-2', set: { price: '27 USD' } },
    ];
    const { structured } = await runner.run(changeListings, { items });
    const [search] = runner.calls();
    expect(search?.path).toMatch(/\/listings\/2021-08-01\/items\/A1SELLER\?.*identifiers=L-1%2CL-2/);
    expect(search?.path).toContain('identifiersType=SKU');
    expect(sent()).toHaveLength(2);
    expect(sent().find(({ path }) => path.includes('/L-1?'))).toMatchObject({
      path: `/listings/2021-08-01/items/A1SELLER/L-1?marketplaceIds=${US}`,
      json: {
        productType: 'LAMP',
        patches: [
          {
            op: 'replace',
            path: '/attributes/purchasable_offer',
            value: [{ ...offers(20)[0], our_price: amount(18.5) }, offers(20)[1]],
          },
        ],
      },
    });
    expect(structured).toMatchObject({ outcome: expect.any(String), items: 2 });
  });

  it('patches that name another marketplace than the list are refused', async () => {
    await start(service({ 'L-1': { price: 20 } }));
    const value = [{ marketplace_id: 'CA' }, { marketplace_id: 'US' }];
    const patches = [{ op: 'delete', path: '/attributes/purchasable_offer', value }];
    const problem = await problemOf({ items: [{ sku: 'L-1', patches }] });
    expect(problem).toContain(
      'items.0.patches (L-1) name CA, and this list is for the United States: make a list for each marketplace',
    );
    expect(sent()).toEqual([]);
  });

  it('patches go out as they were given, with the type of the listing', async () => {
    await start(service({ 'L-1': { price: 20 } }));
    const patches = [
      { op: 'replace', path: '/attributes/color', value: [{ value: 'red', marketplace_id: US }] },
    ];
    await runner.run(changeListings, { items: [{ sku: 'L-1', patches }] });
    expect(sent()).toMatchObject([{ json: { productType: 'LAMP', patches } }]);
  });

  it('forty listings are read by two searches, and before they are sent by two more', async () => {
    const skus = Array.from({ length: 40 }, (_, at) => `L-${at}`);
    await start(service(Object.fromEntries(skus.map((sku) => [sku, { price: 20 }]))));
    const { structured } = await runner.run(changeListings, {
      items: skus.map((sku) => ({ sku, set: { price: 19 } })),
    });
    const searches = runner.calls().filter(({ method }) => method === 'GET');
    // The last two look whether they can be seen.
    expect(searches).toHaveLength(6);
    expect(sent()).toHaveLength(40);
    expect(structured).toMatchObject({ items: 40 });
  });

  it('a dry run shows old and new, asks the service to check, and sends nothing else', async () => {
    await start(service({ 'L-1': { price: 20 } }), 'ask');
    const { text } = await runner.run(changeListings, {
      items: [{ sku: 'L-1', set: { price: 10 } }],
      dryRun: true,
    });
    expect(text).toContain('price: 20.00 USD -> 10.00 USD (down by 50 %; sale price not below the price)');
    expect(sent().map(({ path }) => path)).toEqual([expect.stringContaining('mode=VALIDATION_PREVIEW')]);
  });

  it('what is so already is left out, and told', async () => {
    await start(service({ 'L-1': { price: 20 }, 'L-2': { price: 30 } }));
    const items = [
      { sku: 'L-1', set: { price: 20 } },
      { sku: 'L-2', set: { price: 29 } },
    ];
    const { text } = await runner.run(changeListings, { items, dryRun: true });
    expect(text).toContain('1 listing has these values already and is left out.');
    const none = await runner.run(changeListings, { items: items.slice(0, 1) });
    expect(JSON.stringify(none.structured)).toContain('no_change');
    expect(sent().filter(({ path }) => !path.includes('mode='))).toEqual([]);
  });

  it('a seller who may not search is read one by one', async () => {
    const noSearch = ({ path }: ReceivedRequest) =>
      path.includes('identifiers')
        ? { status: 403, body: { errors: [{ code: 'Unauthorized' }] } }
        : undefined;
    await start(service({ 'L-1': { price: 20 }, 'L-2': { price: 30 } }, noSearch));
    const items = [
      { sku: 'L-1', set: { price: 18 } },
      { sku: 'L-2', set: { price: 28 } },
    ];
    await runner.run(changeListings, { items });
    expect(sent()).toHaveLength(2);
  });

  it('a SKU with a comma is read alone', async () => {
    await start(service({ 'L,1': { price: 20 }, 'L-2': { price: 30 } }));
    const items = [
      { sku: 'L,1', set: { price: 18 } },
      { sku: 'L-2', set: { price: 28 } },
    ];
    await runner.run(changeListings, { items });
    expect(sent().map(({ path }) => path)).toContainEqual(expect.stringContaining('/L%2C1?'));
  });

  it('one that somebody changes in between is told, not sent', async () => {
    const listings: Listings = { 'L-1': { price: 20 }, 'L-2': { price: 30 } };
    await start(service(listings), 'code');
    const args = {
      items: [
        { sku: 'L-1', set: { price: 18 } },
        { sku: 'L-2', set: { price: 28 } },
      ],
    };
    const { structured } = await runner.run(changeListings, args);
    listings['L-1'] = { price: 25 };
    const confirmationCode = structured.confirmation_code;
    const { text } = await runner.run(changeListings, { ...args, confirmationCode });
    expect(text).toMatch(/Changed by somebody since it was shown, not sent: L-1/);
    expect(sent().map(({ path }) => path)).toEqual([expect.stringContaining('/L-2?')]);
  });
});

describe('bad input is told before anything is asked or sent', () => {
  const known: Listings = {
    '001850': { price: 20 },
    'LAMP-1': { price: 20 },
    'LAMP-FBA': { price: 20, channel: 'AMAZON_NA' },
    'LAMP-BIG': { price: 20 },
  };
  it.each([
    ['an empty list', { items: [] }, 'items is empty'],
    ['neither items nor query', {}, 'Give items or query, one of the two'],
    ['both', { items: [], query: 'SELECT 1' }, 'Give items or query, one of the two'],
    [
      'the same SKU twice',
      {
        items: [
          { sku: 'LAMP-1', set: { price: 1 } },
          { sku: 'LAMP-1', set: { price: 2 } },
        ],
      },
      'items.1.sku LAMP-1 stands in items.0 already',
    ],
    ['no SKU', { items: [{ set: { price: 1 } }] }, 'items.0.sku is missing'],
    ['an item that is none', { items: ['LAMP-1'] }, 'items.0.sku is missing'],
    ['neither set nor patches', { items: [{ sku: 'LAMP-1' }] }, 'items.0 (LAMP-1) must have set or patches'],
    ['a word beside set', { items: [{ sku: 'LAMP-1', price: 3 }] }, 'put it into set: {"price": ...}'],
    [
      'a comma',
      { items: [{ sku: 'LAMP-1', set: { price: '19,99' } }] },
      'items.0.set.price (LAMP-1) must be a number with a point, without a comma: write 19.99',
    ],
    [
      'the wrong currency',
      { items: [{ sku: 'LAMP-1', set: { price: '19.99 EUR' } }] },
      'items.0.set.currency (LAMP-1) must be USD, the currency of prices in the United States, not EUR',
    ],
    ['an unknown word', { items: [{ sku: 'LAMP-1', set: { prize: 3 } }] }, 'did you mean price?'],
    [
      'an unknown SKU',
      { items: [{ sku: 'lamp 1', set: { price: 3 } }] },
      'items.0.sku "lamp 1" is no SKU of the account in the United States; did you mean LAMP-1?',
    ],
    [
      'a SKU that a spreadsheet has made a number',
      { items: [{ sku: 1850, set: { price: 3 } }] },
      '1850 is no SKU of the account in the United States; did you mean 001850?',
    ],
    [
      'the quantity of an FBA listing',
      { items: [{ sku: 'LAMP-FBA', set: { quantity: 3 } }] },
      'this is an FBA listing (AMAZON_NA)',
    ],
    [
      'a marketplace that is none',
      { items: [{ sku: 'LAMP-1', set: { price: 3 } }], marketplace: 'Germny' },
      'Did you mean Germany',
    ],
    ['patches that are no list', { items: [{ sku: 'LAMP-1', patches: 'x' }] }, 'patches must be a list'],
  ])('%s', async (_, args, why) => {
    await start(service(known), 'ask');
    const problem = await problemOf(args);
    expect(problem).toContain(why);
    expect(problem).toMatch(/[Nn]othing was sent/);
    expect(sent()).toEqual([]);
  });

  it('unknown SKUs, wrong values and what a listing does not allow are told together', async () => {
    await start(service(known), 'ask');
    const problem = await problemOf({
      items: [
        { sku: 'LAMP-1', set: { prize: 3 } },
        { sku: 'lamp 2', set: { price: 3 } },
        { sku: 'LAMP-FBA', set: { quantity: 3 } },
      ],
    });
    expect(problem).toContain('did you mean price?');
    expect(problem).toContain('items.1.sku "lamp 2" is no SKU of the account');
    expect(problem).toContain('this is an FBA listing');
    expect(sent()).toEqual([]);
  });

  it('of many problems the first twenty are told, and how many more there are', async () => {
    await start(service(known), 'ask');
    const items = Array.from({ length: 30 }, (_, at) => ({ sku: `L-${at}`, set: { price: '1,5' } }));
    const problem = await problemOf({ items });
    expect(problem.match(/without a comma/g)).toHaveLength(20);
    expect(problem).toContain('10 more are not listed');
  });

  it('more than 25,000', async () => {
    await start(service(known), 'ask');
    expect(await problemOf({ items: Array.from({ length: 25_001 }, () => 0) })).toContain(
      'There are 25,001 listings; one call takes at most 25,000',
    );
  });

  it('a number with more digits than can be sent back', async () => {
    const body = JSON.stringify({
      items: [
        {
          sku: 'LAMP-BIG',
          summaries: [{ marketplaceId: US, productType: 'LAMP' }],
          attributes: { purchasable_offer: [{ ...offers(20)[0], points: '#' }], color: [{ value: '#' }] },
        },
      ],
    }).replaceAll('"#"', '12345678901234567890');
    await start((request) => (request.method === 'GET' ? { body } : { status: 500 }), 'ask');
    expect(await problemOf({ items: [{ sku: 'LAMP-BIG', set: { price: 3 } }] })).toContain(
      'more digits than can be sent back',
    );
  });
});

describe('a list that takes longer to read than a call has', () => {
  it('is told with how far it is, goes on, and is shown by the same call', async () => {
    const skus = Array.from({ length: 60 }, (_, at) => `L-${at}`);
    let open: () => void = () => undefined;
    const gate = new Promise<undefined>((resolve) => {
      open = () => resolve(undefined);
    });
    const slow = ({ path }: ReceivedRequest) =>
      path.includes('L-40') ? gate.then(() => ({ body: { items: [] } })) : undefined;
    let isOpen = false;
    await start(
      service(Object.fromEntries(skus.map((sku) => [sku, { price: 20 }])), (request) =>
        isOpen ? undefined : slow(request),
      ),
      'ask',
    );
    const args = { items: skus.map((sku) => ({ sku, set: { price: 19 } })), dryRun: true };
    const context = toolContext(runner.session);
    const short = { ...context.call, deadline: performance.now() + 1_500 };
    const first = await runner.run(changeListings, args, { call: short });
    expect(first.structured).toMatchObject({ outcome: 'under_way', read: 40, items: 60 });
    expect(first.text).toContain('40 of 60 listings read');
    expect(first.text).toContain('Call again with the same arguments');
    isOpen = true;
    open();
    const second = await runner.run(changeListings, { ...args });
    expect(second.structured).toMatchObject({ outcome: 'preview' });
  });
});

it('tells in both forms what is left out of a list, whose it is and where', async () => {
  await start(service({ 'L-1': { price: 20 }, 'L-2': { price: 30 } }), 'code');
  const items = [
    { sku: 'L-1', set: { price: 18 } },
    { sku: 'L-2', set: { price: 30 } },
  ];
  const { text, structured } = await runner.run(changeListings, { items });
  for (const output of [text, JSON.stringify(structured)]) {
    expect(output).toContain('1 listing has these values already and is left out.');
    expect(output).toContain('United States');
    expect(output).toContain('A1SELLER');
  }
});

it('names the query where the items are more than one call can hold', async () => {
  await start(service({}));
  const items = Array.from({ length: 8_000 }, (_, at) => ({ sku: `L-${at}`, set: { price: 5 } }));
  const problem = await problemOf({ items });
  expect(problem).toContain('more than 50000 values');
  expect(problem).toContain('give query: a SELECT over collected data');
});

describe('a listing that cannot be read', () => {
  const LISTINGS = { 'L-1': { price: 20 }, 'L-2': { price: 30 }, 'L-3': { price: 40 } };
  const items = Object.keys(LISTINGS).map((sku) => ({ sku, set: { price: 18.5 } }));
  /** Whatever reads the SKU is refused. */
  const refusing = (refused: readonly string[], status: number) =>
    service(LISTINGS, ({ method, path }) =>
      method === 'GET' && refused.some((sku) => path.includes(sku))
        ? { status, body: { errors: [{ code: 'Refused', message: 'Not for you.' }] } }
        : undefined,
    );

  it.each([400, 403])(
    '(%i) is left out of the list with its reason, and the others are sent',
    async (status) => {
      await start(refusing(['L-2'], status));
      const { text, structured } = await runner.run(changeListings, { items });
      expect(
        sent()
          .map(({ path }) => path.match(/L-\d/)?.[0])
          .toSorted(),
      ).toEqual(['L-1', 'L-3']);
      expect(structured).toMatchObject({ items: 2, complete: false });
      for (const form of [text, JSON.stringify(structured.left_out)])
        expect(form).toMatch(new RegExp(`L-2 was refused \\(${status}\\)`));
    },
  );

  it('stands in the preview and in the question, and in the answer once it was sent', async () => {
    await start(refusing(['L-2'], 403), 'code');
    const shown = await runner.run(changeListings, { items });
    expect(shown.structured).toMatchObject({ outcome: 'needs_confirmation', items: 2, complete: false });
    expect(shown.text).toContain('L-2 was refused (403)');
    expect(JSON.stringify(shown.structured.remarks)).toContain('L-2 was refused (403)');
    const confirmationCode = shown.structured.confirmation_code;
    const done = await runner.run(changeListings, { items, confirmationCode });
    expect(sent().filter(({ path }) => !path.includes('mode='))).toHaveLength(2);
    expect(done.structured).toMatchObject({ items: 2, complete: false });
    expect(done.text).toContain('L-2 was refused (403)');
  });

  it('is told where the others need no change', async () => {
    await start(refusing(['L-2'], 403));
    const same = [{ sku: 'L-1', set: { price: 20 } }, ...items.slice(1, 2)];
    const { text, structured } = await runner.run(changeListings, { items: same });
    expect(structured).toMatchObject({ outcome: 'no_change', complete: false });
    for (const form of [text, String(structured.next_step)]) expect(form).toContain('L-2 was refused (403)');
  });

  it('ends the call where it is all of them', async () => {
    await start(refusing(['L-'], 403));
    expect(await problemOf({ items })).toContain('403');
    expect(sent()).toEqual([]);
  });
});
