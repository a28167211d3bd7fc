/** What keeps the values before a write is told before it is sent, and how it ended after. */

import { describe, expect, it } from 'vitest';
import { ApiError, ConfigError, NetworkError } from '../../../src/base/errors.ts';
import type { Keep } from '../../../src/write/keep/history/values.ts';
import { buildWrite, openGuard, runWrite } from '../run/open-guard.ts';

function keeper(more: Partial<Keep> = {}) {
  const told: string[] = [];
  const keep: Keep = {
    begin: async (id) => void told.push(`begin ${id}`),
    end: async (id, outcome) => {
      told.push(`end ${id} ${outcome}`);
      return undefined;
    },
    ...more,
  };
  return { keep, told };
}

describe('a write that is kept', () => {
  it('is kept under the id of the journal before it is sent, and ended after', async () => {
    const { keep, told } = keeper({ what: 'a -> b', batch: 'b-1', undoes: 'w-0' });
    const { guard, sent, entries } = await openGuard('allow');
    const begin = keep.begin;
    keep.begin = async (id) => {
      expect(sent).toEqual([]);
      await begin(id);
    };
    await runWrite(guard, buildWrite({ keep }));
    expect(told).toEqual(['begin w-1', 'end w-1 done']);
    expect(await entries()).toMatchObject([{ what: 'a -> b', batch: 'b-1', undoes: 'w-0' }]);
  });

  it('is not sent where it cannot be kept, which the journal tells as refused', async () => {
    const { keep, told } = keeper({ begin: () => Promise.reject(new ConfigError('The disk is full.')) });
    const { guard, sent, entries } = await openGuard('allow');
    await expect(runWrite(guard, buildWrite({ keep }))).rejects.toThrow('The disk is full.');
    expect(sent).toEqual([]);
    expect(told).toEqual([]);
    expect(await entries()).toMatchObject([{ outcome: 'refused', error: 'The disk is full.' }]);
  });

  it.each([
    ['failed', () => new ApiError({ status: 400 }, 'no')],
    ['unknown', () => new NetworkError('ECONNRESET', 'unknown', 'reset', 'Wait.')],
  ])('ends as %s where it failed so', async (outcome, error) => {
    const { keep, told } = keeper();
    const { guard } = await openGuard('allow', () => Promise.reject(error()));
    await expect(runWrite(guard, buildWrite({ keep }))).rejects.toThrow();
    expect(told).toEqual(['begin w-1', `end w-1 ${outcome}`]);
  });

  it('is told with the problem where its outcome could not be kept', async () => {
    const { keep } = keeper({ end: async () => new ConfigError('The disk is full by now.') });
    const { guard } = await openGuard('allow');
    expect(await runWrite(guard, buildWrite({ keep }))).toMatchObject({
      outcome: 'done',
      journalProblem: 'The disk is full by now.',
    });
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
