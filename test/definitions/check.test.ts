/** The check of definitions: right figures on made-up files, and it fails where the program would be wrong. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RecordedRequest } from '../../sandbox/sandbox.ts';
import { openJudge } from '../../scripts/check-definitions/judge.ts';
import { type CaseContext, runCase } from '../../scripts/check-definitions/run-case.ts';
import { checkDefinitions } from '../../scripts/check-definitions.ts';
import { type ListedCase, listReplayCases } from '../../src/definitions/cases/replay-cases.ts';
import { buildUserOperations } from '../../src/definitions/store/user-operations.ts';
import { type CallOutcome, connect, type Session } from '../helpers/sessions.ts';
import { compile, makeFolder } from './helpers.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

test('made-up files: every case is replayed, refused, or listed as unusable with its reason', {
  timeout: 60_000,
}, async () => {
  const { ok, lines } = await checkDefinitions(FIXTURES, { all: true });
  const text = lines.join('\n');
  expect(text).toMatch(/parcels +24 +13 +9 +0 +2\n/);
  expect(text).toContain('example answers: 4 came back whole, 0 failed, 0 not called');
  expect(text).toContain('unusable  parcels: createParcel POST 400 #5: it is not an object');
  expect(text).toContain('refused  parcels: createParcel POST 400 #3: body.inner.unit');
  expect(text).toContain('refused  parcels: listParcels GET 400 #4: colour');
  expect(ok).toBe(true);
});

test('a folder that cannot be added fails', async () => {
  expect(await checkDefinitions(makeFolder())).toMatchObject({
    ok: false,
    lines: [expect.stringContaining('holds no .json')],
  });
});

async function listed(id: string): Promise<{ one: ListedCase; all: ListedCase[] }> {
  const file = await compile(readFileSync(join(FIXTURES, 'parcels.json'), 'utf8'), 'parcels.json');
  const all = listReplayCases([file], buildUserOperations([file]));
  const one = all.find(({ declared }) => declared.id === id);
  if (one === undefined) throw new Error(`the fixture has no ${id}`);
  return { one, all };
}

test('the judge names the members that the file itself forbids', async () => {
  const judge = await openJudge(join(FIXTURES, 'parcels.json'));
  const forbidden = async (id: string) => judge.judge((await listed(id)).one).forbidden;
  expect(await forbidden('listParcels GET 200 #0')).toEqual([]);
  expect(await forbidden('listParcels GET 400 #0')).toEqual(['states']);
  expect(await forbidden('listParcels GET 400 #1')).toEqual(['states.0']);
  expect(await forbidden('listParcels GET 400 #3')).toEqual(['limit']);
  expect(await forbidden('createParcel POST 400 #0')).toEqual(['body']);
  expect(await forbidden('createParcel POST 400 #1')).toEqual(['body.value', 'body.unit']);
  expect(await forbidden('createParcel POST 400 #2')).toEqual(['body.value']);
});

describe('a program that is wrong', () => {
  /** The parts of a session that none of the cases below gets to use. */
  let closed: Session;
  beforeAll(async () => {
    closed = await connect();
    await closed.close();
  });

  const arrived: RecordedRequest = {
    method: 'GET',
    path: '/depot/v2/parcels',
    query: { states: ['NEW,SENT'], tags: ['a b', 'c&d'], limit: ['2'], open: ['true'] },
    headers: {},
    body: undefined,
    operation: 'listParcels',
    caseId: 'parcels: listParcels GET 200 #0',
    status: 200,
  };
  const value = {
    parcels: [
      { id: 'P/1', weight: 1.5, note: 'Übergröße\nzwei Zeilen' },
      { id: 'P2', lines: [] },
    ],
    next: null,
  };
  const right: CallOutcome = { isError: false, text: 'x', structured: { status: 200, value }, links: [] };

  async function outcomeOf(
    id: string,
    outcome: CallOutcome,
    requests: readonly RecordedRequest[],
    forbidden: string[] = [],
  ) {
    const { one, all } = await listed(id);
    const session = { ...closed, call: async () => outcome };
    const answers = [[], [...requests]];
    const context: CaseContext = {
      session,
      arrivals: () => answers.shift() ?? [],
      find: (caseId) => all.find(({ replayed }) => replayed.id === caseId),
      budget: 1000,
    };
    const result = await runCase(context, one, { forbidden, doubtful: [] });
    return result.kind === 'failed' ? result.problems.join('; ') : result.kind;
  }

  const first = 'listParcels GET 200 #0';
  const refused: CallOutcome = { isError: true, text: '- states: is required', structured: {}, links: [] };

  test('what is right passes', async () => {
    expect(await outcomeOf(first, right, [arrived])).toBe('passed');
    expect(await outcomeOf('listParcels GET 400 #0', refused, [], ['states'])).toBe('refused');
  });

  test.each([
    ['another method', { method: 'POST' }, /method is "POST"/],
    ['another path', { path: '/depot/v2/parcels/' }, /path is/],
    ['a parameter lost', { query: { states: ['NEW,SENT'] } }, /query is/],
    ['a parameter too many', { query: { ...arrived.query, x: ['1'] } }, /query is/],
    ['a list joined otherwise', { query: { ...arrived.query, tags: ['a b,c&d'] } }, /query is/],
    ['a body', { body: {} }, /body is/],
    ['no case that fits', { caseId: undefined }, /no declared case fits/],
    ['the answer of another case', { caseId: 'parcels: listParcels GET 503 #0' }, /was answered by/],
  ])('request: %s', async (_, change, message) => {
    expect(await outcomeOf(first, right, [{ ...arrived, ...change }])).toMatch(message);
  });

  test.each([
    [
      'a member lost',
      { structured: { status: 200, value: { ...value, next: undefined } } },
      /the answer differs/,
    ],
    ['a value changed', { structured: { status: 200, value: { ...value, next: 1 } } }, /the answer differs/],
    ['another status', { structured: { status: 201, value } }, /status 201, declared 200/],
    ['an error', { isError: true, text: 'broken' }, /came back as an error: broken/],
    ['over the budget', { text: 'x'.repeat(3001) }, /text takes 1001 tokens of 1000/],
  ])('answer: %s', async (_, change, message) => {
    expect(await outcomeOf(first, { ...right, ...change }, [arrived])).toMatch(message);
  });

  test('sent twice, never sent, sent or accepted although forbidden, refused without the member’s name', async () => {
    expect(await outcomeOf(first, right, [arrived, arrived])).toMatch(/arrived 2 times/);
    expect(await outcomeOf(first, refused, [])).toMatch(/nothing arrived at the service/);
    expect(await outcomeOf('listParcels GET 400 #0', refused, [arrived], ['states'])).toMatch(
      /was sent although the definition forbids/,
    );
    expect(await outcomeOf('listParcels GET 400 #0', right, [], ['states'])).toMatch(/was not refused/);
    expect(await outcomeOf('listParcels GET 400 #0', { ...refused, text: 'no' }, [], ['states'])).toMatch(
      /names none of states/,
    );
  });

  test('a declared error that is not told', async () => {
    const id = 'listParcels GET 503 #0';
    const request = {
      ...arrived,
      query: { states: ['NEW'], limit: ['50'] },
      caseId: `parcels: ${id}`,
      status: 503,
    };
    const told = { ...refused, text: 'listParcels: 503 Service Unavailable: Busy: come again' };
    expect(await outcomeOf(id, told, [request])).toBe('passed');
    expect(await outcomeOf(id, { ...told, text: '503 Service Unavailable' }, [request])).toMatch(
      /does not contain "Busy"/,
    );
    expect(await outcomeOf(id, right, [request])).toMatch(/503 did not come back as an error/);
  });
});

test('--sandbox answers operations that have declared cases or examples', { timeout: 30_000 }, async () => {
  const dataDir = makeFolder();
  const { runProgram } = await import('../helpers/run-program.ts');
  expect((await runProgram(['definitions', 'add', FIXTURES, `--data-dir=${dataDir}`])).code).toBe(0);
  const session = await connect({
    args: ['--sandbox', '--writes=allow', `--data-dir=${dataDir}`, `--state-dir=${dataDir}`],
  });
  try {
    const read = (operation: string, parameters: object) =>
      session.call('read_operation', { operation, parameters });
    expect((await read('listParcels', { states: ['SENT'] })).structured.value).toEqual({ parcels: [1] });
    expect((await read('market-stalls/stalls.get-one', { row: 9, place: 'b' })).structured.value).toEqual({
      row: 1,
      goods: [],
    });
    expect((await read('listParcels', { states: ['NEW', 'NEW'] })).text).toMatch(
      /None of the .* declared cases of listParcels/,
    );
    // The sandbox's own operations answer as before.
    expect((await read('sellers/getMarketplaceParticipations', {})).isError).toBe(false);
    const body = { value: 5, unit: 'kg' };
    expect(
      (await session.call('write_operation', { operation: 'createParcel', body })).structured,
    ).toMatchObject({ status: 201, value: { id: 1 } });
  } finally {
    await session.close();
  }
});
