/** A code alone is the call that it was given for, the id of a list that list, the handle of a page that page, and anything else nothing. */

import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { ConfigError } from '../../src/base/errors.ts';
import type { ClientUser } from '../../src/render/client-user.ts';
import { invokeWithConfirmation } from '../../src/write/confirmed-call.ts';
import { nobody, startToolRunner, toolContext } from '../helpers/tool-runner.ts';

const runner = await startToolRunner(() => ({ body: {} }));
afterAll(() => runner.close());

const id = fc.stringMatching(/^[0-9a-f]{8}$/);
const beside = fc.stringMatching(/^[A-Z0-9a-f-]{0,6}$/);

it('the id of a list is taken for one where it stands alone', async () => {
  const called: unknown[] = [];
  const call = (confirmationCode: string) =>
    invokeWithConfirmation(
      'change_listings',
      { confirmationCode },
      toolContext(runner.session),
      async (args) => {
        called.push(args);
        return { text: '', structured: {} };
      },
    );
  await fc.assert(
    fc.asyncProperty(beside, id, beside, async (before, list, after) => {
      const isId = before + after === '';
      const why = isId ? `There is no list ${list} of change_listings` : 'this confirmation code stands for';
      await expect(call(before + list + after)).rejects.toThrow(why);
    }),
    { examples: [['', '0a0b0c0d', '']], numRuns: 50 },
  );
  expect(called).toEqual([]);
});

/** Opens a session without earlier questions, replacing what the call looks at. */
function open(writes: () => string = () => 'code', where: Partial<ClientUser> = {}, page?: object) {
  const seen = { called: [] as unknown[], pages: [] as string[], accounts: [] as unknown[] };
  const { session } = runner;
  const ctx = toolContext({
    ...session,
    settings: () => ({ ...session.settings(), writes: writes() }) as never,
    accountOf: (named) => {
      seen.accounts.push(named);
      return named === 'fr' ? named : session.accountOf(undefined);
    },
    yesPages: (async () => ({
      find: (handle: string) => {
        seen.pages.push(handle);
        return page;
      },
      findCall: () => void seen.pages.push('the call'),
    })) as never,
  });
  const person = { ...nobody, ...where };
  const call = (args: unknown, tool = 'change_listings', structured = {}) =>
    invokeWithConfirmation(tool, args, { ...ctx, person }, async (given) => {
      seen.called.push(given);
      return { text: '', structured };
    });
  return { seen, call };
}

it('is the call whose answer held it, with or without the same arguments, and no other tool’s; what says something else is handed on, for the guard to refuse', async () => {
  const { seen, call } = open();
  const args = { account: 'de', items: [1] };
  await call(args, 'change_listings', { confirmation_code: 'abcd-efgh' });
  await call({ account: 'de', confirmationCode: 'abcd-efgh' });
  await call({ ...args, stop: false, dryRun: false, save_as: undefined, confirmationCode: 'ABCD-EFGH' });
  await call({ confirmationCode: 7 });
  await call('text', 'change_listings', { confirmation_code: 'kmnp-qrst' });
  await call(args, 'change_listings', { confirmation_code: 5 });
  expect(seen.called).toEqual([
    args,
    { ...args, confirmationCode: 'abcd-efgh' },
    { ...args, confirmationCode: 'ABCD-EFGH' },
    { confirmationCode: 7 },
    'text',
    args,
  ]);
  for (const other of [{ account: 'fr' }, { stop: true }, { dryRun: true }, { items: [2] }, { query: 'x' }]) {
    await call({ ...other, confirmationCode: 'abcd-efgh' });
    expect(seen.called.pop()).toEqual({ ...args, ...other, confirmationCode: 'abcd-efgh' });
  }
  await expect(call({ confirmationCode: 'abcd-efgh' }, 'update_stores')).rejects.toThrow('is not known here');
  await expect(call({ confirmationCode: 'kmnp-qrst' })).rejects.toThrow('is not known here');
  await expect(call({ confirmationCode: '5' })).rejects.toThrow('is not known here');
  expect(seen.called).toHaveLength(6);
});

it.each<[string, boolean, boolean, boolean]>([
  ['page', false, false, true],
  ['page', true, true, true],
  ['ask', true, false, true],
  ['ask', false, true, true],
  ['ask', false, false, false],
  ['allow', true, false, true],
  ['allow', false, true, true],
  ['allow', false, false, false],
  ['code', true, true, false],
  ['deny', true, true, false],
])(
  'with writes: %s, a host that opens pages: %s, on this computer: %s, a page answers for the call: %s',
  async (writes, canOpenPage, isHere, isAtPage) => {
    const { seen, call } = open(() => writes, { canOpenPage, isHere });
    await call({ items: [1] });
    expect(seen.pages).toEqual(isAtPage ? ['the call'] : []);
    expect(seen.called).toEqual([{ items: [1] }]);
  },
);

it('with settings that are wrong, it is the call that says so', async () => {
  const { seen, call } = open(
    () => {
      throw new ConfigError('wrong', '');
    },
    { canOpenPage: true },
  );
  await call({ items: [1] });
  expect([seen.pages, seen.called]).toEqual([[], [{ items: [1] }]]);
});

it('the handle of a page is looked for among the pages, and nothing like it is', async () => {
  const { seen, call } = open();
  for (const stop of [undefined, true])
    await expect(call({ confirmationCode: 'page-0a0b0c0d', stop })).rejects.toThrow('No page page-0a0b0c0d');
  for (const other of ['page-0a0b0c0', 'page-0a0b0c0dd', 'xpage-0a0b0c0d', 'page-0a0b0c0x'])
    await expect(call({ confirmationCode: other })).rejects.toThrow('is not known here');
  expect(seen.pages).toEqual(['page-0a0b0c0d', 'page-0a0b0c0d']);
});

it('the id of a list is looked for in the account that is named', async () => {
  const { seen, call } = open();
  for (const account of ['shop', undefined, 5])
    await expect(call({ account, confirmationCode: '0a0b0c0d' })).rejects.toThrow(
      'There is no list 0a0b0c0d',
    );
  expect(seen.accounts).toEqual(['shop', undefined, undefined]);
});

it('with stop, the page that it is the handle of is closed, and without it only told', async () => {
  let closed = 0;
  const asked = { account: 'default', operation: 'x/y' };
  const options = { tool: 'change_listings', asked };
  const close = () => {
    closed += 1;
  };
  const page = { options, standing: 'waiting', settled: Promise.resolve(), close };
  const { call } = open(undefined, {}, page);
  const confirmationCode = 'page-0a0b0c0d';
  expect((await call({ confirmationCode })).structured.outcome).toBe('waiting');
  expect(closed).toBe(0);
  expect((await call({ confirmationCode, stop: true })).structured.outcome).toBe('stopped');
  expect(closed).toBe(1);
});
