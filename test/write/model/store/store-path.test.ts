/** Places of a store and names of what is changed, as a seller calls them; what is not known stands as it is, quoted. */

import { expect, it } from 'vitest';
import { nameWithin, quoteWithin } from '../../../../src/base/text/quote-within.ts';
import {
  areMarketplacesWhole,
  formatMarketplaceIds,
  formatSubject,
} from '../../../../src/write/model/format/subject.ts';
import { dayOf, describeStorePath } from '../../../../src/write/model/store/store-path.ts';

it.each([
  ['alias', 'alias'],
  ['configuration.timezone', 'time zone'],
  ['capabilities.outbound.isSupported', 'shipping, offered'],
  ['capabilities.outbound.pickupChannel.isSupported', 'pickup, offered'],
  ['capabilities.outbound.deliveryChannel.operationalConfiguration.handlingTime', 'delivery, handling time'],
  ['capabilities.outbound.returnLocation.supplySourceId', 'returns, supply source'],
  ['capabilities.services.outbound.isSupported', 'services, shipping, offered'],
  ['configuration.handlingTime.value', 'handling time, amount'],
  ['configuration', 'configuration'],
  ['capabilities', 'capabilities'],
  ['capabilities.outbound.odd', 'capabilities.outbound.odd'],
  ['', 'the whole'],
])('%s is called %s', (path, words) => {
  expect(describeStorePath(path === '' ? [] : path.split('.'))).toBe(words);
});

it('a number on the way is no word', () => {
  expect(describeStorePath(['configuration', 'contactDetails', 0])).toBe('configuration.contactDetails[0]');
});

it('a day of opening hours has its name', () => {
  expect(dayOf(['configuration', 'operatingHoursByDay', 'sunday'])).toBe('Sunday');
  expect([
    dayOf(['sunday']),
    dayOf(['operatingHoursByDay', 'feiertag']),
    dayOf(['operatingHoursByDay', 'sunday', 0]),
    dayOf([]),
  ]).toEqual(Array(4).fill(undefined));
});

const store = (more: object = {}) => formatSubject({ kind: 'store', id: 's-1', ...more }, 100);

it('a store is known by its alias, and by its code or id', () => {
  expect(store()).toBe('store s-1');
  expect(store({ alias: '' })).toBe('store s-1');
  expect(store({ code: 'hh01' })).toBe('store hh01');
  expect(store({ alias: 'Hamburg store', code: 'hh01' })).toBe('Hamburg store (hh01)');
  for (const alias of ['a  b', 'a b c d e f', '-x', 'x.', 'x (y)', 'y'.repeat(41)])
    expect(store({ alias })).toBe(`"${alias}" (s-1)`);
  for (const alias of ['Köln-Süd 2', 'a b c d e', 'y'.repeat(40)])
    expect(store({ alias })).toBe(`${alias} (s-1)`);
});

it('a listing is known by its SKU and the beginning of its title', () => {
  const listing = (title?: string) => formatSubject({ kind: 'listing', sku: 'LMP-1', title }, 100, 10);
  expect(listing()).toBe('LMP-1');
  expect(listing('1234567890')).toBe('LMP-1 "1234567890"');
  expect(listing('12345678901')).toBe('LMP-1 "1234567..."');
  expect(formatSubject({ kind: 'operation' }, 100)).toBeUndefined();
});

it('a name that can be nothing else stands plain, any other in quotes, a long one cut and counted', () => {
  expect([nameWithin('a.b-c_1', 7), nameWithin('a b', 10), nameWithin('abcd', 4)]).toEqual([
    'a.b-c_1',
    '"a b"',
    'abcd',
  ]);
  expect(nameWithin('x'.repeat(41), 40)).toBe('"xxxxx"... (36 more characters)');
  expect(quoteWithin('x'.repeat(38), 40)).toBe(`"${'x'.repeat(38)}"`);
  expect(quoteWithin('x'.repeat(39), 40)).toBe('"xxxxx"... (34 more characters)');
});

it('five places are named, and more are counted', () => {
  const DE = 'A1PA6795UKMFR9';
  expect(formatMarketplaceIds([])).toBe('');
  expect(formatMarketplaceIds([DE, 'M 1'])).toBe('Germany, "M 1"');
  const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  expect(formatMarketplaceIds(many.slice(0, 5))).toBe('a, b, c, d, e');
  expect(formatMarketplaceIds(many)).toBe('a, b, c, d, e, and 2 more marketplaces');
  expect([areMarketplacesWhole(many.slice(0, 5)), areMarketplacesWhole(many.slice(0, 6))]).toEqual([
    true,
    false,
  ]);
  expect([areMarketplacesWhole(['x'.repeat(98)]), areMarketplacesWhole(['x'.repeat(99)])]).toEqual([
    true,
    false,
  ]);
});
