/** Tests the validation by the service: asked where possible, reported as what it is, at the cost of no write. */

import { describe, expect, it } from 'vitest';
import {
  type AppError,
  CancelledError,
  InputError,
  RateLimitError,
  TimeoutError,
} from '../../../src/base/errors.ts';
import type { CallInput, CallOptions, Client } from '../../../src/call/client-types.ts';
import type { Operation } from '../../../src/service/facts/operation.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import {
  formatChecked,
  uncheckedReason,
  validateWrite,
} from '../../../src/write/approval/write-validation.ts';

const PATCH = (await loadRegistry()).find('listings-items/patchListingsItem');

async function ask(
  answer: unknown,
  {
    operation = PATCH,
    parameters = {} as object,
    call = {} as CallOptions,
    mostMs = undefined as number | undefined,
  } = {},
) {
  const calls: [CallInput, CallOptions | undefined][] = [];
  const client = {
    async call(input: CallInput, options?: CallOptions) {
      calls.push([input, options]);
      if (answer instanceof Error) throw answer;
      return { status: 200, headers: {}, body: answer, bytes: 1, filledIn: {}, owner: {} };
    },
  } as unknown as Client;
  const input = { operation, account: 'default', parameters: { sku: 'S1', ...parameters }, body: { a: 1 } };
  // The input holds no personal data.
  const view = { seen: async () => undefined, judged: <One>(judged: One) => judged };
  const asked = validateWrite(client, { input, view }, call, mostMs);
  const found = await asked.then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  return { ...found, calls };
}

it('the same is asked in the mode that changes nothing, within its time', async () => {
  const { value, calls } = await ask({ status: 'VALID', sku: 'S1', submissionId: 's', issues: [] });
  expect(calls).toHaveLength(1);
  expect(calls[0]?.[0]).toMatchObject({
    parameters: { sku: 'S1', mode: 'VALIDATION_PREVIEW' },
    body: { a: 1 },
    account: 'default',
  });
  expect(calls[0]?.[1]).toEqual({ timeoutMs: 15_000 });
  expect(value).toMatchObject({ mode: 'VALIDATION_PREVIEW', verdict: { outcome: 'accepted' } });
  expect((await ask({}, { mostMs: 3_000, call: { deadline: 7 } })).calls[0]?.[1]).toEqual({
    deadline: 7,
    timeoutMs: 3_000,
  });
});

it('nothing is asked where there is no such mode, or the call names one itself', async () => {
  const without: Operation = { ...PATCH, previewMode: undefined };
  for (const given of [{ operation: without }, { parameters: { mode: 'X' } }])
    expect(await ask({}, given)).toEqual({ value: undefined, error: undefined, calls: [] });
});

it('a failure is told and hinders nothing; a call that was cancelled ends, and a fault of ours shows', async () => {
  const problem = new InputError('no');
  expect((await ask(problem)).value).toEqual({ mode: 'VALIDATION_PREVIEW', problem });
  const gone = new CancelledError('gone');
  expect((await ask(gone, { call: { signal: AbortSignal.abort() } })).error).toBe(gone);
  const fault = new TypeError('x');
  expect((await ask(fault)).error).toBe(fault);
});

describe('in words', () => {
  it.each([
    [{ tried: 0, of: 3, refused: 0 }, 'Not checked by the service (0 of 3)'],
    [{ tried: 1, of: 1, refused: 0 }, 'Checked by the service (1 of 1): it would accept it'],
    [{ tried: 1, of: 1, refused: 1 }, 'Checked by the service (1 of 1): it would NOT accept it'],
    [
      { tried: 3, of: 12, refused: 0 },
      'Checked by the service (3 of 12, the rest not checked): it would accept these',
    ],
    [
      { tried: 3, of: 12, refused: 2 },
      'Checked by the service (3 of 12, the rest not checked): it would NOT accept 2 of these',
    ],
  ])('%j', (counts, words) => {
    expect(formatChecked(counts)).toBe(words);
  });

  it.each<[AppError, string]>([
    [new TimeoutError(5, 'unknown', 'late'), 'there was no answer in time'],
    [new RateLimitError(5, 'limit'), 'there was no answer in time'],
    [new InputError('wrong'), 'wrong'],
  ])('why it was not checked: %s', (problem, words) => {
    expect(uncheckedReason(problem)).toContain(words);
  });
});
