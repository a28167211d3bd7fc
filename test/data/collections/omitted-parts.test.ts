/** Tests that the answer names the parts of each item that were not requested, by the operation's own names. */

import { describe, expect, it } from 'vitest';
import { MAX_NOTE_CHARACTERS } from '../../../src/data/collections/describe-collected.ts';
import {
  elementsMissing,
  isAnswered,
  isNoteOnParts,
  listOmittedParts,
  roleMembersMissing,
} from '../../../src/data/collections/omitted-parts.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

const { find } = await loadRegistry();

it.each([
  ['searchListingsItems', {}, ['includedData was not given', 'issues, offers']],
  ['searchListingsItems', { includedData: ['summaries', 'issues'] }, ['Not asked for', 'offers']],
  ['searchListingsItems', { includedData: 'summaries,issues' }, ['Not asked for', 'offers']],
  ['searchOrders', { createdAfter: '2026-11-01' }, ['FULFILLMENT']],
  ['getInventorySummaries', { details: false }, ['details: true']],
])('%s with %j tells it', (operation, given, words) => {
  const described = listOmittedParts(find(operation), given).join();
  for (const word of words) expect(described).toContain(word);
  expect(listOmittedParts(find(operation), given).map(isNoteOnParts)).toEqual([
    operation !== 'getInventorySummaries',
  ]);
});

it('what was asked for is not told, and nothing where all of it was', () => {
  const operation = find('searchListingsItems');
  expect(listOmittedParts(operation, { includedData: ['issues'] }).join()).not.toContain('issues');
  const [all] = listOmittedParts(operation, {}).map((text) => /of (.*), only/.exec(text)?.[1]?.split(', '));
  expect(all?.length).toBeGreaterThan(4);
  expect(listOmittedParts(operation, { includedData: all })).toEqual([]);
  expect(listOmittedParts(find('getInventorySummaries'), { details: true })).toEqual([]);
  expect(listOmittedParts(find('getReports'), {})).toEqual([]);
});

it('what needs a token is told with the call that buys it, and no more once it came', () => {
  const [words = ''] = listOmittedParts(find('orders/getOrders'), {});
  expect(words).toMatch(
    /^buyerInfo, .* createRestrictedDataToken with body .*"path":"\/orders\/v0\/orders".*fresh: true/,
  );
  const body = JSON.parse(/body (\{.*\}) first/.exec(words)?.[1] ?? '');
  expect(body.restrictedResources).toEqual([
    { method: 'GET', path: '/orders/v0/orders', dataElements: ['buyerInfo'] },
  ]);
  expect(words.length).toBeLessThanOrEqual(MAX_NOTE_CHARACTERS);
  const named = (name: string) => [{ name: 'amazon_order_id' }, { name }];
  expect(isAnswered(words, named('buyer_info'))).toBe(false);
  expect(isAnswered(words, named('buyer_info_buyer_email'))).toBe(true);
  expect(isAnswered('buyerInfo, and more', named('buyer_info_buyer_email'))).toBe(false);
  expect(isAnswered('Not asked for in includedData: BUYER.', named('buyer_info_buyer_email'))).toBe(false);
});

it.each<[string, unknown, boolean]>([
  ['none of them', [{ AmazonOrderId: '1' }], true],
  ['one, but nothing in it', [{ BuyerInfo: {} }], true],
  ['a text of its name', [{ BuyerInfo: 'x' }], true],
  ['one of them', [{ AmazonOrderId: '1' }, { BuyerInfo: { BuyerEmail: 'x@y.example' } }], false],
  ['one that stands deeper', [{ AmazonOrderId: '1', more: { ShippingAddress: { City: 'X' } } }], false],
  ['nothing at all', [], false],
])('an answer with %s misses what needs a token: %s', (_what, Orders, isMissing) => {
  const words = elementsMissing(find('orders/getOrders'), { payload: { Orders } });
  if (isMissing)
    expect(words).toMatch(/^buyerInfo, .* need a restricted data token: .* first, then call again\.$/);
  else expect(words).toBeUndefined();
});

it('what is no answer, or of nobody, misses none', () => {
  expect(elementsMissing(find('orders/getOrders'), { errors: [] })).toBeUndefined();
  expect(elementsMissing(find('orders/getOrders'), undefined)).toBeUndefined();
  expect(elementsMissing(find('getListingsItem'), { payload: { items: [{ a: 1 }] } })).toBeUndefined();
});

describe.each(['orders/searchOrders', 'orders/getOrder@2026-01-01'])('%s', (id) => {
  const operation = find(id);
  const answerWith = (order: object) => (id.endsWith('searchOrders') ? { orders: [order] } : { order });
  const named = (name: string) => [{ name: 'order_id' }, { name }];

  it.each<[string, object, unknown, string[]]>([
    ['without the role', { orderId: '1' }, ['BUYER', 'RECIPIENT'], ['BUYER', 'RECIPIENT']],
    ['with empty members', { buyer: {}, recipient: {} }, 'BUYER,RECIPIENT', ['BUYER', 'RECIPIENT']],
    ['with the city alone', { recipient: { deliveryAddress: { city: 'X' } } }, ['RECIPIENT'], ['RECIPIENT']],
    ['with a buyer', { buyer: { buyerName: 'X' } }, ['BUYER', 'RECIPIENT'], ['RECIPIENT']],
    ['with all of it', { buyer: { buyerEmail: 'x@y.example' } }, ['BUYER'], []],
    ['that was not asked for them', { orderId: '1' }, ['FULFILLMENT'], []],
  ])('an answer %s names the parts that lack what a role brings', (_what, order, asked, parts) => {
    const words = roleMembersMissing(operation, answerWith(order), asked) ?? '';
    expect(['BUYER', 'RECIPIENT'].filter((part) => words.includes(part))).toEqual(parts);
  });

  it('a collected table drops the words once it holds one of the members', () => {
    const notes = listOmittedParts(operation, { includedData: ['BUYER', 'RECIPIENT'] });
    const left = (columns: { name: string }[]) =>
      notes.filter((note) => !isNoteOnParts(note) && !isAnswered(note, columns)).length;
    expect(left(named('created_time'))).toBe(2);
    expect(left(named('buyer_buyer_name'))).toBe(1);
    expect(left(named('recipient_delivery_address_address_line1'))).toBe(1);
    for (const note of notes) expect(note.length).toBeLessThanOrEqual(MAX_NOTE_CHARACTERS);
  });
});

it('an answer without orders lacks nothing', () => {
  expect(roleMembersMissing(find('orders/searchOrders'), { orders: [] }, ['BUYER'])).toBeUndefined();
});
