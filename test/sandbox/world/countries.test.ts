/** Tests the sandbox in every country of the facts: a seller at home there, in its currency, language and addresses. */

import { describe, expect, it } from 'vitest';
import { buildHomeListings } from '../../../sandbox/fixtures/listings.ts';
import { buildSupplySources } from '../../../sandbox/fixtures/supply-sources.ts';
import { encode, localContentType } from '../../../sandbox/reports/report-type.ts';
import { findReportType } from '../../../sandbox/reports/report-types.ts';
import { detailsOf } from '../../../sandbox/world/buyer-details.ts';
import { countries } from '../../../sandbox/world/generated/countries.ts';
import { languages } from '../../../sandbox/world/generated/languages.ts';
import { marketOf } from '../../../sandbox/world/markets.ts';
import { createWorld } from '../../../sandbox/world/world.ts';
import { dateReader, newDayOrder } from '../../../src/data/tables/dates.ts';
import { decimalsOf, marketplaces } from '../../../src/service/facts/marketplaces.ts';
import { reportTypes } from '../../../src/service/facts/report-types.ts';
import { RUNS_ALL } from '../../helpers/launch.ts';
import { call, NOON, start, tokens } from '../helpers.ts';

const ALL = marketplaces().map(({ country }) => country);
const DAY_MS = 86_400_000;

it('nothing is written down of a country or a language that there is not', () => {
  expect(Object.keys(countries).filter((country) => !ALL.includes(country))).toEqual([]);
  const spoken = ALL.map((country) => marketOf(country).tag.slice(0, 2));
  expect(Object.keys(languages).filter((language) => !spoken.includes(language))).toEqual([]);
  for (const { nouns = [], materials = [], texts = {} } of Object.values(languages)) {
    expect([nouns.length, materials.length]).toEqual([
      languages.en.nouns.length,
      languages.en.materials.length,
    ]);
    const named = Object.keys(texts);
    if (named.length > 0) expect(named.sort()).toEqual(Object.keys(languages.de?.texts ?? {}).sort());
  }
});

it('every marketplace has its own orders and name', () => {
  for (const name of ['channel', 'orderPrefix'] as const) {
    expect(new Set(ALL.map((country) => marketOf(country)[name])).size).toBe(ALL.length);
  }
});

describe.each(ALL)('%s', (country) => {
  const home = marketOf(country);

  it('the program reads from the report of all listings when each was opened', () => {
    const world = createWorld(buildHomeListings(NOON, [home]), [country], NOON);
    const type = 'GET_MERCHANT_LISTINGS_ALL_DATA';
    const request = { type, markets: [home], start: NOON, end: NOON, options: {} };
    const [head = '', ...rows] = (findReportType(type)?.build(world, request) ?? '').trimEnd().split('\r\n');
    const at = head.split('\t').indexOf(home.headings['open-date'] ?? 'open-date');
    const opened = rows.map((row) => row.split('\t')[at] ?? '').filter((moment) => moment !== '');
    expect(dateReader(type)(opened[0] ?? '', newDayOrder()), opened[0]).toBe('2025-03-04T09:15:00Z');
    expect(opened.filter((moment) => dateReader(type)(moment, newDayOrder()) === undefined)).toEqual([]);
  });
  const markets = [home, ...home.alsoIn.map(marketOf)];
  const byHand = buildHomeListings(NOON, markets);
  const world = createWorld(byHand, [country, ...home.alsoIn], NOON);
  const amount = new RegExp(decimalsOf(home.currency) === 0 ? '^\\d+$' : '^\\d+\\.\\d\\d$');

  it('its listings have its currency, whole amounts where it has no smaller ones, and its words', () => {
    const rows = world.rows(home.id);
    expect(rows.length).toBeGreaterThan(250);
    const { nouns, texts } = home.words;
    const known = byHand.map(({ item }) => item.sku);
    const isNamed = (title: string, words: readonly string[]) =>
      words.length === 0 || words.some((one) => title.includes(one));
    const wrong = rows.filter(
      ({ price, currency, title, sku }) =>
        currency !== home.currency ||
        !amount.test(price) ||
        !isNamed(title, known.includes(sku) ? Object.entries(texts).flat() : nouns),
    );
    expect(wrong).toEqual([]);
    const text = JSON.stringify(byHand);
    if (!markets.some((market) => market.country === 'US'))
      expect(text).not.toMatch(/ATVPDKIKX0DER|USD|en_US/);
  });

  it('its buyers live there: towns, streets and telephones; its taxes are taken; amounts add up in its currency', () => {
    const orders = world.orders().filter(({ market }) => market === home);
    expect(orders.length).toBeGreaterThan(1_000);
    const elsewhere = orders.filter(
      ({ buyer }) =>
        !home.towns.includes(buyer.town) ||
        buyer.countryCode !== country ||
        !buyer.phone.startsWith(home.phone.slice(0, -2)),
    );
    expect(elsewhere).toEqual([]);
    const rate = home.taxPercent / 100;
    const taxShare = ['US', 'CA'].includes(country) ? rate : rate / (1 + rate);
    const wrong = orders.flatMap(({ items }) =>
      items.filter(
        ({ priceCents, taxCents, shippingCents, discountCents }) =>
          Math.abs(taxCents - taxShare * (priceCents - discountCents)) > home.step / 2 ||
          [priceCents, taxCents, shippingCents, discountCents].some((cents) => cents % home.step !== 0),
      ),
    );
    expect(wrong).toEqual([]);
    const addresses = orders
      .slice(0, 300)
      .map((order) => JSON.stringify([detailsOf(order), [...detailsOf(order).giftMessages]]));
    expect(addresses.join('')).not.toMatch(/[{]\w+[}]/);
  });

  it('its stores are there, in its time zone', () => {
    const stores = buildSupplySources(home);
    expect(stores).toHaveLength(3);
    expect(JSON.stringify(stores).match(/"countryCode":"(\w+)"/g)).toEqual(
      Array(4).fill(`"countryCode":"${country}"`),
    );
    const zones = JSON.stringify(stores).match(/"timezone":"([^"]+)"/g);
    expect(zones).toEqual(Array(2).fill(`"timezone":"${home.timeZone}"`));
  });

  it('its reports can be read back in the charset that they are said to be in', () => {
    const request = { markets: [home], start: NOON - 8 * DAY_MS, end: NOON, options: {} };
    for (const { id: type } of reportTypes) {
      const report = findReportType(type);
      if (report === undefined) continue;
      const contentType = localContentType(report.contentType, home);
      const charset = /charset=(.*)/.exec(contentType)?.[1]?.replace('Cp1252', 'windows-1252') ?? 'utf-8';
      // UTF-8 holds every text, and its reports are the many and the long ones.
      if (charset.toLowerCase() === 'utf-8' && !RUNS_ALL) continue;
      const text = report.build(world, { type, ...request });
      if (text === undefined) continue;
      const decoder = new TextDecoder(charset, { ignoreBOM: true });
      expect(decoder.decode(encode(text, contentType)) === text, type).toBe(true);
    }
  });
});

it('a seller at home in Japan takes part there alone, and is known by its marketplace', async () => {
  const sandbox = await start({ home: 'JP' });
  const { access } = await tokens(sandbox);
  const { body } = await call(sandbox, '/sellers/v1/marketplaceParticipations', { token: access });
  const marketplace = { countryCode: 'JP', defaultCurrencyCode: 'JPY', domainName: 'www.amazon.co.jp' };
  expect(body).toMatchObject({ payload: [{ marketplace }] });
  expect(body).toHaveProperty('payload.length', 1);
  expect(sandbox.marketplaceId).toBe('A1VC38T7YXB528');
});

it.each([
  ['JP', 'text/plain;charset=Shift_JIS', /^商品名\t.*\t出品者SKU\t価格/, / JST\t/],
  ['DE', 'text/plain;charset=UTF-8', /^item-name\t.*\tseller-sku\tprice/, /\d\d\/\d\d\/\d{4} \S+ MEZ\t/],
])(
  'the report of all listings in %s has the charset, head and moments of there',
  (country, type, head, moment) => {
    const home = marketOf(country);
    const world = createWorld(buildHomeListings(NOON, [home]), [country], NOON);
    const report = findReportType('GET_MERCHANT_LISTINGS_ALL_DATA');
    const request = { type: '', markets: [home], start: NOON, end: NOON, options: {} };
    expect(localContentType(report?.contentType ?? '', home)).toBe(type);
    const text = report?.build(world, request) ?? '';
    expect(text).toMatch(head);
    expect(text.split('\r\n')[1]).toMatch(moment);
  },
);
