/**
 * Tests that the result of a feed is recorded with its creation, with the reasons of refusals, and nothing
 * personal.
 */

import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import type { MessageResult } from '../../../../src/write/handlers/feed/feed.ts';
import type { FeedFacts } from '../../../../src/write/handlers/feed/feed-item.ts';
import {
  countResults,
  formatMessageCounts,
  outcomeOf,
  settleFeed,
} from '../../../../src/write/handlers/feed/settle-feed.ts';
import { startToolRunner, toolContext } from '../../../helpers/tool-runner.ts';
import { FACTS } from './feed-facts.ts';

const runner = await startToolRunner(() => ({ body: {} }));
afterAll(() => runner.close());

const message = (
  messageId: number,
  outcome: MessageResult['outcome'],
  more: Partial<MessageResult> = {},
) => ({
  messageId,
  outcome,
  issues: [],
  ...more,
});
const issue = (text: string) => [{ severity: 'ERROR' as const, code: '7', message: text }];

async function settle(
  results: readonly MessageResult[],
  facts: Partial<FeedFacts> = {},
  id: string | undefined = 'j-1',
) {
  const writes = await runner.session.writeGuard();
  const settled: unknown[] = [];
  writes.settle = async (...parts) => {
    settled.push(parts);
  };
  const end = await settleFeed({ ...FACTS, ...facts }, results, id, toolContext(runner.session));
  return { end, settled };
}

it('one of which all was accepted is done, and says no more', async () => {
  expect(await settle([message(1, 'accepted')])).toEqual({
    end: 'accepted',
    settled: [['j-1', { outcome: 'done' }]],
  });
});

it('what was refused says why, by its SKU or its number, five at most, behind what is said of the whole', async () => {
  const refused = Array.from({ length: 7 }, (_, at) =>
    message(at + 2, 'not_accepted', { issues: issue(`why ${at}`), ...(at % 2 === 0 && { sku: `S${at}` }) }),
  );
  const { end, settled } = await settle([message(1, 'accepted'), ...refused], { whole: issue('in all') });
  expect(end).toBe('not_accepted');
  const [[id, settledWith]] = settled as [[string, { outcome: string; error: string }]];
  expect([id, settledWith.outcome]).toEqual(['j-1', 'partly_accepted']);
  expect(settledWith.error).toMatch(
    /^Feed F-1, DONE: 1 accepted, 7 not accepted: .*in all.*; S0 \(.*why 0.*\); message 3 \(/,
  );
  expect(settledWith.error).toContain('why 4');
  expect(settledWith.error).not.toContain('why 5');
});

it('a refusal without a reason is counted alone', async () => {
  const { end, settled } = await settle([message(1, 'not_accepted')]);
  expect(end).toBe('not_accepted');
  expect(settled).toEqual([['j-1', { outcome: 'not_accepted', error: 'Feed F-1, DONE: 1 not accepted' }]]);
});

it('what is not known is told as that, and addresses in the words of the service are marks', async () => {
  const { end, settled } = await settle([message(1, 'unknown')], { whole: issue('ask li@example.com') });
  expect(end).toBe('unknown');
  expect(JSON.stringify(settled)).toMatch(/1 not known whether they were: .*«e-mail [^»]+»/);
  expect(JSON.stringify(settled)).not.toContain('li@example.com');
});

it('without an entry in the journal nothing is written down', async () => {
  const writes = await runner.session.writeGuard();
  const settled: unknown[] = [];
  writes.settle = async (...parts) => {
    settled.push(parts);
  };
  const end = await settleFeed(FACTS, [message(1, 'accepted')], undefined, toolContext(runner.session));
  expect([end, settled]).toEqual(['accepted', []]);
});

it.each([
  [
    { accepted: 1_200, not_accepted: 2, unknown: 1 },
    '1,200 accepted, 2 not accepted, 1 not known whether they were',
  ],
  [{ accepted: 0, not_accepted: 2, unknown: 0 }, '2 not accepted'],
  [{ accepted: 0, not_accepted: 0, unknown: 0 }, 'what became of its messages is not known'],
])('%j: %s', (counts, words) => {
  expect(formatMessageCounts(counts)).toBe(words);
});

it('it is done where each message was accepted, and whatever nobody can say of it is not known', () => {
  const number = fc.constantFrom(0, 0, 1, 2);
  const counted = fc.record({ accepted: number, not_accepted: number, unknown: number });
  const facts = fc.record({
    status: fc.constantFrom('DONE' as const, 'FATAL' as const, 'CANCELLED' as const),
    unnamed: fc.option(counted),
    whole: fc.constantFrom<FeedFacts['whole']>(
      [],
      issue('no'),
      issue('odd').map((one) => ({ ...one, severity: 'WARNING' as const })),
    ),
  });
  const messages = fc.array(
    fc.constantFrom('accepted' as const, 'not_accepted' as const, 'unknown' as const),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(facts, messages, ({ status, unnamed, whole }, outcomes) => {
      const reported = { ...FACTS, status, unnamed, whole };
      const counts = countResults(
        outcomes.map((one, at) => message(at, one)),
        reported,
      );
      const all = [
        ...outcomes,
        ...Object.entries(unnamed ?? {}).flatMap(([kind, many]) => Array<string>(many).fill(kind)),
      ];
      for (const [kind, many] of Object.entries(counts))
        expect(many).toBe(all.filter((one) => one === kind).length);
      const found = outcomeOf(reported, counts);
      const has = (kind: string) => all.includes(kind);
      const isRefused = status === 'DONE' && whole.some(({ severity }) => severity === 'ERROR');
      if (status === 'CANCELLED') expect(found).toBe('not_accepted');
      else if (unnamed === null) expect(found).toBe('unknown');
      else if (all.length === 0) expect(found).toBe(isRefused ? 'not_accepted' : 'unknown');
      else if (has('accepted'))
        expect(found).toBe(has('not_accepted') || has('unknown') ? 'partly_accepted' : 'done');
      else expect(found).toBe(has('unknown') ? 'unknown' : 'not_accepted');
    }),
    { numRuns: 300 },
  );
});
