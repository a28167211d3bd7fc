/** All pages of an operation: tokens that end, loop or come back, sets that move, and errors on the way. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  ApiError,
  AppError,
  CredentialError,
  NetworkError,
  RateLimitError,
  TimeoutError,
} from '../../../src/base/errors.ts';
import type { Wait } from '../../../src/call/api-request.ts';
import type { CallInput, CallResult } from '../../../src/call/client-types.ts';
import {
  collectPages,
  MAX_PAGES_WITHOUT_ITEM,
  MAX_PASSES,
} from '../../../src/data/collections/collect-pages.ts';
import type { RunProgress } from '../../../src/data/collections/collection-plan.ts';
import type { Operation, Paging } from '../../../src/service/facts/operation.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { memoryLoaders } from '../../helpers/memory-loader.ts';

const BY_TOKEN: Paging = {
  by: 'token',
  input: { in: 'query', name: 'pageToken' },
  output: 'pagination.nextToken',
  list: 'items',
  key: 'sku',
};

const OWNER = { name: 'default', baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1' };

interface Given {
  paging?: Paging;
  operation?: Partial<Operation>;
  answer(token: unknown, call: number, input: CallInput): unknown;
  /** Returns what to wait for before a call. */
  wait?: (call: number) => Wait | undefined;
}

/** Runs over answers by token; what is thrown is an answer too. */
async function run({ paging = BY_TOKEN, operation = {}, answer, wait }: Given) {
  const clock = fakeClock();
  const loaders = memoryLoaders();
  const inputs: CallInput[] = [];
  const reports: RunProgress[] = [];
  const job = collectPages({
    client: {
      async call(input, options): Promise<CallResult> {
        inputs.push(input);
        const waited = wait?.(inputs.length);
        if (waited !== undefined) options?.onProgress?.({ kind: 'wait', ...waited });
        const token = input.parameters[paging.input.name];
        const body = answer(token, inputs.length, input);
        if (body instanceof Error) throw body;
        return { status: 200, headers: {}, body, bytes: 1, filledIn: {}, owner: OWNER };
      },
    },
    operation: {
      id: 'x/list',
      group: 'x',
      name: 'list',
      method: 'GET',
      path: '/x',
      parameters: [],
      effect: 'read',
      auth: { kind: 'seller' },
      source: 'definitions',
      ...operation,
    },
    paging,
    input: { parameters: { marketplace: 'DE' }, account: 'default' },
    table: 'things',
    clock,
    signal: new AbortController().signal,
    tell: (progress) => reports.push(progress),
    open: loaders.open,
  });
  let settled = false;
  const outcome = job.then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  void outcome.then(() => {
    settled = true;
  });
  for (let turn = 0; turn < 500 && !settled; turn++) await clock.advance(20_000);
  return { ...(await outcome), inputs, reports, loaders, sleeps: clock.sleeps };
}

const items = (...skus: string[]) => skus.map((sku) => ({ sku }));
const page = (next: string | undefined, ...skus: string[]) => ({
  items: items(...skus),
  pagination: next === undefined ? {} : { nextToken: next },
});
const refusedToken = () => new ApiError({ status: 400 }, 'The token is invalid.');

it('follows the tokens with all other parameters, and alone where the operation wants that', async () => {
  const pages = (token: unknown) => (token === undefined ? page('t1', 'A') : page(undefined, 'B'));
  const { value, inputs, loaders } = await run({ answer: pages });
  expect(value).toMatchObject({ complete: true, notes: [] });
  expect(loaders.items('things')).toEqual(items('A', 'B'));
  expect(inputs.map(({ parameters }) => parameters)).toEqual([
    { marketplace: 'DE' },
    { marketplace: 'DE', pageToken: 't1' },
  ]);
  const alone = await run({ paging: { ...BY_TOKEN, alone: true }, answer: pages });
  expect(alone.inputs.at(-1)?.parameters).toEqual({ pageToken: 't1' });
});

it('begins again when a token has ended, and keeps equal items once', async () => {
  const answers = [page('t1', 'A', 'B'), refusedToken(), page('t2', 'A', 'B'), page(undefined, 'C')];
  const { value, loaders } = await run({ answer: (_token, call) => answers[call - 1] });
  expect(value).toMatchObject({ complete: true, notes: ['2 items that came again were kept once.'] });
  expect(loaders.items('things')).toEqual(items('A', 'B', 'C'));
});

it('without a key it begins in a new place, so that nothing stands there twice', async () => {
  const { key: _key, ...paging } = BY_TOKEN;
  const answers = [page('t1', 'A'), refusedToken(), page('t2', 'A'), page(undefined, 'B')];
  const { value, loaders } = await run({ paging, answer: (_token, call) => answers[call - 1] });
  expect(value).toMatchObject({ complete: true });
  expect(loaders.items('things')).toEqual(items('A', 'B'));
  expect(loaders.abandoned()).toBe(1);
});

it('keeps what came when tokens end again and again, and says what the service said', async () => {
  const { value, inputs, loaders } = await run({
    answer: (token) => (token === undefined ? page('t', 'A') : refusedToken()),
  });
  expect(value).toMatchObject({ complete: false, notes: [expect.stringContaining('The token is invalid.')] });
  expect(loaders.items('things')).toEqual(items('A'));
  expect(inputs).toHaveLength(2 * MAX_PASSES);
});

it.each([
  ['an error of the service', () => new ApiError({ status: 500 }, 'It broke.')],
  ['a refusal', () => new ApiError({ status: 403 }, 'It broke.')],
  ['a limit', () => new RateLimitError(1_000, 'It broke.')],
  ['a time limit', () => new TimeoutError(1, 'unknown', 'It broke.')],
  ['the way', () => new NetworkError('ECONNRESET', 'unknown', 'It broke.')],
])('keeps the pages before one that is lost to %s, and gives the reason', async (_what, failure) => {
  const pages = (token: unknown) => (token === undefined ? page('t', 'A', 'B') : failure());
  const { value, loaders } = await run({ answer: pages });
  expect(value).toMatchObject({ complete: false, notes: [expect.stringMatching(/It broke\..* 2 items/)] });
  expect(loaders.items('things')).toEqual(items('A', 'B'));
  const none = await run({ answer: (token) => (token === undefined ? page('t') : failure()) });
  expect(none.error).toBeInstanceOf(AppError);
});

const WITHOUT_KEY: Paging = {
  by: 'token',
  input: { in: 'query', name: 'pageToken' },
  output: 'pagination.nextToken',
  list: 'items',
};

/** The same few pages for ever, each with a new token. */
const endless = (pages: readonly (readonly string[])[]) => (_token: unknown, call: number) =>
  page(`t${call}`, ...(pages[(call - 1) % pages.length] ?? []));

it.each([
  ['with the same items', BY_TOKEN, [['A', 'B']], ['A', 'B']],
  ['with the same items that have no key', WITHOUT_KEY, [['A', 'B']], ['A', 'B']],
  ['with the same pages in turn', WITHOUT_KEY, [['A'], ['B'], []], ['A', 'B']],
  ['with the same items in other pages', BY_TOKEN, [['A'], ['A', 'B'], ['B']], ['A', 'B']],
  ['with items that lack their key', { ...BY_TOKEN, key: 'asin' }, [['A']], ['A']],
  ['without any item', BY_TOKEN, [[]], []],
])(
  'ends a list of new tokens for ever %s: each item once, told as not all',
  async (_how, paging, pages, skus) => {
    const { value, inputs, loaders } = await run({ paging, answer: endless(pages) });
    expect(value).toMatchObject({
      complete: false,
      notes: [expect.stringContaining(`${skus.length} items`)],
    });
    expect(loaders.items('things')).toEqual(items(...skus));
    expect(inputs.length).toBeLessThan(MAX_PAGES_WITHOUT_ITEM + 10);
  },
);

it('goes on over empty pages, and over pages that come twice in the same words', async () => {
  const bodies = [['A'], ...Array.from({ length: MAX_PAGES_WITHOUT_ITEM - 1 }, () => []), ['A'], ['B']];
  const answer = (_token: unknown, call: number) =>
    page(call < bodies.length ? `t${call}` : undefined, ...(bodies[call - 1] ?? []));
  const { value, loaders } = await run({ answer });
  expect(value).toMatchObject({ complete: false });
  expect(loaders.items('things')).toEqual(items('A'));
  bodies.splice(1, 1);
  const shorter = await run({ answer, paging: WITHOUT_KEY });
  expect(shorter.value).toMatchObject({ complete: true });
  // The tables have no key that would tell whether the second one is another.
  expect(shorter.loaders.items('things')).toEqual(items('A', 'A', 'B'));
});

it('ends an endless list as whole where the service counts no more', async () => {
  const answer = (_token: unknown, call: number) => ({ ...page(`t${call}`, 'A', 'B'), totalCount: 2 });
  expect((await run({ answer })).value).toMatchObject({ complete: true, notes: [] });
});

it('reads a long list again whose token ended behind the pages that may bring nothing new', async () => {
  const last = MAX_PAGES_WITHOUT_ITEM * 2;
  let isRefused = false;
  const answer = (token: unknown) => {
    const at = Number(token ?? 0);
    if (at === last && !isRefused) {
      isRefused = true;
      return refusedToken();
    }
    return page(at < last ? String(at + 1) : undefined, `S${at}`);
  };
  const { value, loaders } = await run({ answer });
  expect(value).toMatchObject({ complete: true });
  expect(loaders.items('things')).toHaveLength(last + 1);
});

it('an offset that the service ignores gives no item twice', async () => {
  const answer = () => ({ total: 6, items: items('A', 'B') });
  const { value, loaders } = await run({ paging: BY_OFFSET, answer });
  expect(value).toMatchObject({ complete: false, notes: [expect.stringContaining('2 of 6')] });
  expect(loaders.items('things')).toEqual(items('A', 'B'));
});

it('what the first page counts holds for the last, which counts nothing: what is missing is told', async () => {
  const answers = [{ ...page('t1', 'A'), totalCount: 3 }, page(undefined, 'B')];
  const { value } = await run({ answer: (_token, call) => answers[call - 1] });
  expect(value).toMatchObject({ complete: false, notes: [expect.stringContaining('its pages held 2')] });
});

it('a set that is begun again counts its items anew where none can be told from another: what is missing is told', async () => {
  const { key: _key, ...paging } = BY_TOKEN;
  const counted = (next: string | undefined, ...skus: string[]) => ({
    ...page(next, ...skus),
    totalCount: 4,
  });
  const answers = [counted('t1', 'A', 'B'), refusedToken(), counted('t2', 'A'), counted(undefined, 'B')];
  const { value } = await run({ paging, answer: (_token, call) => answers[call - 1] });
  expect(value).toMatchObject({ complete: false, notes: [expect.stringContaining('its pages held 2')] });
});

it.each([
  ['as the limit says', new RateLimitError(45_000, 'no place before the deadline'), 45_000],
  ['a little where it broke off', new NetworkError('ECONNRESET', 'unknown', 'reset'), 2_000],
])('a page waits %s before it is asked for again', async (_how, failure, waits) => {
  const answers = [page('t1', 'A'), failure, page(undefined, 'B')];
  const { value, sleeps, loaders } = await run({ answer: (_token, call) => answers[call - 1] });
  expect(value).toMatchObject({ complete: true });
  expect(loaders.items('things')).toEqual(items('A', 'B'));
  expect(sleeps).toEqual([waits]);
});

it('the first page refused is no token that has ended', async () => {
  const { error, inputs } = await run({ answer: refusedToken });
  expect(error).toBeInstanceOf(ApiError);
  expect(inputs).toHaveLength(1);
});

it.each([
  ['with a key', BY_TOKEN],
  ['without one', { ...BY_TOKEN, key: undefined }],
])('tokens in a circle come to an end, told as not all, %s', async (_name, given) => {
  const { key, ...rest } = given;
  const paging: Paging = key === undefined ? rest : { ...rest, key };
  const circle = (token: unknown) =>
    token === undefined ? page('t1', 'A') : token === 't1' ? page('t2', 'B') : page('t1', 'C');
  const { value, loaders, inputs } = await run({ paging, answer: circle });
  expect(value).toMatchObject({ complete: false });
  expect(value?.notes.join()).toContain('circle');
  expect(loaders.items('things')).toEqual(items('A', 'B', 'C'));
  expect(inputs.length).toBeLessThan(10);
});

it('a circle behind the last item is all of it, where the service counts them', async () => {
  const counted = (token: unknown) => ({
    numberOfResults: 2,
    ...(token === undefined ? page('t1', 'A') : page('t0', 'B')),
  });
  const answers = [counted(undefined), counted('t1'), { numberOfResults: 2, ...page('t1', 'B') }];
  const { value } = await run({ answer: (_token, call) => answers[call - 1] });
  expect(value).toMatchObject({ complete: true });
});

it('asks again with a token that came back as the next one', async () => {
  const answers = [page('t1', 'A'), page('t1', 'B'), page('t2', 'B'), page(undefined, 'C')];
  const { value, loaders } = await run({
    paging: { ...BY_TOKEN },
    answer: (_token, call) => answers[call - 1],
  });
  expect(value).toMatchObject({ complete: true });
  expect(loaders.items('things')).toEqual(items('A', 'B', 'C'));
});

it('an item on two pages makes it look once more for the one that slipped between them', async () => {
  const counted = (given: object) => ({ numberOfResults: 3, ...given });
  const answers = [
    counted(page('t1', 'A', 'B')),
    counted(page(undefined, 'B')),
    counted(page('t1', 'A', 'C')),
    counted(page(undefined, 'B')),
  ];
  const { value, loaders } = await run({ answer: (_token, call) => answers[call - 1] });
  expect(value).toMatchObject({ complete: true });
  expect(loaders.items('things')).toEqual(items('A', 'B', 'C'));
});

it('fewer items than the service counts are told as not all', async () => {
  const { value } = await run({ answer: () => ({ numberOfResults: 5, ...page(undefined, 'A') }) });
  expect(value).toMatchObject({ complete: false });
  expect(value?.notes.join()).toMatch(/counts 5 items, but its pages held 1/);
});

it('the cap of a search is told with what gives all of it', async () => {
  const answer = (token: unknown) => {
    const from = Number(token ?? 0);
    const skus = Array.from({ length: 500 }, (_, i) => `S${from + i}`);
    return { numberOfResults: 2_000, ...page(from < 500 ? '500' : undefined, ...skus) };
  };
  const { value } = await run({ operation: { id: 'listings-items/searchListingsItems' }, answer });
  expect(value).toMatchObject({ complete: false });
  expect(value?.notes.join()).toMatch(/at most 1,000 of a search, and counts 2,000: .*review_listings/);
});

it('lists by member become tables by member, and none at all an empty one', async () => {
  const paging: Paging = {
    by: 'token',
    input: { in: 'query', name: 'NextToken' },
    output: 'payload.NextToken',
    list: 'payload.FinancialEvents.*',
  };
  const answer = () => ({
    payload: { FinancialEvents: { RefundEventList: [{ a: 1 }], FeeEventList: [], Other: 'x' } },
  });
  const found = await run({ paging, answer });
  expect(found.loaders.items('things_RefundEventList')).toEqual([{ a: 1 }]);
  const none = await run({ paging, answer: () => ({}) });
  expect(none.value).toMatchObject({ complete: true });
  expect(none.loaders.items('things')).toEqual([]);
});

it('goes by offset in the body until the total is reached', async () => {
  const paging: Paging = {
    by: 'offset',
    input: { in: 'body', name: 'pagination.offset' },
    output: 'pagination.totalResults',
    list: 'items',
  };
  const { inputs, loaders } = await run({
    paging,
    answer: (_token, call) => ({
      items: items(`${call}a`, `${call}b`).slice(0, call === 2 ? 1 : 2),
      pagination: { totalResults: 3 },
    }),
  });
  expect(inputs.map(({ body }) => body)).toEqual([undefined, { pagination: { offset: 2 } }]);
  expect(loaders.items('things')).toHaveLength(3);
});

const BY_OFFSET: Paging = {
  by: 'offset',
  input: { in: 'query', name: 'offset' },
  output: 'total',
  list: 'items',
};

it.each([
  ['told once', [{ total: 3, items: items('A') }, { items: items('B') }, { items: items('C') }], true, 3],
  ['never told', [{ items: items('A', 'B') }, { items: items('C') }, { items: [] }], true, 3],
  ['never told, the offset passed over', [{ items: items('A') }, { items: items('A') }], false, 1],
  ['never told, the offset refused', [{ items: items('A') }, refusedToken()], false, 1],
])('by offset with a total that is %s', async (_what, answers, complete, rows) => {
  const { value, loaders } = await run({ paging: BY_OFFSET, answer: (_token, call) => answers[call - 1] });
  expect(value).toMatchObject({ complete });
  expect(loaders.items('things')).toHaveLength(rows);
  expect(value?.notes.join()).toMatch(complete ? /^$/ : /1 items .* may be more/);
});

it('by offset, a set that is begun again is passed over from its beginning', async () => {
  const first = { total: 4, items: items('A', 'B') };
  const answers = [first, refusedToken(), first, { total: 4, items: items('C', 'D') }];
  const paging = { ...BY_OFFSET, key: 'sku' };
  const { value, inputs } = await run({ paging, answer: (_token, call) => answers[call - 1] });
  expect(value).toMatchObject({ complete: true });
  expect(inputs.map(({ parameters }) => parameters.offset)).toEqual([undefined, 2, undefined, 2]);
});

it('a page that fails for a while is asked for again; credentials that are refused are not', async () => {
  const failing = [page('t1', 'A'), new NetworkError('ECONNRESET', 'unknown', 'gone'), page(undefined, 'B')];
  const { value, loaders } = await run({ answer: (_token, call) => failing[call - 1] });
  expect(value).toMatchObject({ complete: true });
  expect(loaders.items('things')).toEqual(items('A', 'B'));
  const refused = await run({ answer: () => new CredentialError('refused', 'no') });
  expect(refused.error).toBeInstanceOf(CredentialError);
  expect(refused.inputs).toHaveLength(1);
});

it('tells how many calls are left, and how long the limit makes them', async () => {
  const rate = { requestsPerSecond: 0.1, burst: 1 };
  const { reports } = await run({
    operation: { rate },
    answer: (token) => ({ numberOfResults: 4, ...page(token === undefined ? 't' : undefined, 'A', 'B') }),
  });
  expect(reports[0]).toMatchObject({ message: '2 of about 4 items, 1 more call', done: 2, total: 4 });
  expect(reports[0]?.leftMs).toBe(10_000);
});

it('how far it is, page by page: what is left at the limit, in words and numbers', async () => {
  const rate = { requestsPerSecond: 0.5, burst: 2 };
  const skus = Array.from({ length: 7 }, (_, i) => `S${i}`);
  const answer = (token: unknown) => {
    const from = Number(token ?? 0);
    const next = from + 2 < skus.length ? String(from + 2) : undefined;
    return { numberOfResults: 7, ...page(next, ...skus.slice(from, from + 2)) };
  };
  const { reports } = await run({ operation: { rate }, answer });
  expect(reports).toEqual([
    { message: '2 of about 7 items, 3 more calls', done: 2, total: 7, leftMs: 4_000 },
    { message: '4 of about 7 items, 2 more calls', done: 4, total: 7, leftMs: 4_000 },
    { message: '6 of about 7 items, 1 more call', done: 6, total: 7, leftMs: 2_000 },
    { message: '7 of about 7 items', done: 7, total: 7, leftMs: 0 },
  ]);
});

it.each([
  [
    'x/list',
    0.05,
    "; how many are left is not known, and each further page takes 20 s at the service's limit",
  ],
  [
    'orders/getOrders',
    0.05,
    "; how many are left is not known, and each further page takes 20 s at the service's limit: the report GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL holds all of them at once",
  ],
  [
    'x/list',
    0.1,
    "; how many are left is not known, and each further page takes 10 s at the service's limit",
  ],
  ['x/list', 0.11, ''],
])(
  'where nobody counts the items of %s, pages are, and slow ones told (%d a second)',
  async (id, perSecond, slow) => {
    const rate = { requestsPerSecond: perSecond, burst: 2 };
    const answer = (token: unknown) => (token === undefined ? page('t', 'A') : page(undefined, 'B'));
    const { reports } = await run({ operation: { id, rate }, answer });
    expect(reports).toEqual([
      { message: '1 items (1 page)', done: 1 },
      { message: `2 items (2 pages${slow})`, done: 2 },
    ]);
  },
);

it('without a known limit nothing is said of how long pages take', async () => {
  const { reports } = await run({ answer: () => page(undefined, 'A') });
  expect(reports).toEqual([{ message: '1 items (1 page)', done: 1 }]);
});

it('a wait is told with how far it is, and lasts at least as long as it says', async () => {
  const rate = { requestsPerSecond: 0.1, burst: 1 };
  const given = {
    operation: { rate },
    answer: (token: unknown) => ({
      numberOfResults: 4,
      ...page(token === undefined ? 't' : undefined, 'A', 'B'),
    }),
  };
  const waiting = async (ms: number, reason: Wait['reason']) =>
    (await run({ ...given, wait: (call) => (call === 2 ? { ms, reason } : undefined) })).reports[1];
  const so = '2 of about 4 items, 1 more call; waits';
  const counted = { done: 2, total: 4 };
  expect(await waiting(15_000, 'rate limit')).toEqual({
    message: `${so} 15 s for the service's limit`,
    ...counted,
    leftMs: 15_000,
  });
  expect(await waiting(2_000, 'queue')).toMatchObject({ leftMs: 10_000 });
  expect(await waiting(5_000, 'retry')).toMatchObject({
    message: `${so} 5 s for the service to recover`,
    leftMs: 10_000,
  });
  const { reports } = await run({
    answer: () => page(undefined, 'A'),
    wait: () => ({ ms: 5_000, reason: 'queue' }),
  });
  // How long all of it takes is not known before the first page.
  expect(reports[0]).toEqual({
    message: "0 items (0 pages); waits 5 s for the service's limit",
    done: 0,
    isAtLeast: true,
    leftMs: 5_000,
  });
});

it('what a search gives at most is what is left of it', async () => {
  const answer = (token: unknown) => {
    const from = Number(token ?? 0);
    const skus = Array.from({ length: 500 }, (_, i) => `S${from + i}`);
    return { numberOfResults: 2_000, ...page(from < 500 ? '500' : undefined, ...skus) };
  };
  const { reports, value } = await run({ operation: { id: 'listings-items/searchListingsItems' }, answer });
  expect(reports.map(({ message, total }) => [message, total])).toEqual([
    ['500 of about 1,000 items, 1 more call', 1_000],
    ['1,000 of about 1,000 items', 1_000],
  ]);
  expect(value?.notes).toEqual([
    'The service gives at most 1,000 of a search, and counts 2,000: for all of them use review_listings, collect the report GET_MERCHANT_LISTINGS_ALL_DATA, or narrow the search.',
  ]);
});

/** A service that holds items in pages, some of them empty, and may go wrong at one of them. */
const service = fc.record({
  pages: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 12 }),
  hasKeys: fc.boolean(),
  isCounted: fc.boolean(),
  fault: fc.constantFrom('none', 'circle', 'endless', 'same token', 'refused', 'broken', 'once refused'),
  faultAt: fc.nat({ max: 11 }),
});

it('every item of a generated service once, or told as not all with the reason', async () => {
  await fc.assert(
    fc.asyncProperty(service, async ({ pages, hasKeys, isCounted, fault, faultAt }) => {
      let next = 0;
      const all = pages.map((size) => Array.from({ length: size }, () => `S${next++}`));
      const at = Math.min(faultAt, all.length - 1);
      let refusals = fault === 'once refused' ? 1 : Number.POSITIVE_INFINITY;
      const paging = hasKeys ? BY_TOKEN : WITHOUT_KEY;
      const answer = (token: unknown, call: number) => {
        const number = token === undefined ? 0 : Number(String(token).split('.')[0]);
        const isFault = number === at && token !== undefined;
        if (isFault && fault === 'broken') return new ApiError({ status: 500 }, 'It broke.');
        if (isFault && /refused/.test(fault) && refusals-- > 0) return refusedToken();
        const last = number === all.length - 1 ? undefined : `${number + 1}`;
        const wrong = { circle: '0', endless: `${number}.${call}`, 'same token': `${number}` };
        const there =
          number === at && fault in wrong
            ? Object.entries(wrong).find(([name]) => name === fault)
            : undefined;
        const total = isCounted ? { totalCount: next } : {};
        return { ...total, ...page(there?.[1] ?? last, ...(all[number] ?? [])) };
      };
      const { value, error, loaders, inputs } = await run({ paging, answer });
      const found = loaders.items('things') ?? [];
      expect(found).toEqual([...new Map(found.map((item) => [JSON.stringify(item), item])).values()]);
      expect(inputs.length).toBeLessThan(150);
      if (value?.complete === true) expect(found).toEqual(items(...all.flat()));
      else if (value !== undefined) expect(value.notes).not.toEqual([]);
      // The first page failed, so there are no rows.
      else expect([error instanceof ApiError, found]).toEqual([true, []]);
    }),
    { numRuns: 150 },
  );
});
