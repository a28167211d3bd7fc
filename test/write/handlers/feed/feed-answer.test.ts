/** Tests the answer about a feed in both forms: its progress, the result of each message, and the next step. */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokensOf } from '../../../../src/base/text/shorten.ts';
import { loadRegistry } from '../../../../src/service/registry/registry.ts';
import type { MessageResult, SentMessage } from '../../../../src/write/handlers/feed/feed.ts';
import { buildFeedAnswer } from '../../../../src/write/handlers/feed/feed-answer.ts';
import { type FeedFacts, storeFeed } from '../../../../src/write/handlers/feed/feed-item.ts';
import type { ItemEnd } from '../../../../src/write/model/outcome.ts';
import { NO_COUNTS } from '../../../../src/write/model/outcome.ts';
import type { ItemOutcome } from '../../../../src/write/run/batches/batch.ts';
import type { BatchInfo, BatchState } from '../../../../src/write/run/batches/summary.ts';
import { expectOnlyIn } from '../../../helpers/only-in.ts';
import { startToolRunner, type ToolRunner, toolContext } from '../../../helpers/tool-runner.ts';
import { FACTS } from './feed-facts.ts';

let runner: ToolRunner;
beforeAll(async () => {
  runner = await startToolRunner(() => ({ body: {} }), { SELLER_ANSWER_TOKENS: '20000' });
});
afterAll(() => runner.close());

const DOCUMENT = { contentType: 'text/plain', bytes: 1, sha256: 's', md5: 'm', read: async function* () {} };

interface World {
  state?: BatchState;
  outcome?: ItemOutcome | undefined;
  why?: string;
  messages?: readonly SentMessage[];
  feedType?: string;
  /** Milliseconds since it was confirmed. */
  age?: number;
  unfinished?: string[];
}

async function answer({
  state = 'ended',
  outcome,
  why,
  messages = [],
  feedType = 'POST_OTHER',
  age = 0,
  unfinished = [],
}: World) {
  const item = storeFeed('feed', { feedType, marketplaceIds: ['M1'], document: DOCUMENT, messages });
  const info: BatchInfo = {
    id: 'b1b2c3d4',
    account: 'default',
    owner: 'o',
    tool: 'write_operation',
    asked: 'a',
    digest: 'd',
    words: 'feed',
    createdAt: Date.now() - age,
    shownAt: 0,
    until: 1,
    state,
    total: 1,
    counts: NO_COUNTS,
    inDoubt: 0,
    told: false,
    isWithdrawn: false,
    why,
    items: [{ ...item, outcome }],
  };
  const operation = (await loadRegistry()).find('feeds/createFeed');
  const made = await buildFeedAnswer(
    { info, account: 'default', operation, unfinished },
    toolContext(runner.session),
  );
  return { ...made, lines: made.text.split('\n').slice(1) };
}

describe('a feed that is not at its end', () => {
  const HEADS: Readonly<Record<string, string>> = {
    under_way: 'Under way',
    unfinished: 'NOT FINISHED',
    stopped: 'Stopped',
    expired: 'NOT FINISHED WITHIN 24 HOURS',
    not_accepted: 'NOT ACCEPTED',
    unknown: 'NOT KNOWN WHETHER THE SERVICE HAS IT',
  };
  const STATES: readonly BatchState[] = [
    'under_way',
    'elsewhere',
    'unfinished',
    'ended',
    'stopped',
    'expired',
  ];
  /** Computes the expected outcome from the state of the batch and the end of its item, if it ended. */
  const expectedOutcome = (state: BatchState, kind: ItemEnd | undefined): string => {
    const isOver = state === 'stopped' || state === 'expired';
    if (isOver && (kind === undefined || kind === 'not_sent' || kind === 'unknown')) return state;
    if (kind === 'unknown') return 'unknown';
    if (kind === undefined && state !== 'ended') return state === 'elsewhere' ? 'under_way' : state;
    return 'not_accepted';
  };
  it.each(
    STATES.flatMap((state) =>
      ([undefined, 'unknown', 'not_sent', 'not_accepted', 'failed'] as const).map(
        (kind) => [state, kind] as const,
      ),
    ),
  )('%s, its item %s', async (state, kind) => {
    const outcome: ItemOutcome | undefined = kind && { kind, why: 'it is blue', journalId: 'j-1' };
    const { lines, structured, isError } = await answer({ state, outcome });
    const is = expectedOutcome(state, kind);
    expect(structured.outcome).toBe(is);
    const why = kind === undefined ? '' : ' it is blue';
    expect(lines).toEqual([
      `${HEADS[is]}: POST_OTHER for account default.${why}`,
      String(structured.next_step),
      `${kind === undefined ? '' : 'Journal entry j-1. '}Batch b1b2c3d4.`,
    ]);
    expect(isError ?? false).toBe(is === 'not_accepted' || is === 'unknown');
    expect(structured).toMatchObject({
      account: 'default',
      operation: 'feeds/createFeed',
      batch_id: 'b1b2c3d4',
    });
    expect([structured.why, structured.journal_id]).toEqual(
      kind === undefined ? [undefined, undefined] : ['it is blue', 'j-1'],
    );
  });
  it('says why the list waits, that it takes long, and what else is unfinished', async () => {
    const { lines, structured } = await answer({
      state: 'under_way',
      why: 'no token',
      age: 31 * 60_000,
      unfinished: ['Another.'],
    });
    expect(lines[0]).toBe(
      'Under way: POST_OTHER for account default. no token It is not done since 31 minutes, longer than most: those behind it wait.',
    );
    expect(lines.at(-1)).toBe('Another.');
    expect(structured).toMatchObject({ why: 'no token', unfinished: ['Another.'] });
    const [stopped] = (await answer({ state: 'stopped', age: 31 * 60_000 })).lines;
    expect(stopped).toBe('Stopped: POST_OTHER for account default.');
    const [fresh] = (await answer({ state: 'under_way', age: 29 * 60_000 })).lines;
    expect(fresh).toBe('Under way: POST_OTHER for account default.');
  });
});

describe('a feed at its end', () => {
  const results = fc.uniqueArray(
    fc.record({
      messageId: fc.integer({ min: 1, max: 99 }),
      sku: fc.constantFrom(undefined, 'A', 'B'),
      outcome: fc.constantFrom('accepted' as const, 'not_accepted' as const, 'unknown' as const),
      severity: fc.constantFrom(
        undefined,
        'ERROR' as const,
        'WARNING' as const,
        'INFO' as const,
        'UNKNOWN' as const,
      ),
    }),
    { selector: ({ messageId }) => messageId, minLength: 1, maxLength: 6 },
  );
  const WORDS = { accepted: 'accepted', not_accepted: 'not accepted', unknown: 'not known' };
  const SEVERITY = { ERROR: '', WARNING: 'warning: ', INFO: 'info: ', UNKNOWN: 'how bad is not said: ' };
  let feeds = 0;
  const facts = (all: readonly MessageResult[], more: Partial<FeedFacts> = {}): FeedFacts => {
    feeds += 1;
    return {
      ...FACTS,
      feedId: `F-${feeds}`,
      told: all.map(({ messageId, sku, outcome, issues }) => [messageId, sku ?? null, outcome, [...issues]]),
      ...more,
    };
  };

  it('counts its messages, and names those of which there is something to say, the worst first', async () => {
    await fc.assert(
      fc.asyncProperty(results, async (some) => {
        const all = some.map(
          ({ severity, ...one }): MessageResult => ({
            ...one,
            issues: severity === undefined ? [] : [{ severity, code: '7', attributes: ['a', 'b'] }],
          }),
        );
        const ended = facts(all);
        const { lines, structured, isError } = await answer({
          messages: all,
          outcome: { kind: 'accepted', facts: ended },
        });
        const number = (kind: MessageResult['outcome']) =>
          all.filter(({ outcome }) => outcome === kind).length;
        const [yes, no, doubt] = [number('accepted'), number('not_accepted'), number('unknown')];
        const outcome =
          yes === all.length ? 'done' : yes > 0 ? 'partly_accepted' : doubt > 0 ? 'unknown' : 'not_accepted';
        expect(structured).toMatchObject({
          outcome,
          messages: all.length,
          counts: { accepted: yes, not_accepted: no, unknown: doubt },
        });
        expect(isError ?? false).toBe(outcome === 'not_accepted' || outcome === 'unknown');
        const rank = ({ outcome: one }: MessageResult) =>
          ['not_accepted', 'unknown', 'accepted'].indexOf(one);
        const named = all
          .filter((one) => one.outcome !== 'accepted' || one.issues.length > 0)
          .sort((one, other) => rank(one) - rank(other) || one.messageId - other.messageId);
        const why = ({ issues: [first] }: MessageResult) =>
          first === undefined ? '' : `${SEVERITY[first.severity]}7 (a, b)`;
        expect(lines.slice(1, 1 + named.length)).toEqual(
          named.map((one) => {
            const name =
              one.sku === undefined ? `message ${one.messageId}` : `${one.sku} (message ${one.messageId})`;
            return `  ${name}: ${WORDS[one.outcome]}${why(one) === '' ? '' : `: ${why(one)}`}`;
          }),
        );
        expect(structured.results ?? []).toEqual(
          named.map((one) => ({
            message: one.messageId,
            ...(one.sku === undefined ? {} : { sku: one.sku }),
            outcome: one.outcome,
            ...(why(one) === '' ? {} : { why: why(one) }),
          })),
        );
        // Each of them stands in a table of its own.
        const tables = await runner.session.tables('default');
        const columns = 'message_id, sku, outcome, severity, code, attributes, issues';
        const rows = await tables.query(`SELECT ${columns} FROM ${structured.table} ORDER BY message_id`, {
          maxRows: 100,
          maxBytes: 100_000,
          timeoutMs: 20_000,
          signal: new AbortController().signal,
        });
        expect(rows.rows).toEqual(
          all
            .toSorted((one, other) => one.messageId - other.messageId)
            .map(({ messageId, sku = null, outcome: one, issues }) => [
              messageId,
              sku,
              one,
              issues[0]?.severity ?? null,
              issues[0]?.code ?? null,
              issues[0]?.attributes?.join(', ') ?? null,
              issues.length,
            ]),
        );
        expect(structured).not.toHaveProperty('not_listed');
      }),
      { numRuns: 12 },
    );
  });

  it('of more messages than there is room for tells the worst, counts the others, and stays within its room', async () => {
    const messages = Array.from(
      { length: 3_000 },
      (_, at): MessageResult => ({
        messageId: at + 1,
        outcome: at === 2_999 ? 'not_accepted' : 'unknown',
        issues: [
          { severity: 'ERROR', code: '7', message: 'words of the service, some of them', attributes: [] },
        ],
      }),
    );
    const made = await answer({ messages, outcome: { kind: 'accepted', facts: facts(messages) } });
    const { text, structured, lines } = made;
    for (const form of [text, JSON.stringify(structured)]) {
      expect(tokensOf(form)).toBeLessThanOrEqual(20_000);
      // And is made use of.
      expect(tokensOf(form)).toBeGreaterThan(19_000);
    }
    expect(lines[1]).toMatch(/^ {2}message 3000: not accepted: 7/);
    const named = lines.filter((line) => /^ {2}message \d+: /.test(line)).length;
    expect(lines).toContain(`  ... and ${3_000 - named} more that are not listed here`);
    expect(structured.not_listed).toBe(3_000 - [structured.results].flat().length);
  });

  it.each<[string, Partial<FeedFacts>, string]>([
    ['broken off', { status: 'FATAL', rest: 'unknown' }, 'The service broke the feed off'],
    ['cancelled', { status: 'CANCELLED', rest: 'not_accepted' }, 'The feed was cancelled before'],
    ['with remarks left out', { cut: 2 }, '2 remarks are only in the processing report'],
  ])('%s says so', async (_case, more, words) => {
    const messages = [{ messageId: 1 }];
    const { text, structured, isError } = await answer({
      messages,
      outcome: { kind: 'accepted', facts: facts([], more) },
    });
    expect(isError ?? false).toBe(more.rest !== undefined);
    expect(structured.next_step).toContain(words);
    const plain = await answer({ messages, outcome: { kind: 'accepted', facts: facts([]) } });
    expectOnlyIn(words, text, plain.text);
  });

  it('of listings says when a change is seen, and of a part what to send again', async () => {
    const messages = [{ messageId: 1 }, { messageId: 2 }];
    const steps = async (feedType: string, told: FeedFacts['told']) =>
      String(
        (
          await answer({
            feedType,
            messages,
            outcome: { kind: 'accepted', facts: facts([], { told }) },
          })
        ).structured.next_step,
      );
    const all = await steps('JSON_LISTINGS_FEED', []);
    expectOnlyIn('appear minutes later', all, await steps('POST_OTHER', []));
    const part = await steps('JSON_LISTINGS_FEED', [[1, null, 'not_accepted', []]]);
    expect(part).toContain('Send again only what was refused');
    expectOnlyIn('appear minutes later', all, part);
  });

  it('of a report that is not understood says how it begins, and how to read it', async () => {
    const more = {
      noReport: 'it is odd',
      beginning: 'oops',
      reportDocumentId: 'D-1',
      unnamed: null,
      rest: 'unknown' as const,
    };
    const whole = [{ severity: 'ERROR' as const, code: '9' }];
    const { text, lines, structured } = await answer({
      messages: [{ messageId: 1 }],
      outcome: { kind: 'unknown', facts: facts([], { ...more, whole }), journalId: 'j-1' },
    });
    expect(lines[0]).toContain('of its messages, whose number is not known: 1 not known whether they were.');
    expect(text).toContain(
      'What its processing report says is not known: it is odd. It begins: «oops» collect_data with document {"id": D-1, "of": "feed"} reads it.',
    );
    expect(lines).toContain('  The feed as a whole: 9');
    expect(lines.at(-1)).toBe('Journal entry j-1. Batch b1b2c3d4.');
    expect(structured).toMatchObject({
      outcome: 'unknown',
      of_the_whole: ['9'],
      report: { problem: 'it is odd', beginning: 'oops', document_id: 'D-1' },
      journal_id: 'j-1',
    });
    const plain = await answer({
      messages: [{ messageId: 1 }],
      outcome: { kind: 'accepted', facts: facts([], { noReport: 'it is odd' }) },
    });
    expect(plain.structured.report).toEqual({ problem: 'it is odd' });
    expect(plain.text).toContain('says is not known: it is odd.\n');
    expect(plain.structured).not.toHaveProperty('of_the_whole');
  });
});
