/**
 * Tests that a failed write is reported as the worst that may have happened, with how to find out and repeat
 * it only once.
 */

import { expect, it } from 'vitest';
import {
  ApiError,
  CancelledError,
  InputError,
  NetworkError,
  RateLimitError,
  TimeoutError,
} from '../../../src/base/errors.ts';
import { ServiceText } from '../../../src/base/text/service-text.ts';
import type { Operation } from '../../../src/service/facts/operation.ts';
import type { ReadBack } from '../../../src/write/model/change.ts';
import { describeReadBackOutcome, failureOutcome } from '../../../src/write/run/failure.ts';

const api = (status: number, mayHaveBeenApplied: boolean) =>
  new ApiError({ status, mayHaveBeenApplied, requestId: new ServiceText('r-1') }, 'said no');

it.each<[string, unknown, 'unknown' | 'failed']>([
  ['a crash of ours', new TypeError('x'), 'unknown'],
  ['what is no error', 'x', 'unknown'],
  ['a lost answer', new NetworkError('ECONNRESET', 'unknown', 'x'), 'unknown'],
  ['a connection that was never made', new NetworkError('ECONNREFUSED', 'not-sent', 'x'), 'failed'],
  ['a time limit after it was sent', new TimeoutError(5, 'unknown', 'x'), 'unknown'],
  ['a time limit before it was', new TimeoutError(5, 'not-sent', 'x'), 'failed'],
  ['a failure of the service', api(500, true), 'unknown'],
  ['a refusal', api(400, false), 'failed'],
  [
    'a limit after a doubtful attempt',
    new RateLimitError(5, 'x', '', { mayHaveBeenApplied: true }),
    'unknown',
  ],
  ['a limit', new RateLimitError(5, 'x'), 'failed'],
  ['a call that was cancelled while it was under way', new CancelledError('x', '', 'unknown'), 'unknown'],
  ['a wrong argument', new InputError('x'), 'failed'],
])('after %s: %s', (_what, error, outcome) => {
  expect(failureOutcome(error).outcome).toBe(outcome);
});

it('it keeps the words, the status, the id of the request, and the key that was sent', () => {
  expect(failureOutcome(api(409, false), 'mine')).toEqual({
    outcome: 'failed',
    error: 'said no',
    status: 409,
    requestId: 'r-1',
    idempotencyKey: 'mine',
  });
  const keyed = new InputError('wrong');
  keyed.idempotencyKey = 'its own';
  expect(failureOutcome(keyed, 'mine')).toEqual({
    outcome: 'failed',
    error: 'wrong',
    idempotencyKey: 'its own',
  });
  expect(failureOutcome('odd')).toEqual({ outcome: 'unknown', error: 'odd', idempotencyKey: undefined });
});

const difference = { path: 'a', segments: ['a'], kind: 'changed' as const };
const operationOf = (idempotencyKey?: Operation['idempotencyKey']) => ({ idempotencyKey }) as Operation;
const lost = new NetworkError('ECONNRESET', 'unknown', 'x');

it.each<[string, ReadBack | undefined, Error, string]>([
  ['nothing was read', undefined, lost, 'Read the current state before repeating it.'],
  [
    'it could not be read',
    { differences: [], notYet: [], problem: new Error('x') },
    lost,
    'It could not be read back now: read it before repeating the write.',
  ],
  [
    'it is as it was sent',
    { differences: [], notYet: [] },
    lost,
    'Read back now: the service has exactly what was sent, so the write was applied. Do not repeat it.',
  ],
  [
    'it differs, and the service has answered',
    { differences: [difference], notYet: [difference] },
    api(500, true),
    'Read back now: members that differ from what was sent: 2, so the write was probably not applied.',
  ],
  [
    'it differs, and it may be on its way',
    { differences: [], notYet: [difference] },
    lost,
    'Read back now: members that differ from what was sent: 1. The write was not applied so far, but may still be on its way: read it once more before repeating it.',
  ],
])('where %s', (_what, readBack, error, words) => {
  if (!(error instanceof NetworkError || error instanceof ApiError)) throw error;
  expect(describeReadBackOutcome(error, readBack, operationOf(), 'k')).toBe(words);
  expect(
    describeReadBackOutcome(error, readBack, operationOf({ in: 'header', name: 'x-key' }), undefined),
  ).toBe(words);
  const again = 'To repeat it so that it happens once only, send the same with';
  expect(describeReadBackOutcome(error, readBack, operationOf({ in: 'header', name: 'x-key' }), 'k-1')).toBe(
    `${words} ${again} the parameter x-key set to "k-1".`,
  );
  expect(describeReadBackOutcome(error, readBack, operationOf({ in: 'body', name: 'key' }), 'k-1')).toBe(
    `${words} ${again} key in the body set to "k-1".`,
  );
});
