/** A listing as a row of one marketplace: nothing in it is another marketplace's. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { flattenListing, withAmount } from '../../../src/data/review/listing-rows.ts';
import { reviewListings } from '../../../tools/review-listings.ts';

const DE = { id: 'A1PA6795UKMFR9', name: 'Germany' };
const FR = 'A13V1IB3VIYZZH';
const offer = (
  marketplaceId: string | undefined,
  amount: string,
  currencyCode: string,
  offerType = 'B2C',
) => ({
  marketplaceId,
  offerType,
  price: { amount, currencyCode },
});
const rowOf = (item: object) => flattenListing({ sku: 'LAMP-1', ...item }, DE, 0)?.row;

it.each([
  ['its own, behind that of another', [offer(FR, '9.00', 'GBP'), offer(DE.id, '20.00', 'EUR')], 20, 'EUR'],
  ['none where only another has one', [offer(FR, '9.00', 'GBP')], null, null],
  ['one that names no marketplace', [offer(undefined, '7.50', 'EUR')], 7.5, 'EUR'],
  ['what everybody pays', [offer(DE.id, '18.00', 'EUR', 'B2B'), offer(DE.id, '20.00', 'EUR')], 20, 'EUR'],
  ['what businesses pay where nobody else can buy', [offer(DE.id, '18.00', 'EUR', 'B2B')], 18, 'EUR'],
  ['none where the amount is empty', [offer(DE.id, '', 'EUR')], null, 'EUR'],
])('the price is %s', (_what, offers, price, currency) => {
  expect(rowOf({ offers })).toMatchObject({ price, currency });
});

it('summary and issues are those of the marketplace', () => {
  const row = rowOf({
    summaries: [
      { marketplaceId: FR, itemName: 'Lampe', status: ['BUYABLE'] },
      { marketplaceId: DE.id, itemName: 'Leselampe', status: [] },
    ],
    issues: [
      { code: '1', severity: 'ERROR', message: 'x', marketplaceIds: [FR] },
      { code: '2', severity: 'WARNING', message: 'x' },
    ],
  });
  expect(row).toMatchObject({ title: 'Leselampe', buyable: 0, errors: 0, warnings: 1, issues: 1 });
});

it('a listing with all that is documented is one row and a row for each issue', () => {
  const until = { status: 'EXEMPT_UNTIL_EXPIRY_DATE', expiryDate: '2026-12-24T00:00:00Z' };
  const enforcing = (action: string, exemption?: object) => ({ actions: [{ action }], exemption });
  const item = {
    sku: 'LAMP-1',
    summaries: [
      {
        marketplaceId: DE.id,
        asin: 'B0A',
        itemName: 'Leselampe',
        productType: 'LAMP',
        status: ['BUYABLE', 7, 'DISCOVERABLE'],
        lastUpdatedDate: '2026-11-01T00:00:00Z',
      },
    ],
    offers: [offer(DE.id, '12.30', 'EUR')],
    fulfillmentAvailability: [
      { fulfillmentChannelCode: 'DEFAULT', quantity: 2 },
      { fulfillmentChannelCode: 'OTHER', quantity: 5 },
      { fulfillmentChannelCode: 'AMAZON_EU', quantity: 9 },
    ],
    issues: [
      { code: 'S', severity: 'ERROR', message: 'a', enforcements: enforcing('SEARCH_SUPPRESSED') },
      { code: 'R', severity: 'WARNING', message: 'b', enforcements: enforcing('CATALOG_ITEM_REMOVED') },
      { code: 'S', severity: 'INFO', message: 'c', enforcements: enforcing('SEARCH_SUPPRESSED') },
      {
        code: 'X',
        severity: 'ERROR',
        message: 'd',
        attributeNames: ['color', 'size'],
        categories: ['A', 'B'],
        enforcements: enforcing('LISTING_SUPPRESSED', until),
      },
    ],
  };
  const flat = flattenListing(item, DE, Date.parse('2026-11-21T00:00:00Z'));
  expect(flat?.row).toEqual({
    sku: 'LAMP-1',
    marketplace_id: DE.id,
    marketplace: 'Germany',
    asin: 'B0A',
    title: 'Leselampe',
    product_type: 'LAMP',
    status: 'BUYABLE, DISCOVERABLE',
    buyable: 1,
    discoverable: 1,
    channel: 'seller',
    quantity: 7,
    inbound: null,
    price: 12.3,
    currency: 'EUR',
    stock_amount: null,
    suppressed: 'altogether',
    suppressed_by: 'S, R',
    exempt_issues: 1,
    errors: 2,
    warnings: 1,
    issues: 4,
    last_updated: '2026-11-01T00:00:00Z',
  });
  const issue = {
    sku: 'LAMP-1',
    marketplace_id: DE.id,
    marketplace: 'Germany',
    suppresses: 1,
    exempt: 0,
    exempt_until: null,
    exemption: null,
    attribute_names: null,
    categories: null,
  };
  const hidden = { ...issue, code: 'S', effect: 'search', actions: 'SEARCH_SUPPRESSED' };
  expect(flat?.issues).toEqual([
    { ...hidden, severity: 'ERROR', message: 'a', cause: 'S: a' },
    {
      ...issue,
      code: 'R',
      effect: 'removed',
      actions: 'CATALOG_ITEM_REMOVED',
      severity: 'WARNING',
      message: 'b',
      cause: 'R: b',
    },
    { ...hidden, severity: 'INFO', message: 'c', cause: 'S: c' },
    {
      ...issue,
      code: 'X',
      effect: 'listing',
      actions: 'LISTING_SUPPRESSED',
      severity: 'ERROR',
      message: 'd',
      suppresses: 0,
      exempt: 1,
      exempt_until: '2026-12-24T00:00:00Z',
      exemption: 'EXEMPT_UNTIL_EXPIRY_DATE',
      attribute_names: 'color, size',
      categories: 'A, B',
      cause: 'X color size: d',
    },
  ]);
});

it('issues have one cause where code, attributes and message are the same but for numbers', () => {
  const causeOf = (more: object) => {
    const item = { sku: 'A', issues: [{ code: '90220', message: 'At least 12.50, not 9', ...more }] };
    return flattenListing(item, DE, 0)?.issues[0]?.cause;
  };
  const one = causeOf({ attributeNames: ['weight'] });
  expect(one).toBe('90220 weight: At least #, not #');
  expect(causeOf({ attributeNames: ['weight'], message: 'At least 1,250, not 1249.99' })).toBe(one);
  for (const other of [
    { attributeNames: ['color'] },
    { code: '90221' },
    { message: 'At most 12.50, not 9' },
  ]) {
    expect(causeOf({ attributeNames: ['weight'], ...other })).not.toBe(one);
  }
  expect(causeOf({ message: 'm'.repeat(1_000) })).toHaveLength(300);
});

const UNTOLD = {
  sku: 'LAMP-1',
  marketplace_id: DE.id,
  marketplace: 'Germany',
  asin: null,
  title: null,
  product_type: null,
  status: null,
  buyable: null,
  discoverable: null,
  channel: null,
  quantity: null,
  inbound: null,
  price: null,
  currency: null,
  stock_amount: null,
  suppressed: null,
  suppressed_by: null,
  exempt_issues: 0,
  errors: 0,
  warnings: 0,
  issues: 0,
  last_updated: null,
};

it.each([
  {},
  { summaries: null, issues: 'x', offers: {}, fulfillmentAvailability: 7 },
  { summaries: ['x', null], offers: ['x', { price: 'x' }], fulfillmentAvailability: ['x'] },
  {
    summaries: [
      { marketplaceId: FR, itemName: 'x' },
      { asin: '', itemName: 7 },
    ],
    offers: [{}],
  },
  { offers: [{ price: { amount: 'x', currencyCode: '', currency: 7 } }] },
  { offers: [{ price: { amount: null } }] },
  { issues: [{ code: 'F', marketplaceIds: [FR] }] },
])('what is not told, or has another shape, is null: %j', (item) => {
  expect(rowOf(item)).toEqual(UNTOLD);
});

it.each([undefined, null, 'x', [], {}, { sku: 7 }])('%j is no listing', (item) => {
  expect(flattenListing(item, DE, 0)).toBeUndefined();
});

it.each([
  [[], { status: '', buyable: 0, discoverable: 0 }],
  ['BUYABLE', { status: '', buyable: 0, discoverable: 0 }],
  [['DISCOVERABLE'], { status: 'DISCOVERABLE', buyable: 0, discoverable: 1 }],
])('a status of %j says that it cannot be bought', (status, expected) => {
  expect(rowOf({ summaries: [{ status }] })).toEqual({ ...UNTOLD, ...expected });
});

const held = (quantity?: number) => ({ fulfillmentChannelCode: 'AMAZON_EU', quantity });
const own = (quantity?: unknown, fulfillmentChannelCode: unknown = 'DEFAULT') => ({
  fulfillmentChannelCode,
  quantity,
});

it.each([
  ['nothing is told', [], null, null],
  ['no number is', [own('3'), own()], 'seller', null],
  ['some numbers are', [own(3), own('x'), own(0)], 'seller', 3],
  ['none are left', [own(0)], 'seller', 0],
  ['the warehouses hold it', [held(9)], 'FBA', null],
  ['the warehouses hold it, and the seller none', [held(9), own(0)], 'FBA', null],
  ['both have some', [held(9), own(2)], 'seller', 2],
  ['the channel only ends like theirs', [own(2, 'MY_AMAZON')], 'seller', 2],
  ['the channel is no text', [own(2, 7)], 'seller', 2],
])('where %s, the stock is as the seller has it', (_what, entries, channel, quantity) => {
  expect(rowOf({ fulfillmentAvailability: entries })).toEqual({ ...UNTOLD, channel, quantity });
});

it('a price is of this marketplace, what everybody pays before what businesses pay', () => {
  const anyOffer = fc.record({
    marketplaceId: fc.constantFrom(DE.id, FR, undefined),
    offerType: fc.constantFrom('B2C', 'B2B'),
    price: fc.record({ amount: fc.nat({ max: 99 }), currency: fc.constantFrom('EUR', 'SEK') }),
  });
  fc.assert(
    fc.property(fc.array(anyOffer, { maxLength: 5 }), (offers) => {
      const here = offers.filter(({ marketplaceId }) => marketplaceId !== FR);
      const meant = [...here.filter(({ offerType }) => offerType === 'B2C'), ...here][0];
      const expected = { price: meant?.price.amount ?? null, currency: meant?.price.currency ?? null };
      expect(rowOf({ offers })).toEqual({ ...UNTOLD, ...expected });
    }),
    { numRuns: 200 },
  );
});

it('what hides a listing counts, whatever else it has: as a whole before the search only', () => {
  const action = fc.constantFrom('LISTING_SUPPRESSED', 'SEARCH_SUPPRESSED', 'ATTRIBUTE_SUPPRESSED', 'NEW');
  const issue = fc.record({
    code: fc.constantFrom('1', '2', '3'),
    severity: fc.constantFrom('ERROR', 'WARNING', ''),
    message: fc.constant('x'),
    enforcements: fc.record({
      actions: fc.array(
        action.map((name) => ({ action: name })),
        { maxLength: 2 },
      ),
      exemption: fc.constantFrom({ status: 'EXEMPT' }, { status: 'NOT_EXEMPT' }, undefined),
    }),
  });
  fc.assert(
    fc.property(fc.array(issue, { maxLength: 5 }), (issues) => {
      const of = (status: boolean) =>
        issues.filter(({ enforcements: { exemption } }) => (exemption?.status === 'EXEMPT') === status);
      const does = (name: string) => (one: (typeof issues)[number]) =>
        one.enforcements.actions.some((each) => each.action === name);
      const inForce = of(false);
      const whole = inForce.filter(does('LISTING_SUPPRESSED'));
      const hiding = inForce.filter((one) => whole.includes(one) || does('SEARCH_SUPPRESSED')(one));
      const codes = [...new Set(hiding.map(({ code }) => code))].join(', ');
      expect(rowOf({ issues })).toEqual({
        ...UNTOLD,
        suppressed: whole.length > 0 ? 'altogether' : hiding.length > 0 ? 'search' : null,
        suppressed_by: codes === '' ? null : codes,
        exempt_issues: of(true).filter(({ enforcements }) => enforcements.actions.length > 0).length,
        errors: issues.filter(({ severity }) => severity === 'ERROR').length,
        warnings: issues.filter(({ severity }) => severity === 'WARNING').length,
        issues: issues.length,
      });
    }),
    { numRuns: 200 },
  );
});

it.each([
  [0.1, 3, 0.3],
  [19.99, 3, 59.97],
  [null, 3, null],
  [5, null, null],
  [5, 0, 0],
])('at a price of %s a stock of %s is worth %s', (price, quantity, amount) => {
  const row = rowOf({});
  if (row === undefined) throw new Error('no row');
  expect(withAmount({ ...row, price, quantity })).toEqual({
    ...UNTOLD,
    price,
    quantity,
    stock_amount: amount,
  });
});

it('has exactly the columns that the tool names before the first call', () => {
  const description = reviewListings.input.shape.sql.description ?? '';
  const [, named = ''] = /Table listings: (.*?); no minimum_price/.exec(description) ?? [];
  const names = named.replace(/ \([^)]*\)/g, '').split(', ');
  expect(names).toEqual(Object.keys(rowOf({}) ?? {}));
});
