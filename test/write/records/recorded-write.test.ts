/** The journal has the values before a write before it is sent, and how it ended after. */

import { describe, expect, it } from 'vitest';
import { ApiError, ConfigError, NetworkError } from '../../../src/base/errors.ts';
import { ANSWER, buildWrite, openGuard, runWrite } from '../run/open-guard.ts';

const values = {
  parameters: { supplySourceId: 's' },
  members: [{ segments: ['alias'], before: 'a', after: 'b' }],
};
const undo = { values, isPersonal: false };

describe('a write that can be undone', () => {
  it('is in the journal with its values before it is sent, and ended after', async () => {
    const atSending: unknown[] = [];
    const { guard, journal } = await openGuard('allow', async () => {
      for (const { open, ...entry } of await journal.list()) atSending.push(entry.outcome, await open());
      return ANSWER;
    });
    const facts = { what: 'a -> b', batch: 'b-1', undoes: 'w-0' };
    await runWrite(guard, buildWrite({ facts, undo }));
    expect(atSending).toEqual(['unknown', values]);
    expect(await journal.list()).toMatchObject([{ ...facts, id: 'w-1', outcome: 'done' }]);
  });

  it('is not sent where the values cannot be kept, which the journal tells as refused', async () => {
    const { guard, sent, entries } = await openGuard('allow', undefined, undefined, {
      sealer: () => Promise.reject(new ConfigError('The keychain is gone.')),
    });
    await expect(runWrite(guard, buildWrite({ undo }))).rejects.toThrow('The keychain is gone.');
    expect(sent).toEqual([]);
    expect(await entries()).toMatchObject([{ outcome: 'refused', error: 'The keychain is gone.' }]);
  });

  it.each([
    ['failed', () => new ApiError({ status: 400 }, 'no')],
    ['unknown', () => new NetworkError('ECONNRESET', 'unknown', 'reset', 'Wait.')],
  ])('ends as %s where it failed so', async (outcome, error) => {
    const { guard, journal } = await openGuard('allow', () => Promise.reject(error()));
    await expect(runWrite(guard, buildWrite({ undo }))).rejects.toThrow();
    expect(await journal.list()).toMatchObject([{ outcome }]);
  });

  it('has the members as they were read back, and tells the caller none of them', async () => {
    const { guard, journal } = await openGuard('allow');
    const readBack = async () => ({ differences: [], notYet: [], found: [{ found: 'as it was read' }] });
    const result = await runWrite(guard, buildWrite({ undo, readBack }));
    expect(result).toMatchObject({ readBack: { differences: [], notYet: [] } });
    expect('readBack' in result && Object.keys(result.readBack ?? {})).toEqual(['differences', 'notYet']);
    const [entry] = await journal.list();
    expect((await entry?.open())?.found).toEqual(['as it was read']);
  });
});

it('what must be asked is, also where every write is allowed', async () => {
  const { guard, sent } = await openGuard('allow');
  const first = await runWrite(guard, buildWrite({ mustAsk: true }));
  expect(first.outcome).toBe('needs_confirmation');
  expect(sent).toEqual([]);
  const code = 'code' in first ? first.code : '';
  const done = await runWrite(guard, buildWrite({ mustAsk: true, confirmationCode: code }));
  expect(done.outcome).toBe('done');
});
