/** The line about unfinished batches says what, how far, and how to go on. */

import { expect, test } from 'vitest';
import { NO_COUNTS } from '../../../../src/write/model/outcome.ts';
import { formatItemCounts, formatUnfinished } from '../../../../src/write/run/batches/format-unfinished.ts';
import type { BatchSummary } from '../../../../src/write/run/batches/summary.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
function batch(parts: Partial<BatchSummary>): BatchSummary {
  return {
    id: '3f9a1c22',
    account: 'shop',
    owner: 'mark',
    tool: 'change_listings',
    asked: 'a',
    digest: 'd',
    words: '25 listings, Germany',
    createdAt: NOW - 2 * 3_600_000,
    until: NOW + 22 * 3_600_000,
    state: 'unfinished',
    total: 25,
    counts: { ...NO_COUNTS, accepted: 12, pending: 13 },
    inDoubt: 0,
    told: false,
    isWithdrawn: false,
    why: undefined,
    shownAt: NOW - 2 * 3_600_000,
    ...parts,
  };
}

test('nothing to tell is nothing', () => {
  expect(formatUnfinished([], NOW)).toBeUndefined();
});

test('an unfinished one: how far it is, until when it goes on, how it is ended, and why it ended', () => {
  expect(formatUnfinished([batch({})], NOW)).toBe(
    'Unfinished: 25 listings, Germany (change_listings, batch 3f9a1c22, confirmed 2 h ago), 12 of 25 done. The same call, without a code, goes on within 22 h, and so does change_listings with confirmationCode 3f9a1c22 alone; seller-commerce-mcp stop 3f9a1c22 ends it.',
  );
  expect(formatUnfinished([batch({ why: 'No token.' })], NOW)).toMatch(/ends it\. Why: No token\.$/);
});

test('one under way, here or in another process', () => {
  const early = { createdAt: NOW - 30_000 };
  expect(formatUnfinished([batch({ state: 'under_way', ...early })], NOW)).toBe(
    'Under way: 25 listings, Germany (change_listings, batch 3f9a1c22, confirmed just now), 12 of 25 done.',
  );
  expect(formatUnfinished([batch({ state: 'elsewhere' })], NOW)).toMatch(/^Under way by another process: /);
});

test('one that ended without anybody being told', () => {
  const counts = { ...NO_COUNTS, accepted: 20, not_accepted: 1, unknown: 1, not_sent: 3 };
  expect(formatUnfinished([batch({ state: 'ended', counts })], NOW)).toBe(
    'Ended: 25 listings, Germany (change_listings, batch 3f9a1c22, confirmed 2 h ago): 20 accepted, 1 not accepted, 1 unknown, 3 not sent. The same call tells each.',
  );
  expect(formatUnfinished([batch({ state: 'stopped', counts })], NOW)).toMatch(/^Stopped: /);
  expect(
    formatUnfinished([batch({ state: 'expired', counts, createdAt: NOW - 49 * 3_600_000 })], NOW),
  ).toMatch(/^Not finished within 24 hours, and ended: .* confirmed 2 days ago\)/);
});

test('the newest three in words, older ones counted', () => {
  const many = Array.from({ length: 5 }, (_, i) => batch({ id: `0000000${i}` }));
  const words = formatUnfinished(many, NOW) ?? '';
  expect(words.match(/batch 0000000\d/g)).toEqual(['batch 00000002', 'batch 00000003', 'batch 00000004']);
  expect(words).toMatch(/ And 2 older\.$/);
});

test('counts leave out what there is none of', () => {
  expect(
    formatItemCounts({ ...NO_COUNTS, accepted_not_visible: 2, changed_since: 1, pending: 1, failed: 4 }),
  ).toBe(
    '2 accepted but not visible yet, 4 failed, 1 not sent because somebody else changed it, 1 still to be sent',
  );
  expect(formatItemCounts(NO_COUNTS)).toBe('nothing');
});
