/** Unfinished lists are told once for each account, with the first answer that has room for them, and cost no answer anything else. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import { identityDigest, identityOf } from '../../../../src/accounts/owner.ts';
import { addUnfinished } from '../../../../src/write/render/batch/unfinished.ts';
import type { BatchInfo } from '../../../../src/write/run/batches/summary.ts';
import { startToolRunner, type ToolRunner } from '../../../helpers/tool-runner.ts';

let runner: ToolRunner;
beforeEach(async () => {
  runner = await startToolRunner(() => ({ body: {} }), { SELLER_ANSWER_TOKENS: '2000' });
});
afterEach(() => runner.close());

/** @param account whose list is on the disk */
async function withList(account = 'default') {
  const { session } = runner;
  const batches = await session.batches();
  const list = {
    id: 'b1b2c3d4',
    account,
    tool: 'change_listings',
    words: '12 listings',
    state: 'unfinished',
    total: 12,
    counts: { pending: 5 },
    createdAt: session.program.now(),
    until: session.program.now() + 60_000,
  } as unknown as BatchInfo;
  const asked: unknown[] = [];
  batches.list = async () => [list];
  batches.unfinished = async (...parts) => {
    asked.push(parts);
    return [list];
  };
  return asked;
}
const ANSWER = { text: 'the answer', structured: { note: 'n' }, links: [] };
const TOLD = expect.stringMatching(
  /^Unfinished: 12 listings \(change_listings, batch b1b2c3d4, .* 7 of 12 done\./,
);

it('the first answer says it, in both forms, and no other one', async () => {
  const asked = await withList();
  const { session } = runner;
  const first = await addUnfinished({}, ANSWER, session);
  expect(first.structured).toEqual({ note: 'n', unfinished: [TOLD] });
  expect(first.text.split('\n')).toEqual(['the answer', TOLD]);
  const owner = identityDigest(identityOf(await (await session.accounts()).profile('default')));
  expect(asked).toEqual([['default', owner]]);
  expect(await addUnfinished({ account: 'default' }, ANSWER, session)).toBe(ANSWER);
});

it('lists of another account are nothing of it, and nobody is asked whose it is', async () => {
  const asked = await withList('other');
  expect(await addUnfinished({}, ANSWER, runner.session)).toBe(ANSWER);
  expect(asked).toEqual([]);
  // That there is none is known from then on.
  await withList();
  expect(await addUnfinished({}, ANSWER, runner.session)).toBe(ANSWER);
});

it('an answer that tells them already is left as it is', async () => {
  const asked = await withList();
  const own = { ...ANSWER, structured: { unfinished: ['own words'] } };
  expect(await addUnfinished({}, own, runner.session)).toBe(own);
  expect(asked).toEqual([]);
  expect(await addUnfinished({}, ANSWER, runner.session)).toBe(ANSWER);
});

it('where the answer has no room in one of its forms, the next one says it', async () => {
  await withList();
  const { session } = runner;
  const long = 'word '.repeat(1_990);
  for (const full of [
    { ...ANSWER, text: long },
    { ...ANSWER, structured: { long } },
  ])
    expect(await addUnfinished({}, full, session)).toBe(full);
  expect((await addUnfinished({}, ANSWER, session)).structured).toHaveProperty('unfinished', [TOLD]);
});

it('a failure of it leaves the answer as it is', async () => {
  const batches = await runner.session.batches();
  batches.list = async () => {
    throw new Error('the disk');
  };
  expect(await addUnfinished({}, ANSWER, runner.session)).toBe(ANSWER);
});
