/** One call for each row of a SELECT: every result is a row of the table, what failed or found nothing is counted, and progress is told. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  AccountChangedError,
  ApiError,
  AppError,
  ConfigError,
  CredentialError,
  InputError,
} from '../../../src/base/errors.ts';
import { plural } from '../../../src/base/text/format-value.ts';
import type { CallInput, CallResult, Client } from '../../../src/call/client-types.ts';
import { type ExpectedAnswer, planEach } from '../../../src/data/collections/collect-each.ts';
import type { CollectionSources, RunProgress } from '../../../src/data/collections/collection-plan.ts';
import { itemsIn, rowOf } from '../../../src/data/collections/each-results.ts';
import type { SqlValue } from '../../../src/data/tables/table-types.ts';
import type { AnswerShape, JsonSchema, Operation } from '../../../src/service/facts/operation.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { fakeClock, settled } from '../../helpers/fake-clock.ts';
import { memoryLoaders } from '../../helpers/memory-loader.ts';
import { operation as anyOperation } from '../../helpers/test-client.ts';

const OWNER = { name: 'default', baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1' };
const notUsed = () => {
  throw new Error('not used');
};

const ONE: Operation = anyOperation({
  id: 'x/getOne',
  name: 'getOne',
  parameters: [
    { name: 'orderId', in: 'query', required: true, schema: { type: 'string' } },
    { name: 'skus', in: 'query', required: false, schema: { type: 'array', items: { type: 'string' } } },
  ],
  body: {
    required: false,
    schema: {
      type: 'object',
      properties: { Money: { type: 'object', properties: { Amount: { type: 'number' } } } },
    },
  },
  rate: { requestsPerSecond: 1, burst: 10 },
});
const PAGED: Operation = {
  ...ONE,
  paging: {
    by: 'token',
    input: { in: 'query', name: 'next' },
    output: 'next',
    list: 'payload.items',
  },
};

interface Given {
  operation?: Operation;
  find?(id: string): Operation;
  columns?: string[];
  rows: SqlValue[][];
  total?: number;
  parameters?: Record<string, unknown>;
  body?: unknown;
  headers?: CallResult['headers'];
  refusalOf?: Client['refusalOf'];
  /** Judges the arguments before anything is sent. */
  check?(input: CallInput): void;
  answer?(input: CallInput, call: number): unknown;
  expected?: ExpectedAnswer;
  /** Called whenever a call has begun. */
  begun?(calls: number, end: () => void): void;
}

async function run({ operation = ONE, columns = ['order_id'], rows, total = rows.length, ...more }: Given) {
  const { parameters = {}, body, answer = () => ({ seen: 1 }), begun, find = () => operation } = more;
  const { headers = {}, refusalOf, check } = more;
  const { expected = { items: [], at: [], columns: [] } } = more;
  const inputs: CallInput[] = [];
  const prepared: CallInput[] = [];
  const reports: RunProgress[] = [];
  const ending = new AbortController();
  let underWay = 0;
  let mostAtOnce = 0;
  const client: Client = {
    async call(input): Promise<CallResult> {
      inputs.push(input);
      const number = inputs.length;
      mostAtOnce = Math.max(mostAtOnce, ++underWay);
      begun?.(number, () => ending.abort(new Error('The session ends.')));
      await settled();
      underWay -= 1;
      ending.signal.throwIfAborted();
      const answered = answer(input, number);
      if (answered instanceof Error) throw answered;
      return { status: 200, headers, body: answered, bytes: 1, filledIn: {}, owner: OWNER };
    },
    async prepare(input) {
      check?.(input);
      prepared.push(input);
      const { parameters: sent, body } = input;
      const request = { url: 'https://service.example/x', headers: {}, parameters: sent, body };
      const named = [sent.marketplaceIds ?? []]
        .flat()
        .map((one) => ({ given: String(one), id: String(one) }));
      const marketplaces = named.map((one) => ({ ...one, segments: ['marketplaceIds'] }));
      return { ...request, filledIn: {}, marketplaces, owner: OWNER, method: 'GET' };
    },
    exchangeToken: notUsed,
    rememberRestrictedToken: notUsed,
    close: async () => undefined,
    refusalOf,
  };
  const clock = fakeClock();
  const loaders = memoryLoaders();
  const sources: CollectionSources = { client, downloads: notUsed, find, account: 'default', clock };
  const plan = await planEach(
    {
      operation,
      parameters,
      body,
      sql: 'SELECT 1',
      table: 'each',
      before: [],
      recentMs: 7,
      rows: { columns, rows, total, tables: [], notes: [] },
      expect: async () => expected,
    },
    sources,
  );
  const outcome = plan
    .work({
      openLoader: loaders.open,
      signal: ending.signal,
      tell: (progress) => reports.push(progress),
      idle: (wait) => wait(),
    })
    .then(
      (info) => ({ info, error: undefined }),
      (error: unknown) => ({ info: undefined, error }),
    );
  // A call that is made again waits before that.
  let hasEnded = false;
  void outcome.then(() => {
    hasEnded = true;
  });
  for (let turn = 0; turn < 500 && !hasEnded; turn++) await clock.advance(20_000);
  const { info, error } = await outcome;
  return { plan, info, error, inputs, prepared, reports, items: loaders.items('each') ?? [], mostAtOnce };
}

const numbered = (count: number): SqlValue[][] => Array.from({ length: count }, (_, at) => [`o-${at}`]);
const refused = (words = 'No such order.') => new ApiError({ status: 400 }, words);

/** The outcome of one call, and the rows that it leaves. */
type Fate = 'empty' | 'several' | 'plain' | 'payload' | 'warned' | 'refused' | 'onlyErrors';
const FATES: Fate[] = ['empty', 'several', 'plain', 'payload', 'warned', 'refused', 'onlyErrors'];
const isRefusal = (fate: Fate) => fate === 'refused' || fate === 'onlyErrors';
const NO = { code: 'NotFound', message: 'No such order.' };
const fates = fc.array(fc.constantFrom(...FATES), {
  minLength: 1,
  maxLength: 40,
});
const bodyOf = (fate: Fate): unknown =>
  ({
    empty: [],
    several: [{ sku: 'A', quantity: 1 }, 'B'],
    plain: { sku: 'C' },
    payload: { payload: [{ sku: 'D' }] },
    warned: { sku: 'E', errors: [NO] },
    refused: refused(),
    onlyErrors: { errors: [NO], payload: null },
  })[fate];
const rowsOf = (fate: Fate, orderId: string): unknown[] => {
  const row = { orderId, error: null };
  return {
    empty: [],
    several: [
      { ...row, sku: 'A', quantity: 1 },
      { ...row, value: 'B' },
    ],
    plain: [{ ...row, sku: 'C' }],
    payload: [{ ...row, sku: 'D' }],
    warned: [{ ...row, sku: 'E', errors: [NO] }],
    refused: [{ orderId, error: 'No such order.' }],
    onlyErrors: [{ orderId, error: 'HTTP 200: No such order.' }],
  }[fate];
};

/** Returns the reason of the refusals: the most frequent, and among equally frequent ones the earliest. */
function whyOf(failed: readonly Fate[]): string {
  const counted = [...new Set(failed)].map((fate) => ({
    times: failed.filter((one) => one === fate).length,
    words: fate === 'refused' ? NO.message : 'HTTP 200: «No such order.»',
  }));
  const sorted = counted.sort((one, other) => other.times - one.times);
  return sorted.map(({ times, words }) => `${times} x ${words}`).join('; ');
}

it('each result is a row and each failed call a row with its error; calls that found nothing are counted', async () => {
  await fc.assert(
    fc.asyncProperty(fates, async (all) => {
      const fateOf = (input: CallInput) => all[Number(String(input.parameters.orderId).slice(2))] ?? 'plain';
      const { info, error, inputs, items, reports } = await run({
        rows: numbered(all.length),
        answer: (input) => bodyOf(fateOf(input)),
      });
      const failed = all.filter(isRefusal);
      const areFirstRefused = all.length >= 10 && all.slice(0, 10).every(isRefusal);
      if (areFirstRefused) return void expect(error).toBeInstanceOf(ApiError);
      const meant = all.flatMap((fate, at) => rowsOf(fate, `o-${at}`));
      const inOrder = (rows: unknown[]) => rows.map((one) => JSON.stringify(one)).sort();
      expect(inOrder(items)).toEqual(inOrder(JSON.parse(JSON.stringify(meant))));
      expect(inputs.map(({ parameters }) => parameters.orderId)).toEqual(all.map((_, at) => `o-${at}`));
      expect(inputs.every(({ owner, account }) => owner === OWNER && account === 'default')).toBe(true);
      expect(info).toMatchObject({ complete: failed.length === 0 });
      const calls = `${all.length} of ${all.length} calls`;
      const nothing = all.filter((fate) => fate === 'empty').length;
      const results = meant.length - failed.length;
      const found = `${results} ${results === 1 ? 'row' : 'rows'}`;
      const errors = failed.length === 0 ? '' : ` and ${failed.length} with an error`;
      const empty = nothing === 0 ? '' : `; ${nothing} ${nothing === 1 ? 'call' : 'calls'} found nothing`;
      expect(info?.notes).toEqual([
        `${calls} were made: ${found}${errors}${empty}.`,
        ...(failed.length === 0
          ? []
          : [`${failed.length} failed; the column error says why: ${whyOf(failed)}`]),
      ]);
      expect(reports.map(({ done }) => done)).toEqual(Array.from({ length: all.length + 1 }, (_, at) => at));
      expect(reports[0]).toEqual({
        message: `0 of ${all.length} calls, about ${all.length} s more at the service's limit`,
        done: 0,
        total: all.length,
        leftMs: all.length * 1_000,
        awaitsFirst: true,
      });
      const words = [calls, ...(failed.length === 0 ? [] : [`${failed.length} failed`])].join(', ');
      expect(reports.at(-1)?.message.startsWith(words)).toBe(true);
    }),
  );
});

it('columns are parameters and members by any spelling, lists where lists are wanted, over what all calls have in common', async () => {
  const { inputs, prepared, items } = await run({
    columns: ['order_id', 'SKUS', 'money.amount', 'money.currency'],
    rows: [
      ['o-1', '["A", "B"]', 1.5, 'EUR'],
      ['o-2', 'A', 2, 'EUR'],
      ['o-3', '[A', 3, 'EUR'],
    ],
    parameters: { include: 'all' },
    body: { Money: { Tax: 0 }, kind: 'x' },
  });
  const money = (Amount: number) => ({ Money: { Tax: 0, Amount, currency: 'EUR' }, kind: 'x' });
  expect(inputs.map(({ parameters, body }) => ({ parameters, body }))).toEqual([
    { parameters: { include: 'all', orderId: 'o-1', skus: ['A', 'B'] }, body: money(1.5) },
    { parameters: { include: 'all', orderId: 'o-2', skus: ['A'] }, body: money(2) },
    { parameters: { include: 'all', orderId: 'o-3', skus: ['[A'] }, body: money(3) },
  ]);
  expect(prepared.map(({ parameters }) => parameters.orderId)).toEqual(['o-1']);
  expect(items[0]).toEqual({
    orderId: 'o-1',
    skus: '["A", "B"]',
    'Money.Amount': 1.5,
    'Money.currency': 'EUR',
    error: null,
    seen: 1,
  });
});

it.each([
  ['no rows', { rows: [] }, 'gives no rows'],
  ['more than 10,000', { rows: numbered(3), total: 10_001 }, '10,001 rows'],
  ['NULL', { rows: [['a'], [null]] }, 'Row 2 of each has no orderId (NULL)'],
  [
    'a mark',
    { rows: [['a'], ['b'], ['of «buyer name 3f2ak9xq»']] },
    'orderId in row 3 of each stands for personal',
  ],
  ['another column', { columns: ['order'], rows: [['a']] }, 'order" of each is no argument of getOne'],
])('%s: nothing is sent', async (_what, given, words) => {
  let calls = 0;
  const failing = run({ ...given, begun: () => calls++ });
  await expect(failing).rejects.toThrow(words.replace('order"', 'order'));
  expect(calls).toBe(0);
});

it('offers all names for a column that is no argument', async () => {
  const hint =
    'Name the column as the argument that it gives (SELECT x AS orderId ...): orderId, skus, Money.';
  await expect(run({ columns: ['order'], rows: [['a']] })).rejects.toMatchObject({
    hint: expect.stringContaining(hint),
  });
});

it.each<[string, unknown]>([
  ['null', { errors: [], payload: null }],
  ['an empty object', {}],
  ['members without values', { payload: { a: null, b: [], c: { d: '' } } }],
])('an answer that is %s is no row', async (_what, body) => {
  const rows = numbered(48);
  const { items, info } = await run({
    rows,
    answer: ({ parameters }) => (Number(String(parameters.orderId).slice(2)) % 3 === 0 ? { seen: 0 } : body),
  });
  expect(items).toHaveLength(16);
  expect(info?.notes).toEqual(['48 of 48 calls were made: 16 rows; 32 calls found nothing.']);
});

it('counts as failed an answer that has only empty members beside its errors', async () => {
  const { items } = await run({ rows: numbered(1), answer: () => ({ errors: [NO], payload: { a: [] } }) });
  expect(items).toEqual([{ orderId: 'o-0', error: 'HTTP 200: No such order.' }]);
});

it('columns that are no arguments come along into the rows of results and of failures, and are not sent', async () => {
  const { items, inputs, info } = await run({
    // Only an operation with a defined answer has expected columns.
    operation: { ...ONE, id: 'orders/getOrder' },
    columns: ['title', 'order_id', 'title', 'error', 'price_amount', 'seen'],
    rows: [
      ['a', 'o-1', 'b', 'c', 1, null],
      ['d', 'o-2', 'e', 'f', 2, 'g'],
    ],
    expected: { items: [], at: [], columns: ['price_amount'] },
    answer: (_input, call) => (call === 1 ? [{ seen: 7, price: { amount: 9 } }] : refused()),
  });
  expect(inputs.map(({ parameters }) => parameters)).toEqual([{ orderId: 'o-1' }, { orderId: 'o-2' }]);
  const beside = { title_2: 'b', error_2: 'c', price_amount_2: 1, seen_2: null };
  expect(items).toEqual([
    { orderId: 'o-1', title: 'a', ...beside, error: null, seen: 7, price: { amount: 9 } },
    {
      orderId: 'o-2',
      title: 'd',
      title_2: 'e',
      error_2: 'f',
      price_amount_2: 2,
      seen: 'g',
      error: 'No such order.',
    },
  ]);
  const renamed = ['error', 'price_amount', 'seen'];
  for (const name of renamed) expect(info?.notes.join(' ')).toContain(`${name}_2`);
});

it('refuses a column that comes along where its name is almost that of a missing argument of any operation', async () => {
  const { operations, find } = await loadRegistry();
  const reading = operations.filter(({ effect, id }) => effect === 'read' && find(id).parameters.length > 1);
  for (const operation of reading) {
    const [first, other] = operation.parameters;
    if (first === undefined || other === undefined) continue;
    // A letter too many at the end is one edit.
    const wrong = `${other.name}x`;
    const failing = run({ operation, columns: [first.name, wrong], rows: [['a', 'b']] });
    await expect(failing, operation.id).rejects.toMatchObject({
      message: expect.stringContaining(wrong),
      hint: expect.stringMatching(/^Did you mean /),
    });
  }
});

it('takes a column that is almost called as an argument that is given', async () => {
  const columns = ['order_id', 'order_ids', 'sku'];
  const { items } = await run({ columns, rows: [['o-1', 'x', 'y']], parameters: { skus: ['A'] } });
  expect(items).toEqual([{ orderId: 'o-1', order_ids: 'x', sku: 'y', error: null, seen: 1 }]);
});

it('10,000 rows are taken', async () => {
  const { plan } = await run({ rows: numbered(1), total: 10_000 });
  expect(plan.recentMs).toBe(7);
});

it('the same statement over other rows is another collection, and the same rows are the same', async () => {
  const source = async (rows: SqlValue[][]) => JSON.stringify((await run({ rows })).plan.source);
  expect(await source(numbered(2))).toBe(await source(numbered(2)));
  expect(await source([['o-0'], ['o-2']])).not.toBe(await source(numbered(2)));
});

const checkDots = ({ parameters }: CallInput) => {
  if (parameters.orderId === '.') throw new InputError('orderId must not be "."');
};

it.each([1, 9, 10, 12])('a row that cannot be sent fails alone where %s of them come first', async (bad) => {
  const { error, info, items } = await run({
    rows: [...Array.from({ length: bad }, () => ['.']), ['o-1'], ['o-2']],
    check: checkDots,
    answer(input) {
      checkDots(input);
      return { sku: 'A' };
    },
  });
  expect(error).toBeUndefined();
  expect(info).toMatchObject({ complete: false });
  expect(items.filter((one) => JSON.stringify(one).includes('must not be'))).toHaveLength(bad);
  expect(items.filter((one) => JSON.stringify(one).includes('"sku":"A"'))).toHaveLength(2);
});

it('refuses rows of which none can be sent, with the reason of the first', async () => {
  await expect(run({ rows: [['.'], ['.']], check: checkDots })).rejects.toThrow('must not be');
});

it.each([
  ['ten of ten', 10, true],
  ['nine of ten', 9, false],
])('where %s of the first fail, it stops: %s', async (_what, failing, isOver) => {
  const { error, inputs, info } = await run({
    rows: numbered(25),
    answer: (_input, call) => (call <= failing ? refused() : {}),
  });
  if (!isOver) return void expect(info).toMatchObject({ complete: false });
  expect(error).toMatchObject({ message: 'No such order.' });
  expect(error instanceof AppError && error.hint).toContain('the other 15 were not asked for');
  expect(inputs.length).toBeLessThan(10 + 2);
});

it.each([
  new CredentialError('refused', 'No credentials.'),
  new ConfigError('No folder.'),
  new AccountChangedError('Another account.'),
  new TypeError('A mistake of ours.'),
])('what is no matter of one row ends it: %s', async (failure) => {
  const { error, inputs, items } = await run({
    rows: numbered(25),
    answer: (_input, call) => (call === 3 ? failure : {}),
  });
  expect(error).toBe(failure);
  expect(inputs.length).toBeLessThan(3 + 2);
  expect(items.length).toBeLessThan(3 + 1);
});

it('what came is kept when the session ends in the middle, and told as not whole', async () => {
  const { info, error, items } = await run({
    rows: numbered(25),
    begun: (calls, end) => calls === 7 && end(),
  });
  expect(error).toBeUndefined();
  const made = items.length;
  expect(made).toBeGreaterThan(0);
  expect(made).toBeLessThan(7);
  expect(info).toMatchObject({
    complete: false,
    cutOff: true,
    notes: [`${made} of 25 calls were made when the session ended: ${made} ${made === 1 ? 'row' : 'rows'}.`],
  });
});

it('nothing is kept where the session ends before the first answer', async () => {
  const { info, error } = await run({ rows: numbered(25), begun: (_calls, end) => end() });
  expect(info).toBeUndefined();
  expect(error).toMatchObject({ message: 'The session ends.' });
});

it.each([
  [0.5, 1],
  [1, 2],
  [2, 4],
  [100, 8],
])('at a limit of %d a second, %d are on their way at once', async (requestsPerSecond, most) => {
  const operation = { ...ONE, rate: { requestsPerSecond, burst: 1 } };
  const { mostAtOnce } = await run({ operation, rows: numbered(40) });
  expect(mostAtOnce).toBe(most);
});

it('without a known limit two are on their way, and nobody says how long it takes', async () => {
  const { mostAtOnce, reports } = await run({ operation: { ...ONE, rate: undefined }, rows: numbered(40) });
  expect(mostAtOnce).toBe(2);
  expect(reports[0]).toMatchObject({ message: '0 of 40 calls' });
  expect(reports[0]?.leftMs).toBeUndefined();
});

it('all pages of each row come, and rows whose pages lead in a circle are counted', async () => {
  const { info, items, inputs } = await run({
    operation: PAGED,
    rows: numbered(3),
    answer: ({ parameters: { orderId, next } }) => {
      const sku = `${orderId}/${next ?? 'first'}`;
      const after = next === undefined ? 'second' : orderId === 'o-1' ? 'second' : undefined;
      return { payload: { items: [{ sku }] }, next: after };
    },
  });
  const ofFirst = items.filter((item) => JSON.stringify(item).includes('"o-0"'));
  expect(ofFirst).toEqual(
    ['first', 'second'].map((page) => ({ orderId: 'o-0', error: null, sku: `o-0/${page}` })),
  );
  expect(inputs.some(({ parameters }) => parameters.next === 'second' && parameters.orderId === 'o-2')).toBe(
    true,
  );
  expect(info?.notes).toContain('Of 1 not all pages came.');
});

it('the reasons that hold for most are told, the most frequent first', async () => {
  const words = ['a', 'b', 'b', 'c', 'c', 'c', 'd', 'd', 'd', 'd'];
  const { info } = await run({
    rows: numbered(20),
    answer: (_input, call) => (call % 2 === 0 ? refused(`${words[call / 2 - 1]}\n x`) : {}),
  });
  expect(info?.notes[1]).toBe('10 failed; the column error says why: 4 x d x; 3 x c x; 2 x b x');
});

it('many are asked for at once where a search takes them, in halves where one is refused, alone where it cannot', async () => {
  const { find } = await loadRegistry();
  const sku = fc.stringMatching(/^[A-Z]{1,2}[0-9]{1,2}$/);
  const world = fc.record({
    skus: fc.uniqueArray(sku, { minLength: 1, maxLength: 60 }),
    bad: fc.subarray(['B1', 'B2']),
    parted: fc.subarray(['X,1', 'X,2']),
    missing: fc.nat(9),
  });
  await fc.assert(
    fc.asyncProperty(world, async ({ skus, bad, parted, missing }) => {
      const all = [...new Set([...skus, ...bad, ...parted])];
      const kindOf = (one: string) => (one.length % 2 === 0 ? '["summaries"]' : '["issues"]');
      const isMissing = (one: string) => Number(one.slice(-1)) === missing;
      const answerOf = (one: string) => ({ sku: one, seen: `of ${one}` });
      const { info, items, inputs, reports, error } = await run({
        find,
        operation: find('listings-items/getListingsItem'),
        columns: ['sku', 'includedData'],
        rows: all.map((one) => [one, kindOf(one)]),
        parameters: { marketplaceIds: ['A1PA6795UKMFR9'] },
        answer: ({ parameters: { identifiers, sku: one } }) => {
          const asked: unknown = identifiers ?? [one];
          const of = Array.isArray(asked) ? asked.map(String) : [];
          if (of.some((each) => bad.includes(each))) return refused('bad');
          if (identifiers === undefined) return answerOf(of[0] ?? '');
          return { items: of.filter((each) => !isMissing(each)).map(answerOf) };
        },
      });
      expect(error).toBeUndefined();
      const meant = all.map((one) => {
        const row = { sku: one, includedData: kindOf(one) };
        if (bad.includes(one)) return { ...row, error: 'bad' };
        if (isMissing(one) && !parted.includes(one))
          return { ...row, error: 'The service has none of this.' };
        return { ...row, error: null, ...answerOf(one) };
      });
      const sorted = (rows: readonly unknown[]) => rows.map((one) => JSON.stringify(one)).sort();
      expect(sorted(items)).toEqual(sorted(meant));
      const searches = inputs.filter(({ operation }) => operation.name === 'searchListingsItems');
      expect(inputs.filter((one) => !searches.includes(one)).map(({ parameters }) => parameters.sku)).toEqual(
        expect.arrayContaining(parted),
      );
      const identifiers = searches.map(({ parameters }) => Object(parameters.identifiers).length);
      expect(Math.max(0, ...identifiers)).toBeLessThanOrEqual(20);
      const groups = ['["summaries"]', '["issues"]'].map(
        (kind) => all.filter((one) => kindOf(one) === kind && !parted.includes(one)).length,
      );
      const least = groups.reduce((sum, size) => sum + Math.ceil(size / 20), 0) + parted.length;
      if (bad.length === 0) expect(inputs).toHaveLength(least);
      expect(reports[0]).toMatchObject({ done: 0, total: all.length });
      expect(reports[0]?.message).toMatch(
        `0 of ${all.length} ${least < all.length ? `rows done (${plural(least, 'call')} in all)` : 'calls'}`,
      );
      expect(reports.at(-1)).toMatchObject({ done: all.length, leftMs: 0 });
      // Each half of one that was refused is a call more.
      const calls =
        inputs.length < all.length ? `rows done (${plural(inputs.length, 'call')} in all)` : 'calls';
      expect(reports.at(-1)?.message).toContain(`${all.length} of ${all.length} ${calls}`);
      expect(info?.notes[0]).toMatch(
        new RegExp(`^${all.length} of ${all.length} (?:calls were made|rows were asked)`),
      );
    }),
    { numRuns: 15 },
  );
});

it('an operation that takes a list alone is asked for one, and for all', async () => {
  const { find } = await loadRegistry();
  const { inputs, prepared, items, info } = await run({
    find,
    operation: find('product-pricing/getCompetitiveSummary'),
    columns: ['asin'],
    rows: [['B1'], ['B2']],
    body: { marketplaceId: 'M' },
    answer: ({ body }) => ({
      responses: Object(body).requests.map(({ asin, marketplaceId }: Record<string, string>) => ({
        status: { statusCode: 200 },
        body: { asin, marketplaceId },
      })),
    }),
  });
  const request = (asin: string) => expect.objectContaining({ asin, marketplaceId: 'M', method: 'GET' });
  expect(prepared.map(({ body }) => body)).toEqual([{ requests: [request('B1')] }]);
  expect(inputs.map(({ body }) => body)).toEqual([{ requests: [request('B1'), request('B2')] }]);
  expect(items).toEqual(['B1', 'B2'].map((asin) => ({ asin, marketplaceId: 'M', error: null })));
  expect(info?.notes[0]).toBe('2 of 2 rows were asked for, in calls of getCompetitiveSummary: 2 rows.');
});

it('a limit that the service tells counts from then on', async () => {
  const headers = { 'x-amzn-ratelimit-limit': '100' };
  const { mostAtOnce, reports } = await run({ rows: numbered(40), headers });
  expect(mostAtOnce).toBe(8);
  expect(reports[1]?.leftMs).toBe(390);
});

it('a limit that the service tells of calls for many counts too', async () => {
  const { find } = await loadRegistry();
  const { reports } = await run({
    find,
    operation: find('listings-items/getListingsItem'),
    columns: ['sku'],
    rows: numbered(200),
    headers: { 'x-amzn-ratelimit-limit': '100' },
    answer: () => ({ items: [] }),
  });
  expect(reports[1]?.leftMs).toBe(90);
});

it('pages that begin again, since a token was refused, give each item once', async () => {
  let refusals = 0;
  const { items } = await run({
    operation: PAGED,
    rows: numbered(1),
    answer: ({ parameters: { next } }) => {
      if (next !== undefined && ++refusals === 1) return refused();
      return {
        payload: { items: [{ sku: next ?? 'first' }] },
        next: next === undefined ? 'second' : undefined,
      };
    },
  });
  const row = { orderId: 'o-0', error: null };
  expect(items).toEqual(['first', 'second'].map((sku) => ({ ...row, sku })));
});

const DE = 'A1PA6795UKMFR9';
const priceless = 'The listing has no price in Germany, which fees are asked for; nothing was asked.';

it('fees are asked for at the prices of the listings, and a row without one says why', async () => {
  const { find } = await loadRegistry();
  const world = fc.record({
    listings: fc.array(fc.constantFrom('priced', 'without a price', 'not there'), {
      minLength: 2,
      maxLength: 20,
    }),
    areRead: fc.integer({ min: 0, max: 4 }).map((number) => number > 0),
  });
  await fc.assert(
    fc.asyncProperty(world, async ({ listings, areRead }) => {
      const listing = (sku: string) => {
        const at = Number(sku.slice(2));
        const price = listings[at] === 'priced' ? { currencyCode: 'EUR', amount: at + 1 } : undefined;
        return listings[at] === 'not there' ? [] : [{ sku, offers: [{ price }] }];
      };
      const { items, inputs, info } = await run({
        find,
        operation: find('fees/getMyFeesEstimateForSKU'),
        columns: ['SellerSKU'],
        rows: numbered(listings.length),
        body: { FeesEstimateRequest: { MarketplaceId: DE } },
        answer: ({ operation, parameters, body }) => {
          if (operation.name !== 'getMyFeesEstimates')
            return areRead
              ? { items: [parameters.identifiers].flat().flatMap((sku) => listing(String(sku))) }
              : refused('No listings.');
          return Object.values(Object(body)).map((one) => {
            const { IdValue, FeesEstimateRequest: asked } = Object(one);
            const id = { IdValue, MarketplaceId: asked.MarketplaceId };
            return { Status: 'Success', FeesEstimateIdentifier: id, price: asked.PriceToEstimateFees };
          });
        },
      });
      const meant = listings.map((fate, at) => {
        const SellerSKU = `o-${at}`;
        if (!areRead) return { SellerSKU, error: 'No listings.' };
        if (fate === 'without a price') return { SellerSKU, error: priceless };
        if (fate === 'not there')
          return { SellerSKU, error: `There is no listing ${SellerSKU} in Germany; no fee was asked for.` };
        return {
          SellerSKU,
          error: null,
          Status: 'Success',
          FeesEstimateIdentifier: { IdValue: SellerSKU, MarketplaceId: DE },
          price: { ListingPrice: { CurrencyCode: 'EUR', Amount: at + 1 } },
        };
      });
      const sorted = (rows: readonly unknown[]) => rows.map((one) => JSON.stringify(one)).sort();
      expect(sorted(items)).toEqual(sorted(meant));
      const priced = areRead && listings.includes('priced');
      expect(inputs.map(({ operation }) => operation.name)).toEqual([
        'searchListingsItems',
        ...(priced ? ['getMyFeesEstimates'] : []),
      ]);
      const note = 'Prices, currencies and who ships that were left out are those of the listings now.';
      expect(info?.notes.includes(note)).toBe(priced);
    }),
  );
});

const refusalOfOrders = {
  operation: 'orders/searchOrders',
  account: 'default',
  owner: OWNER,
  at: 0,
  reason: '',
  about: [],
  answeredBefore: 0,
};

it.each<[string, number, Given['refusalOf'], RegExp]>([
  ['a minute', 60, undefined, /^, searchOrders has the same in its pages, and is quicker for many$/],
  [
    'a minute, where that is refused',
    60,
    (id) => (id.endsWith('searchOrders') ? refusalOfOrders : undefined),
    /^, the report GET_\w+ has the same, and/,
  ],
  ['less', 59, undefined, /^$/],
])('what takes %s is told with what is quicker', async (_what, count, refusalOf, words) => {
  const operation = { ...ONE, id: 'orders/getOrder' };
  const { reports } = await run({ operation, rows: numbered(count), refusalOf });
  expect(reports[0]?.message.slice(`0 of ${count} calls, about `.length).replace(/^[^,]*/, '')).toMatch(
    words,
  );
});

const shapeOf = (...members: string[]): AnswerShape => ({
  schema: { $ref: '#/$defs/Answer' },
  defs: {
    Answer: { type: 'object', properties: { payload: { $ref: '#/$defs/Payload' } } },
    Payload: { type: 'object', properties: Object.fromEntries(members.map((name) => [name, {}])) },
  },
});
const holding = (payload: JsonSchema): JsonSchema => ({ type: 'object', properties: { payload } });
/** The first member is a list. */
const listShape = (list: string, ...others: string[]): AnswerShape => ({
  schema: {
    type: 'object',
    properties: { [list]: { type: 'array' }, ...Object.fromEntries(others.map((name) => [name, {}])) },
  },
  defs: {},
});
const bare: AnswerShape = { schema: { type: 'object' }, defs: {} };

it.each<[unknown, AnswerShape | undefined, unknown[], string[]]>([
  [[1, 2], undefined, [1, 2], []],
  [{ a: 1 }, undefined, [{ a: 1 }], []],
  ['x', shapeOf('A'), ['x'], []],
  [{ payload: [1, 2], a: 1 }, undefined, [1, 2], ['payload']],
  [{ payload: { A: { x: 1 } } }, undefined, [{ x: 1 }], ['payload', 'A']],
  [{ payload: { A: [1] } }, undefined, [{ A: [1] }], ['payload']],
  [{ payload: { A: {}, B: {} } }, undefined, [{ A: {}, B: {} }], ['payload']],
  [{ payload: {} }, undefined, [{}], ['payload']],
  [{ payload: { A: { x: 1 } } }, shapeOf('A'), [{ x: 1 }], ['payload', 'A']],
  [{ payload: { A: { x: 1 } } }, shapeOf('A', 'B'), [{ A: { x: 1 } }], ['payload']],
  [{ payload: { A: { x: 1 }, B: {} } }, shapeOf('A'), [{ x: 1 }], ['payload', 'A']],
  [{ payload: { A: { x: 1 } } }, shapeOf(), [{ A: { x: 1 } }], ['payload']],
  [{ payload: { A: { x: 1 } } }, bare, [{ A: { x: 1 } }], ['payload']],
  [{ A: [1, 2] }, listShape('A'), [1, 2], ['A']],
  [{ A: [], NextToken: null }, listShape('A', 'NextToken'), [], ['A']],
  [{ A: [1], NextToken: 'x' }, listShape('A', 'NextToken'), [{ A: [1], NextToken: 'x' }], []],
  [{ A: [1], B: 2 }, listShape('A'), [{ A: [1], B: 2 }], []],
  [{ A: [1] }, listShape('A', 'B'), [{ A: [1] }], []],
  [{ payload: { A: [1] } }, { schema: holding(listShape('A').schema), defs: {} }, [1], ['payload', 'A']],
])('what is said in %j is found by its shape, where that is known (%#)', (body, shape, items, at) => {
  expect(itemsIn(body, shape)).toEqual({ items, at });
});

it('a row has the columns of the SELECT, then what was answered', async () => {
  expect(Object.entries(rowOf({ a: 1, b: 2 }, { b: 3, c: 4 }))).toEqual([
    ['a', 1],
    ['b', 3],
    ['error', null],
    ['c', 4],
  ]);
  expect(rowOf({ a: 1 }, [5])).toEqual({ a: 1, error: null, value: [5] });
  expect(rowOf({ a: 1 }, { b: 3 }, { b: 2, c: 4 })).toEqual({ a: 1, b_2: 2, c: 4, error: null, b: 3 });
});
