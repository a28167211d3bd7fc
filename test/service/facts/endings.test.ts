/** Checks that every ending leads to something that stays and is told, and that no text recommends what is gone. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endingRemark } from '../../../src/call/ending-remark.ts';
import { TOOL_LIST } from '../../../src/protocol/generated/tool-list.ts';
import { INSTRUCTIONS } from '../../../src/protocol/instructions.ts';
import { notesOf } from '../../../src/service/describe/notes.ts';
import { endingOf, isGone } from '../../../src/service/facts/endings.ts';
import { endings } from '../../../src/service/facts/generated/endings.ts';
import { notificationTypes } from '../../../src/service/facts/generated/notification-types.ts';
import { knownEntries } from '../../../src/service/facts/groups.ts';
import { reportType } from '../../../src/service/facts/report-types.ts';
import { otherVersions } from '../../../src/service/facts/versions.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { knownQuestions } from '../../../src/service/search/generated/known-questions.ts';
import { sellerWords } from '../../../src/service/search/generated/seller-words.ts';

/** The tests stand on this day, because a text that was right then is no fault when something is gone later. */
const NOW = Date.parse('2026-11-29');
const all = Object.entries(endings);
const gone = all.filter(([, ending]) => isGone(ending, NOW)).map(([name]) => name);
const FEED = /^(POST_[A-Z_]+|JSON_LISTINGS_FEED)$/;

const registry = await loadRegistry();

const isOperation = (name: string) =>
  registry.operations.some(({ id }) => id === name) || knownEntries.some(({ id }) => id === name);
const isNotification = (name: string) => Object.hasOwn(notificationTypes, name.split('@', 1)[0] ?? '');
const isKnown = (name: string) =>
  isOperation(name) || reportType(name) !== undefined || isNotification(name) || FEED.test(name);

test('what ends is known by its name, has a day that is one, and leads to what stays', () => {
  for (const [name, { removed, successor }] of all) {
    if (!/ORDER_STATUS_CHANGE$/.test(name)) expect(isKnown(name), name).toBe(true);
    if (removed !== undefined) expect(new Date(removed).toISOString().slice(0, 10), name).toBe(removed);
    if (successor === undefined) continue;
    expect(isKnown(successor), successor).toBe(true);
    expect(endingOf(successor), successor).toBeUndefined();
  }
});

test('every operation that the document or a definition deprecates has a successor', () => {
  for (const { id, deprecated, ending } of registry.operations)
    if (deprecated === true) expect(ending?.successor, id).toBeDefined();
});

/** Collects the texts that assistants and people read, by their origin, without an operation's own description. */
function textsOfOurs(): [string, string][] {
  const documents = readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  return [
    ...['README.md', ...documents].map((path): [string, string] => [path, readFileSync(path, 'utf8')]),
    ['known questions', JSON.stringify(knownQuestions)],
    ['words of sellers', JSON.stringify(sellerWords)],
    ['instructions', INSTRUCTIONS],
    ...TOOL_LIST.map((tool): [string, string] => [tool.name, JSON.stringify(tool)]),
    ...registry.operations.flatMap((operation): [string, string][] =>
      endingOf(operation.id) === undefined && operation.id !== 'notifications/createSubscription'
        ? [[operation.id, notesOf(operation).join('\n')]]
        : [],
    ),
  ];
}

test('no text recommends what is gone', () => {
  expect(gone.length).toBeGreaterThan(20);
  const texts = textsOfOurs();
  for (const name of gone.filter((one) => !/getCatalogItem$|listCatalogItems$|@/.test(one))) {
    const word = new RegExp(`\\b${name.split('/').at(-1)}\\b`);
    for (const [where, text] of texts) expect(word.test(text) ? `${name} in ${where}` : '').toBe('');
  }
});

test('no question of a seller is answered with what has a day of removal', () => {
  const ends = knownQuestions.flatMap(({ means = [] }) => means).filter((id) => endingOf(id)?.removed);
  expect(ends).toEqual([]);
});

describe('a search', () => {
  const dated = all.filter(([name, { removed }]) => removed && name.includes('/'));

  test.each(dated.map(([name, ending]) => [name, ending.successor ?? '']))(
    'for %s, by its name and by its words, has the successor first',
    async (id, successor) => {
      const name = id.split('/')[1] ?? '';
      const [slug = ''] = id.split('/');
      for (const search of [name, sellerWords[slug]?.[name] ?? name]) {
        const { operations, best } = await registry.list({ search: search.slice(0, 200), limit: 100 });
        const ids = operations.map((one) => one.id);
        expect(best, search).not.toBe(id);
        if (ids.includes(id)) expect(ids.slice(0, ids.indexOf(id)), search).toContain(successor);
      }
    },
  );

  test('keeps what ends where its successor was refused', async () => {
    const refused = new Map([['orders/searchOrders', 'refused']]);
    const search = 'getOrders';
    const [first] = (await registry.list({ search, group: 'orders' }, refused)).operations;
    expect(first?.id).toBe('orders/getOrders');
  });
});

/** Parses the calls that a text offers as ready to be made. */
const readyCallsIn = (text: string): unknown[] =>
  [...text.matchAll(/(?:read_operation|collect_data) (\{.*\})/g)].map(([, call = '']) => JSON.parse(call));

describe('a call', () => {
  const remark = (id: string, given: Record<string, unknown>, { now = NOW, refused = [] as string[] } = {}) =>
    endingRemark(
      { operation: registry.find(id), given, toolOf: () => 'read_operation' },
      {
        refusals: async () =>
          refused.map((operation) => ({ operation, about: [], account: 'a', at: 0 })) as never,
      },
      now,
    );

  test('within 12 months of its end tells the day and the ready call, before that nothing', async () => {
    const given = { orderId: '1' };
    expect(await remark('orders/getOrderItems', given, { now: Date.parse('2026-03-26') })).toBe('');
    for (const now of [Date.parse('2026-03-28'), Date.parse('2027-03-26'), Date.parse('2028-01-01')]) {
      const text = await remark('orders/getOrderItems', given, { now });
      expect(text).toContain('2027-03-27');
      expect(readyCallsIn(text)).toEqual(otherVersions('orders/getOrderItems', given));
    }
  });

  test('does not recommend a successor that was refused in this session', async () => {
    const text = await remark('orders/getOrders', {}, { refused: ['orders/searchOrders'] });
    expect(text).toContain('2027-03-27');
    expect(readyCallsIn(text)).toEqual([]);
  });

  test('of what has no day of removal says nothing', async () => {
    for (const { id, ending } of registry.operations)
      if (ending?.removed === undefined) expect(await remark(id, {}), id).toBe('');
  });
});
