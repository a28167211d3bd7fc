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
import { createPersonalData } from '../../../../src/privacy/personal/personal-data.ts';
import { type ReadBack, unknownChange } from '../../../../src/write/model/change.ts';
import { createWriteView } from '../../../../src/write/model/write-view.ts';
import { BatchEndedError } from '../../../../src/write/run/batches/batch.ts';
import { outcomeOfError } from '../../../../src/write/run/items/error-outcome.ts';
import { itemOutcome } from '../../../../src/write/run/items/item-outcome.ts';
import type { WriteResult } from '../../../../src/write/run/send-write.ts';
import { ANSWER, buildWrite } from '../open-guard.ts';

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

async function outcomeOf(result: WriteResult) {
  const personal = createPersonalData({ isMasking: true });
  const { input } = buildWrite();
  const write = {
    key: 'k',
    input,
    change: unknownChange(),
    shown: { parameters: {}, change: unknownChange() },
    request: { filledIn: {}, owner: ANSWER.owner },
  };
  const view = createWriteView({ personal, account: 'a', replaced: [] });
  return itemOutcome(result, { write, view, personal, answerOf: async () => ({ issues: 1 }) });
}
const response = { ...ANSWER, status: 200, body: {} };
const difference = (path: string) => ({ path, segments: [path], kind: 'changed' as const });
const done = (readBack?: ReadBack) => outcomeOf({ outcome: 'done', journalId: 'j-1', response, readBack });

it.each<[string, ReadBack | undefined, object]>([
  ['was not read back', undefined, {}],
  ['has what was sent', { differences: [], notYet: [] }, { readBack: 'same' }],
  [
    'could not be read back',
    { differences: [], notYet: [], problem: new Error('x') },
    { readBack: 'failed' },
  ],
  [
    'has something else',
    { differences: [difference('a'), difference('')], notYet: [] },
    {
      readBack: 'differs',
      why: 'Accepted; read back, the service differs from what was sent in a, the whole.',
    },
  ],
  [
    'has something else in many places',
    { differences: ['a', 'b', 'c', 'd', 'e'].map(difference), notYet: [] },
    {
      readBack: 'differs',
      why: 'Accepted; read back, the service differs from what was sent in a, b, c and 2 more places.',
    },
  ],
])('one that was accepted and %s is told as that', async (_what, readBack, told) => {
  expect(await done(readBack)).toEqual({ kind: 'accepted', journalId: 'j-1', facts: { issues: 1 }, ...told });
});

it('what is not visible yet is told as that', async () => {
  const seen = { differences: [], notYet: [difference('a')] };
  expect(
    await outcomeOf({ outcome: 'accepted_not_visible', journalId: 'j-1', response, readBack: seen }),
  ).toEqual({ kind: 'accepted_not_visible', journalId: 'j-1', facts: { issues: 1 } });
});
