import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EndedFeed } from '../../../../src/write/handlers/feed/feed.ts';
import {
  expandFeed,
  feedFacts,
  messageResults,
  readFacts,
  restoreFeed,
  storeFeed,
} from '../../../../src/write/handlers/feed/feed-item.ts';
import { joinReport } from '../../../../src/write/handlers/feed/join-report.ts';
import { buildListingsFeed, endsOfFeeds } from '../../../../src/write/handlers/feed/listings-feed.ts';
import { readReport } from '../../../../src/write/handlers/feed/read-report.ts';

const OPTIONS = { sellerId: 'A1', marketplaceIds: ['ATVPDKIKX0DER'] };
const listing = (sku: string) => ({
  sku,
  productType: 'LAMP',
  patches: [{ op: 'replace', path: '/attributes/item_name', value: [] }],
});
const feedItems = (count: number) => {
  const all = skus(count).map(listing);
  const ends = endsOfFeeds(all);
  return ends.map((end, at) =>
    storeFeed(`feed ${at + 1}`, buildListingsFeed(all.slice(ends[at - 1] ?? 0, end), OPTIONS)),
  );
};
const skus = (count: number) => Array.from({ length: count }, (_, at) => `S-${at}`);

function endedItem(count: number, report: string, status: EndedFeed['status'] = 'DONE') {
  const [item] = feedItems(count);
  const feed = item && restoreFeed(item);
  if (item === undefined || feed === undefined) throw new Error('no item');
  const ended: EndedFeed = { feedId: '1', status, report: readReport(report) };
  const results = joinReport(feed.messages, ended);
  const facts = feedFacts(ended, feed.messages, results);
  // The results are read back as the disk has them.
  return {
    item: {
      ...item,
      outcome: { kind: 'accepted' as const, journalId: 'j', facts: JSON.parse(JSON.stringify(facts)) },
    },
    feed,
    results,
  };
}

const report = (accepted: number, count: number, ...issues: object[]) =>
  JSON.stringify({ issues, summary: { messagesProcessed: count, messagesAccepted: accepted } });
const error = (messageId?: number) => ({
  ...(messageId === undefined ? {} : { messageId }),
  code: '1',
  severity: 'ERROR',
  message: 'no <b>',
});

it('26,000 listings are two feeds, each SKU in one of them', () => {
  const items = feedItems(26_000);
  expect(items).toHaveLength(2);
  const all = items.flatMap((item) => expandFeed(item) ?? []);
  expect(all).toHaveLength(26_000);
  expect(new Set(all.map(({ key }) => key)).size).toBe(26_000);
  expect(all.every(({ outcome }) => outcome === undefined)).toBe(true);
});

it('what comes back from the disk is what was joined', () => {
  const { item, feed, results } = endedItem(
    5,
    report(3, 5, error(2), error(4), { ...error(1), severity: 'WARNING' }),
  );
  const facts = readFacts(item.outcome);
  expect(facts && messageResults(feed.messages, facts)).toEqual(results);
});

it('each listing has its outcome, with why', () => {
  const { item } = endedItem(3, report(2, 3, error(2)));
  expect(expandFeed(item)).toEqual([
    { key: 'S-0', outcome: { kind: 'accepted', journalId: 'j' } },
    { key: 'S-1', outcome: { kind: 'not_accepted', why: '1: «no <b>»', journalId: 'j' } },
    { key: 'S-2', outcome: { kind: 'accepted', journalId: 'j' } },
  ]);
});

it.each([
  ['refused as a whole', report(0, 2, error()), 'DONE', 'not_accepted', '1: «no <b>»'],
  ['broken off', report(2, 2), 'FATAL', 'unknown', 'the feed ended FATAL'],
  ['cancelled', '', 'CANCELLED', 'not_accepted', 'CANCELLED before it began'],
  ['without a report that is understood', 'oops', 'DONE', 'unknown', 'neither JSON nor a table'],
] as const)('of a feed that was %s, none is accepted', (_case, text, status, kind, why) => {
  const { item } = endedItem(2, text, status);
  for (const { outcome } of expandFeed(item) ?? []) {
    expect(outcome).toMatchObject({ kind, why: expect.stringContaining(why) });
  }
});

it('of a feed that was never created, each listing has what became of it', () => {
  const [item] = feedItems(2);
  if (item === undefined) throw new Error('no item');
  const outcome = { kind: 'unknown', why: 'no answer', facts: { candidates: [] } } as const;
  expect(expandFeed({ ...item, outcome })).toEqual([
    { key: 'S-0', outcome: { kind: 'unknown', why: 'no answer' } },
    { key: 'S-1', outcome: { kind: 'unknown', why: 'no answer' } },
  ]);
  expect(expandFeed({ key: 'x', value: { kind: 'write' } })).toBeUndefined();
});

it('more refusals than are kept whole keep their outcomes, and what is cut is counted', () => {
  const issues = Array.from({ length: 20_000 }, (_, at) => ({
    ...error(at + 1),
    message: 'x'.repeat(1_000),
  }));
  const { item } = endedItem(25_000, report(5_000, 25_000, ...issues));
  const facts = readFacts(item.outcome);
  expect(JSON.stringify(item.outcome).length).toBeLessThan(7_000_000);
  expect(facts?.cut).toBeGreaterThan(0);
  const kinds = (expandFeed(item) ?? []).map(({ outcome }) => outcome?.kind);
  expect(kinds.slice(0, 20_000).every((kind) => kind === 'not_accepted')).toBe(true);
  expect(kinds.slice(20_000).every((kind) => kind === 'accepted')).toBe(true);
});

it('whatever the report says, what comes back from the disk has the same outcomes', () => {
  const issue = fc.record({
    messageId: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
    severity: fc.constantFrom('ERROR', 'WARNING'),
    code: fc.constant('1'),
    message: fc.string(),
  });
  fc.assert(
    fc.property(
      fc.array(issue),
      fc.integer({ min: 0, max: 5 }),
      fc.constantFrom('DONE', 'FATAL', 'CANCELLED'),
      (issues, accepted, status) => {
        const { item, feed, results } = endedItem(5, report(accepted, 5, ...issues), status);
        const facts = readFacts(item.outcome);
        const again = facts === undefined ? [] : messageResults(feed.messages, facts);
        expect(again.map(({ outcome }) => outcome)).toEqual(results.map(({ outcome }) => outcome));
      },
    ),
  );
});

it('a feed that is done without a processing report says why nothing is known of its messages', () => {
  const ended: EndedFeed = { feedId: '1', status: 'DONE' };
  const messages = [{ messageId: 1, sku: 'S-1' }];
  const facts = feedFacts(ended, messages, joinReport(messages, ended));
  expect(facts).toMatchObject({ noReport: 'the service names none', rest: 'unknown' });
});

it('where each message is told with its issues, nothing is claimed of any other', () => {
  const issues = [{ severity: 'WARNING' as const, code: '1', message: 'odd' }];
  const results = [{ messageId: 1, outcome: 'accepted' as const, issues }];
  const facts = feedFacts({ feedId: '1', status: 'DONE' }, [{ messageId: 1 }], results);
  expect(facts.rest).toBe('unknown');
  const silent = [...results, { messageId: 2, outcome: 'accepted' as const, issues: [] }];
  expect(feedFacts({ feedId: '1', status: 'DONE' }, [{ messageId: 1 }], silent).rest).toBe('accepted');
});

it('a feed comes back from the disk as it was stored, but for its document and for a hundred thousand messages and more', () => {
  const document = {
    contentType: 'text/plain',
    bytes: 3,
    sha256: 's',
    md5: 'm',
    read: async function* () {},
  };
  const { read: _, ...kept } = document;
  const messages = [{ messageId: 1, sku: 'S' }, { messageId: 2 }];
  const feed = {
    feedType: 'POST_X',
    marketplaceIds: ['M'],
    feedOptions: { DocumentNumber: '7' },
    document,
    messages,
  };
  const stored = (one: Parameters<typeof storeFeed>[1]) =>
    restoreFeed(JSON.parse(JSON.stringify(storeFeed('a feed', one))));
  expect(stored(feed)).toMatchObject({ ...feed, document: kept });
  expect(stored({ ...feed, feedOptions: undefined })).not.toHaveProperty('feedOptions');
  const many = (number: number) => Array.from({ length: number }, (_one, at) => ({ messageId: at }));
  expect(stored({ ...feed, messages: many(100_000) })?.messages).toHaveLength(100_000);
  expect(stored({ ...feed, messages: many(100_001) })?.messages).toEqual([]);
});

it('of a message, three issues are kept, each with ten attributes and the first words of it', () => {
  const long = {
    severity: 'ERROR' as const,
    code: '1',
    message: 'x'.repeat(301),
    attributes: Array<string>(11).fill('a'),
  };
  const short = { severity: 'ERROR' as const, code: '2' };
  const results = [
    { messageId: 2, outcome: 'accepted' as const, issues: [short] },
    { messageId: 3, outcome: 'not_accepted' as const, issues: [short] },
    { messageId: 1, sku: 'S', outcome: 'not_accepted' as const, issues: [long, short, short, short] },
  ];
  const facts = feedFacts({ feedId: '1', status: 'DONE' }, [], results);
  const kept = { severity: 'ERROR', code: '1', message: 'x'.repeat(300), attributes: Array(10).fill('a') };
  expect(facts.told).toEqual([
    [1, 'S', 'not_accepted', [kept, short, short]],
    [3, null, 'not_accepted', [short]],
    [2, null, 'accepted', [short]],
  ]);
  expect(facts.cut).toBe(0);
  // The messages that the report names are all that is known where the feed's own are missing.
  expect(messageResults([], facts).map((one) => Object.keys(one))).toEqual([
    ['messageId', 'sku', 'outcome', 'issues'],
    ['messageId', 'outcome', 'issues'],
    ['messageId', 'outcome', 'issues'],
  ]);
});

it('a report that is not understood says why, and how it begins', () => {
  const text = 'neither this nor that';
  const ended: EndedFeed = { feedId: '1', status: 'FATAL', report: readReport(text), reportDocumentId: 'D' };
  const facts = feedFacts(ended, [], []);
  expect(facts).toMatchObject({ beginning: text, reportDocumentId: 'D', unnamed: null, rest: 'unknown' });
  expect(facts.noReport).toContain('neither JSON nor a table');
  expect(feedFacts({ feedId: '1', status: 'FATAL' }, [], []).noReport).toBeUndefined();
  expect(
    feedFacts({ feedId: '1', status: 'DONE', report: readReport(report(1, 1)) }, [], []),
  ).not.toHaveProperty('beginning');
});
