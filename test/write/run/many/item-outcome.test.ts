/** Which failures of an item are final, which are sent again, and which end the list for now. */

import { expect, it } from 'vitest';
import {
  ApiError,
  CancelledError,
  ConfigError,
  CredentialError,
  InputError,
  NetworkError,
  RateLimitError,
  TimeoutError,
  WriteRefusedError,
} from '../../../../src/base/errors.ts';
import { BatchEndedError } from '../../../../src/write/run/batches/types.ts';
import { outcomeOfError } from '../../../../src/write/run/many/item-outcome.ts';

const masking = { maskText: (text: string) => text.replace('Ada', '«buyer name 1»') };

it.each([
  ['429 of the service', new ApiError({ status: 429 }, 'slow down'), { kind: 'later', afterMs: 5_000 }],
  ['no place under the limit', new RateLimitError(7_000, 'later'), { kind: 'later', afterMs: 7_000 }],
  ['no way to the service', new NetworkError('ECONNREFUSED', 'not-sent', 'no'), { kind: 'later' }],
  ['time that passed while waiting', new TimeoutError(1, 'not-sent', 'no'), { kind: 'later' }],
  ['the end of the session', new CancelledError('ended'), { kind: 'later' }],
  ['no credentials', new CredentialError('refused', 'no'), { kind: 'later', endsRun: true }],
  ['writes that were switched off', new WriteRefusedError('off'), { kind: 'later', endsRun: true }],
  ['a disk that takes nothing', new ConfigError('full'), { kind: 'later', endsRun: true }],
  ['another process that has it', new BatchEndedError('gone'), { kind: 'later', endsRun: true }],
  ['a reset after it had left', new NetworkError('ECONNRESET', 'unknown', 'reset'), { kind: 'unknown' }],
  [
    'a refusal',
    new ApiError({ status: 400 }, 'price of Ada'),
    { kind: 'not_accepted', why: 'price of «buyer name 1»' },
  ],
  ['a failure of the service', new ApiError({ status: 500 }, 'oops'), { kind: 'failed' }],
  [
    'one that may have been applied',
    new ApiError({ status: 503, mayHaveBeenApplied: true }, 'x'),
    { kind: 'unknown' },
  ],
  ['arguments that are refused here', new InputError('no such body'), { kind: 'not_sent' }],
])('%s', (_what, error, outcome) => {
  expect(outcomeOfError(error, masking)).toMatchObject(outcome);
});

it('what is no error of ours is nobody’s outcome', () => {
  expect(() => outcomeOfError(new TypeError('bug'), masking)).toThrow('bug');
});
