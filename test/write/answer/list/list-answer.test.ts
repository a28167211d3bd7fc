/** What became of a list, in both forms, held against a count of its items by hand: each stands where it belongs, once. */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadRegistry } from '../../../../src/service/registry/registry.ts';
import { buildListAnswer } from '../../../../src/write/answer/list/list-answer.ts';
import type { MemberValue } from '../../../../src/write/model/member-values.ts';
import { ENDS, type End, NO_COUNTS } from '../../../../src/write/model/outcome.ts';
import type { ItemOutcome } from '../../../../src/write/run/batches/batch.ts';
import type { BatchInfo, BatchState } from '../../../../src/write/run/batches/summary.ts';
import { toldFromHistory, toldList } from '../../../../src/write/run/list/list-outcome.ts';
import { startToolRunner, type ToolRunner } from '../../../helpers/tool-runner.ts';

let runner: ToolRunner;
beforeAll(async () => {
  runner = await startToolRunner(() => ({ body: {} }), { SELLER_ANSWER_TOKENS: '20000' });
});
afterAll(() => runner.close());

interface Item {
  key: string;
  outcome?: ItemOutcome | undefined;
  values?: MemberValue[] | undefined;
}

const outcome = fc.record(
  {
    kind: fc.constantFrom(...ENDS),
    why: fc.constantFrom('it is blue', 'it is too late'),
    readBack: fc.constantFrom('same' as const, 'differs' as const, 'failed' as const),
    facts: fc.constant({ issues: 1 }),
    journalId: fc.constantFrom('j-1', 'j-2'),
  },
  { requiredKeys: ['kind'] },
);
const values = fc.uniqueArray(
  fc.record({
    member: fc.constantFrom('price', 'quantity', 'title'),
    old: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constant(null), fc.constant('plain')),
    new: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constant(null)),
  }),
  { selector: ({ member }) => member, maxLength: 2 },
);
const items = fc.uniqueArray(
  fc.record(
    {
      key: fc.stringMatching(/^[A-Z]{3}-[0-9]{2}$/),
      outcome: fc.option(outcome, { nil: undefined }),
      values,
    },
    { requiredKeys: ['key'] },
  ),
  { selector: ({ key }) => key, minLength: 1, maxLength: 9 },
);
const states = fc.constantFrom<BatchState>(
  'under_way',
  'elsewhere',
  'unfinished',
  'ended',
  'stopped',
  'expired',
);

const infoOf = (all: readonly Item[], state: BatchState): BatchInfo => ({
  id: 'b1b2c3d4',
  account: 'acme',
  owner: 'o',
  tool: 'change_listings',
  asked: 'a',
  digest: 'd',
  words: `${all.length} listings`,
  createdAt: 0,
  shownAt: 0,
  until: 1,
  state,
  total: all.length,
  counts: NO_COUNTS,
  inDoubt: 0,
  told: false,
  isWithdrawn: false,
  why: undefined,
  items: all.map(({ key, outcome: one }) => ({ key, value: {}, outcome: one })),
});

async function answer(
  all: readonly Item[],
  state: BatchState,
  more: { isBrief?: boolean; isRequest?: boolean } = {},
) {
  const told = toldList(infoOf(all, state), () => undefined, {
    isRequest: more.isRequest ?? false,
    expand: ({ key }) => all.filter((one) => one.key === key),
  });
  const operation = (await loadRegistry()).find('listings-items/patchListingsItem');
  const { session } = runner;
  const parts = { told, words: `${all.length} listings`, account: 'acme', operation, unfinished: [] };
  const made = await buildListAnswer({ ...parts, isBrief: more.isBrief ?? false }, session);
  return { ...made, told, lines: made.text.split('\n').slice(1) };
}

const ofKind = (all: readonly Item[], kind: End) => all.filter((one) => one.outcome?.kind === kind);
const isTold = ({ outcome: one }: Item) =>
  one !== undefined && one.kind !== 'changed_since' && (one.why !== undefined || one.facts !== undefined);
const WORDS: readonly [End, string][] = [
  ['accepted', 'accepted'],
  ['accepted_not_visible', 'accepted, not visible yet'],
  ['not_sent', 'not sent'],
  ['changed_since', 'changed by somebody since it was shown, not sent'],
  ['unknown', 'not known whether it was applied'],
  ['failed', 'failed, not applied'],
  ['not_accepted', 'not accepted'],
];

it('its outcome is that of its items where it has ended, and its state before', () => {
  fc.assert(
    fc.property(items, states, fc.boolean(), (all, state, isRequest) => {
      const { outcome: found, counts, total } = toldList(infoOf(all, state), () => undefined, { isRequest });
      expect(total).toBe(all.length);
      for (const kind of ENDS) expect(counts[kind]).toBe(ofKind(all, kind).length);
      expect(counts.pending).toBe(all.filter((one) => one.outcome === undefined).length);
      const seen = ofKind(all, 'accepted').length;
      const yes = seen + ofKind(all, 'accepted_not_visible').length;
      const ended =
        yes === 0
          ? ofKind(all, 'unknown').length > 0
            ? 'unknown'
            : 'not_accepted'
          : yes < all.length
            ? 'partly_accepted'
            : seen < all.length
              ? 'accepted_not_visible'
              : isRequest
                ? 'requested'
                : 'done';
      expect(found).toBe(state === 'ended' ? ended : state === 'elsewhere' ? 'under_way' : state);
    }),
  );
});

it('its first line counts each kind of outcome, and its last names the list', async () => {
  await fc.assert(
    fc.asyncProperty(items, states, async (all, state) => {
      const { lines, structured, isError } = await answer(all, state);
      const pending = all.filter((one) => one.outcome === undefined).length;
      const counted = WORDS.map(([kind, words]) => [ofKind(all, kind).length, words] as const);
      const told = [...counted, [pending, 'not sent yet'] as const].filter(([number]) => number > 0);
      expect(lines[0]).toContain(
        `: ${all.length} listings, account acme: ${told.map(([number, words]) => `${number} ${words}`).join(', ')}.`,
      );
      expect(lines.at(-1)).toBe('Batch b1b2c3d4.');
      const kinds = [
        ...ENDS.map((kind) => [kind, ofKind(all, kind).length] as const),
        ['pending', pending] as const,
      ];
      expect(structured.counts).toEqual(Object.fromEntries(kinds.filter(([, number]) => number > 0)));
      expect(structured.batch_id).toBe('b1b2c3d4');
      expect(isError ?? false).toBe(['not_accepted', 'unknown'].includes(String(structured.outcome)));
    }),
  );
});

it('how to go on is said for what became of it, and for nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(items, states, async (all, state) => {
      const { text, structured } = await answer(all, state);
      const { outcome: found } = structured;
      const has = (...kinds: readonly End[]) => kinds.some((kind) => ofKind(all, kind).length > 0);
      const steps: readonly (readonly [boolean, string])[] = [
        [found === 'under_way', 'It goes on by itself.'],
        [found === 'unfinished', 'Nothing is being sent now.'],
        [found === 'stopped' || found === 'expired', 'What was not sent never will be'],
        [found !== 'under_way' && has('not_accepted', 'failed'), 'Send again only what was refused'],
        [has('changed_since'), 'A new call shows what is there now'],
        [has('unknown'), 'Do not repeat what is not known: read it first with read_operation'],
        [has('accepted_not_visible'), 'look again later with read_operation'],
      ];
      for (const [isSaid, words] of steps) {
        expect(text.includes(words), words).toBe(isSaid);
        expect(String(structured.next_step ?? '').includes(words), words).toBe(isSaid);
      }
      if (steps.every(([isSaid]) => !isSaid)) expect(structured).not.toHaveProperty('next_step');
    }),
  );
});

it('each item that ended stands once: with its outcome, in the table of values, or by its name', async () => {
  await fc.assert(
    fc.asyncProperty(items, states, async (all, state) => {
      const { structured, lines } = await answer(all, state);
      const ended = all.filter((one) => one.outcome !== undefined);
      const single = ended.filter((one) => one.outcome?.kind !== 'accepted' || isTold(one));
      const hasTable = structured.outcome !== 'under_way' && structured.outcome !== 'stopped';
      const tabled = hasTable ? ended.filter((one) => (one.values ?? []).length > 0) : [];
      const plain = ended.filter((one) => !single.includes(one) && !tabled.includes(one));
      const sorted = (some: readonly unknown[]) => some.map(String).sort();
      const results = objects(structured.results);
      expect(sorted(results.map(({ key }) => key))).toEqual(sorted(single.map(({ key }) => key)));
      for (const { key, outcome: kind, why, value } of results) {
        const one = all.find((item) => item.key === key)?.outcome;
        expect([kind, why, value]).toEqual([one?.kind, one?.why, one?.facts]);
      }
      expect(sorted(list(structured.accepted))).toEqual(sorted(plain.map(({ key }) => key)));
      const rows = rowsOf(structured.table);
      const expected = tabled.flatMap(({ key, values: own = [], outcome: one }) =>
        own.map((value) => [
          key,
          value.member,
          value.old,
          value.new,
          null,
          percentOf(value),
          one?.kind,
          one?.kind === 'accepted_not_visible' ? 'not visible yet' : (one?.readBack ?? null),
        ]),
      );
      expect(sorted(rows.map((row) => JSON.stringify(row)))).toEqual(
        sorted(expected.map((row) => JSON.stringify(row))),
      );
      // In the text each is named in exactly one line.
      for (const { key } of ended)
        expect(lines.filter((line) => line.startsWith('  ') && line.includes(key))).toHaveLength(1);
    }),
  );
});

it('of a brief answer, what was sent comes first, ten at most', async () => {
  const all = Array.from(
    { length: 14 },
    (_, at): Item => ({
      key: `K-${at}`,
      outcome: at < 8 ? { kind: 'not_sent', why: 'stopped' } : { kind: 'accepted' },
    }),
  );
  const { structured, links, text } = await answer(all, 'stopped', { isBrief: true });
  expect(list(structured.accepted)).toEqual(['K-8', 'K-9', 'K-10', 'K-11', 'K-12', 'K-13']);
  expect(objects(structured.results).map(({ key }) => key)).toEqual(['K-0', 'K-1', 'K-2', 'K-3']);
  expect(links).toHaveLength(1);
  expect(text).toContain(`Every outcome: the resource ${String(structured.whole)}.`);
  const few = await answer(all.slice(0, 10), 'stopped', { isBrief: true });
  expect(few.links).toEqual([]);
});

it('names stand in a list up to thirty, and the rest is counted', async () => {
  const all = (many: number) =>
    Array.from({ length: many }, (_, at): Item => ({ key: `K-${at}`, outcome: { kind: 'not_sent' } }));
  const named = async (many: number) =>
    (await answer(all(many), 'ended')).lines.find((line) => line.startsWith('  Not sent: '));
  expect(await named(30)).toMatch(/K-29$/);
  expect(await named(31)).toMatch(/K-29 and 1 more$/);
});

it('values are told as words: with their currency, their share and what is not there', async () => {
  const one = (value: MemberValue) =>
    answer([{ key: 'A', outcome: { kind: 'accepted', readBack: 'same' }, values: [value] }], 'ended');
  const { lines } = await one({ member: 'price', old: 10, new: 9, currency: 'EUR' });
  expect(lines).toContain('  Accepted; read back, the service has what was sent:');
  expect(lines).toContain('    A: price: 10.00 EUR -> 9.00 EUR (-10 %)');
  expect((await one({ member: 'price', old: 8, new: 9 })).lines).toContain('    A: price: 8 -> 9 (+12.5 %)');
  expect((await one({ member: 'title', old: null, new: 'x' })).lines).toContain('    A: title: none -> "x"');
  expect((await one({ member: 'title', old: 'x', new: null })).lines).toContain(
    '    A: title: "x" -> removed',
  );
});

describe('a list that cannot be read any more', () => {
  it('is told by its counts, and each by what the history knows', () => {
    const info = {
      ...infoOf([], 'ended'),
      total: 3,
      counts: { ...NO_COUNTS, accepted: 2, unknown: 1 },
      why: 'lost',
    };
    const entry = (id: string, recorded: 'done' | 'refused' | 'partly_accepted', what?: string) => ({
      id,
      what,
      outcome: recorded,
      time: '',
      account: 'acme',
      owner: 'o',
      operation: 'p',
      open: async () => undefined,
    });
    const told = toldFromHistory(info, [
      entry('1', 'done', 'a'),
      entry('2', 'refused'),
      entry('3', 'partly_accepted'),
    ]);
    expect(told).toEqual({
      outcome: 'partly_accepted',
      id: 'b1b2c3d4',
      total: 3,
      counts: info.counts,
      why: 'lost',
      items: [
        { key: '1', name: 'a', outcome: { kind: 'accepted' } },
        { key: '2', name: '2', outcome: { kind: 'not_sent' } },
        { key: '3', name: '3', outcome: { kind: 'unknown' } },
      ],
    });
  });
});

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const objects = (value: unknown) => list(value).map((one): Record<string, unknown> => ({ ...Object(one) }));
const rowsOf = (table: unknown): unknown[] => list({ ...Object(table) }.rows);
/** To hundredths, but a change that is no whole percent to ten thousandths where it would look like one. */
function percentOf({ old, new: next }: MemberValue): number | null {
  if (typeof old !== 'number' || typeof next !== 'number') return null;
  const exact = ((next - old) / old) * 100;
  const rounded = Math.round(exact * 100) / 100;
  return Number.isInteger(rounded) ? Math.round(exact * 10_000) / 10_000 : rounded;
}
