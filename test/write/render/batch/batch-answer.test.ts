/**
 * Tests the results of a batch in both forms against a count of its items by hand: each item appears once, in
 * its group.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokensOf } from '../../../../src/base/text/shorten.ts';
import { loadRegistry } from '../../../../src/service/registry/registry.ts';
import type { MemberValue } from '../../../../src/write/model/member-values.ts';
import { ENDS, type ItemEnd, NO_COUNTS } from '../../../../src/write/model/outcome.ts';
import { buildBatchAnswer } from '../../../../src/write/render/batch/batch-answer.ts';
import type { ItemOutcome } from '../../../../src/write/run/batches/batch.ts';
import type { BatchInfo, BatchState } from '../../../../src/write/run/batches/summary.ts';
import { toBatchResult, toResultFromJournal } from '../../../../src/write/run/items/batch-result.ts';
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
  more: {
    isBrief?: boolean;
    isRequest?: boolean;
    takenOut?: string[];
    why?: string;
    unfinished?: string[];
  } = {},
  { session }: ToolRunner = runner,
) {
  const { takenOut, why, unfinished = [] } = more;
  const rendered = toBatchResult({ ...infoOf(all, state), takenOut, why }, () => undefined, {
    isRequest: more.isRequest ?? false,
    expand: ({ key }) => all.filter((one) => one.key === key),
  });
  const operation = (await loadRegistry()).find('listings-items/patchListingsItem');
  const parts = { told: rendered, words: `${all.length} listings`, account: 'acme', operation, unfinished };
  const made = await buildBatchAnswer({ ...parts, isBrief: more.isBrief ?? false }, session);
  return { ...made, rendered, lines: made.text.split('\n').slice(1) };
}

const ofKind = (all: readonly Item[], kind: ItemEnd) => all.filter((one) => one.outcome?.kind === kind);
const isReported = ({ outcome: one }: Item) =>
  one !== undefined && one.kind !== 'changed_since' && (one.why !== undefined || one.facts !== undefined);
const WORDS: readonly [ItemEnd, string][] = [
  ['accepted', 'accepted'],
  ['accepted_not_visible', 'accepted, not visible yet'],
  ['requested', 'requested, the service still works on it'],
  ['not_sent', 'not sent'],
  ['changed_since', 'changed by somebody since it was shown, not sent'],
  ['unknown', 'not known whether it was applied'],
  ['failed', 'failed, not applied'],
  ['not_accepted', 'not accepted'],
];

it('its outcome is that of its items where it has ended, and its state before', () => {
  fc.assert(
    fc.property(items, states, fc.boolean(), (all, state, isRequest) => {
      const result = toBatchResult(infoOf(all, state), () => undefined, { isRequest });
      const { outcome: found, counts, total } = result;
      expect(total).toBe(all.length);
      for (const kind of ENDS) expect(counts[kind]).toBe(ofKind(all, kind).length);
      expect(counts.pending).toBe(all.filter((one) => one.outcome === undefined).length);
      const seen = ofKind(all, 'accepted').length;
      const left = ofKind(all, 'requested').length;
      const approvals = seen + left + ofKind(all, 'accepted_not_visible').length;
      const ended =
        approvals === 0
          ? ofKind(all, 'unknown').length > 0
            ? 'unknown'
            : 'not_accepted'
          : approvals < all.length
            ? 'partly_accepted'
            : left > 0
              ? 'requested'
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
      const reported = [...counted, [pending, 'not sent yet'] as const].filter(([number]) => number > 0);
      expect(lines[0]).toContain(
        `: ${all.length} listings, account acme: ${reported.map(([number, words]) => `${number} ${words}`).join(', ')}.`,
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
      const has = (...kinds: readonly ItemEnd[]) => kinds.some((kind) => ofKind(all, kind).length > 0);
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
      const single = ended.filter((one) => one.outcome?.kind !== 'accepted' || isReported(one));
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
      if (rows.length > 0)
        expect(structured.table).toHaveProperty('columns', [
          ...['item', 'member', 'old', 'new', 'currency', 'percent', 'outcome', 'read_back'],
        ]);
      // The text names each of them in exactly one line.
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
    const rendered = toResultFromJournal(info, [
      entry('1', 'done', 'a'),
      entry('2', 'refused'),
      entry('3', 'partly_accepted'),
    ]);
    expect(rendered).toEqual({
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

describe('with little room', () => {
  const TOKENS = 1_200;
  let small: ToolRunner;
  beforeAll(async () => {
    small = await startToolRunner(() => ({ body: {} }), { SELLER_ANSWER_TOKENS: String(TOKENS) });
  });
  afterAll(() => small.close());
  const many = fc
    .tuple(
      fc.integer({ min: 1, max: 80 }),
      fc.array(fc.record({ outcome, values }), { minLength: 1, maxLength: 6 }),
    )
    .map(([number, kinds]): Item[] =>
      Array.from({ length: number }, (_, at) => {
        const { outcome: one, values: some = [] } = kinds[at % kinds.length] ?? {};
        return {
          key: `K-${at}`,
          outcome: one && { ...one, ...(one.why && { why: `${one.why} `.repeat(at % 9) }) },
          values: some,
        };
      }),
    );

  it('both forms keep within it, what is left out stands in a resource, and nothing is left out for which there is room', async () => {
    await fc.assert(
      fc.asyncProperty(many, states, async (all, state) => {
        const { structured, text, links = [] } = await answer(all, state, {}, small);
        expect(tokensOf(JSON.stringify(structured))).toBeLessThanOrEqual(TOKENS);
        expect(tokensOf(text)).toBeLessThanOrEqual(TOKENS);
        const whole = await answer(all, state);
        const parts = (one: Record<string, unknown>) =>
          [objects(one.results), rowsOf(one.table), list(one.accepted)] as const;
        const [short, long] = [parts(structured), parts(whole.structured)];
        const isCut =
          text.split('Every outcome')[0]?.trim() !== whole.text.trim() ||
          JSON.stringify(short) !== JSON.stringify(long);
        expect(links).toHaveLength(isCut ? 1 : 0);
        expect(structured.whole).toBe(links[0]?.uri);
        expect(text.includes('Every outcome: the resource')).toBe(isCut);
        expect(text.includes(`in query_data the table changes WHERE list = 'b1b2c3d4'`)).toBe(
          isCut && long[1].length > 0,
        );
        // The first of each, and of the results most.
        expect(short[0]).toEqual(long[0].slice(0, short[0].length));
        expect(short[1]).toEqual(long[1].slice(0, short[1].length));
        const missing =
          long.reduce((sum, some) => sum + some.length, 0) -
          short.reduce((sum, some) => sum + some.length, 0);
        if (missing > 0) expect(tokensOf(JSON.stringify(structured))).toBeGreaterThan(TOKENS * 0.45);
        if (short[0].length < long[0].length)
          expect(tokensOf(JSON.stringify(short[0]))).toBeLessThan(TOKENS * 0.7);
      }),
    );
  });

  it.each([0, 1, 3, 500])(
    '%i that the person took out are counted, and the first of them named',
    async (number) => {
      const takenOut = Array.from({ length: number }, (_, at) => `OUT-${at}`);
      const { structured, lines } = await answer(
        [{ key: 'A', outcome: { kind: 'accepted' } }],
        'ended',
        { takenOut },
        small,
      );
      const line = lines.find((one) => one.startsWith('Taken out by the person'));
      if (number === 0) {
        expect([line, 'taken_out' in structured]).toEqual([undefined, false]);
        return;
      }
      const { keys, ...rest } = Object(structured.taken_out);
      expect(rest).toEqual({ number });
      expect(keys).toEqual(takenOut.slice(0, keys.length));
      if (number === 500) {
        expect(tokensOf(JSON.stringify(keys))).toBeLessThanOrEqual(TOKENS / 6);
        expect(tokensOf(JSON.stringify(takenOut.slice(0, keys.length + 2)))).toBeGreaterThan(TOKENS / 9);
      } else expect(keys).toHaveLength(number);
      const named = line?.match(
        /^Taken out by the person, and not sent: (.*?)(?: and (\d+) more)?\. Do not put them/,
      );
      const names = named?.[1]?.split(', ') ?? [];
      expect(names).toEqual(takenOut.slice(0, names.length));
      expect(Number(named?.[2] ?? 0)).toBe(number - names.length);
      expect(Math.abs(names.length - keys.length)).toBeLessThan(number / 50);
    },
  );
});

it('why it ended before its time stands in both forms, and what is unfinished elsewhere behind all', async () => {
  const { structured, lines } = await answer([{ key: 'A', outcome: { kind: 'accepted' } }], 'stopped', {
    why: 'the limit\u0007 of a day',
    unfinished: ['Another list is unfinished.'],
  });
  expect(structured).toMatchObject({
    why: 'the limit\\u{7} of a day',
    unfinished: ['Another list is unfinished.'],
  });
  expect(lines[1]).toBe('the limit\\u{7} of a day');
  expect(lines.at(-1)).toBe('Another list is unfinished.');
  const none = await answer([{ key: 'A', outcome: { kind: 'accepted' } }], 'stopped');
  expect(Object.keys(none.structured)).not.toEqual(expect.arrayContaining(['why']));
  expect(none.structured).not.toHaveProperty('unfinished');
});

it('each line of an item says what became of it, whether it was read back, and from what to what', async () => {
  const one = async (given: ItemOutcome, some?: MemberValue[]) => {
    const { lines } = await answer([{ key: 'A', outcome: given, values: some }], 'ended');
    return lines.filter((line) => line.startsWith('  ')).map((line) => line.trim());
  };
  const price = [{ member: 'price', old: 2, new: 1 }];
  const PRICE = 'price: 2 -> 1 (-50 %)';
  expect(await one({ kind: 'accepted' }, price)).toEqual(['Accepted; not read back:', `A: ${PRICE}`]);
  for (const [readBack, words] of [
    ['same', 'read back, the service has what was sent'],
    ['differs', 'read back, the service has something else'],
    ['failed', 'could not be read back'],
  ] as const)
    expect(await one({ kind: 'accepted', readBack }, price)).toEqual([`Accepted; ${words}:`, `A: ${PRICE}`]);
  expect(await one({ kind: 'accepted_not_visible', readBack: 'differs' }, price)).toEqual([
    'Accepted, not visible yet:',
    `A: ${PRICE}`,
  ]);
  expect(await one({ kind: 'unknown' }, price)).toEqual(['Not known whether it was applied:', `A: ${PRICE}`]);
  expect(await one({ kind: 'not_accepted' }, price)).toEqual(['Not accepted: A']);
  expect(await one({ kind: 'not_accepted', why: 'no' }, price)).toEqual(['A: not accepted: no']);
  expect(await one({ kind: 'not_accepted', facts: { n: 1 } })).toEqual(['A: not accepted {"n":1}']);
  expect(await one({ kind: 'unknown', why: 'no', facts: { n: 1 } }, price)).toEqual([
    `A: not known whether it was applied: no {"n":1} ${PRICE}`,
  ]);
  expect(await one({ kind: 'accepted', why: 'well' })).toEqual(['A: well']);
  expect(await one({ kind: 'accepted_not_visible', why: 'well', facts: { n: 1 } })).toEqual([
    'A: well {"n":1}',
  ]);
  expect(await one({ kind: 'accepted', facts: { n: 1 } })).toEqual(['A: accepted {"n":1}']);
  expect(await one({ kind: 'changed_since', why: 'no', facts: { n: 1 } })).toEqual([
    'Changed by somebody since it was shown, not sent: A',
  ]);
});

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const objects = (value: unknown) => list(value).map((one): Record<string, unknown> => ({ ...Object(one) }));
const rowsOf = (table: unknown): unknown[] => list({ ...Object(table) }.rows);
/** Rounds to hundredths, or to ten thousandths where a fraction would look like a whole percent. */
function percentOf({ old, new: next }: MemberValue): number | null {
  if (typeof old !== 'number' || typeof next !== 'number') return null;
  const exact = ((next - old) / old) * 100;
  const rounded = Math.round(exact * 100) / 100;
  return Number.isInteger(rounded) ? Math.round(exact * 10_000) / 10_000 : rounded;
}
