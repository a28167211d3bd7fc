/** Tests the records of the journal and the results of the caller for a sent write, however it ends. */

import { describe, expect, it, vi } from 'vitest';
import { identityOf } from '../../../src/accounts/owner.ts';
import {
  ApiError,
  CancelledError,
  ConfigError,
  CredentialError,
  InputError,
  NetworkError,
  RateLimitError,
  TimeoutError,
} from '../../../src/base/errors.ts';
import type { JsonDifference } from '../../../src/base/json-difference.ts';
import { ServiceText } from '../../../src/base/text/service-text.ts';
import type { CallInput } from '../../../src/call/client-types.ts';
import { supplySourceWrite } from '../../../src/service/facts/documented-operations.ts';
import { contentOf, type WriteRequest } from '../../../src/write/run/send-write.ts';
import { ANSWER, buildWrite, nobody, OWNER, openGuard, runWrite } from './open-guard.ts';

const failing = (error: unknown) => async () => {
  throw error;
};
const lost = () => new NetworkError('ECONNRESET', 'unknown', 'reset', 'Wait.');
const alias = {
  path: 'alias',
  segments: ['alias'],
  kind: 'changed',
  before: 'sent',
  after: 'found',
} as const;

const found = (...differences: JsonDifference[]) => ({ differences, notYet: [] });

async function failWith(error: unknown, more: Partial<WriteRequest> = {}) {
  const opened = await openGuard('allow', failing(error));
  const thrown: unknown = await runWrite(opened.guard, buildWrite(more)).catch((caught: unknown) => caught);
  const entries = await opened.entries();
  expect(entries).toHaveLength(1);
  expect(entries[0]?.endedAt).toBeDefined();
  return { thrown, entry: entries[0], ...opened };
}

it('what a yes is bound to: whose it is, all that is sent, and the state that it was compared with', () => {
  const filledIn = { sellerId: 'A1SELLER' };
  const { input } = buildWrite();
  expect(contentOf({ input, prepared: { filledIn, owner: OWNER }, stateDigest: 'as it was' })).toEqual({
    account: 'a',
    operation: input.operation.id,
    parameters: { supplySourceId: 's', sellerId: 'A1SELLER' },
    body: {},
    identity: identityOf(OWNER),
    stateDigest: 'as it was',
  });
});

describe('what the journal says of a write that failed', () => {
  it.each([
    [
      'an answer that refuses',
      new ApiError({ status: 400, requestId: new ServiceText('r') }, 'no'),
      'failed',
    ],
    ['a 500', new ApiError({ status: 500, mayHaveBeenApplied: true }, 'no'), 'unknown'],
    ['a refused connection', new NetworkError('ECONNREFUSED', 'not-sent', 'no'), 'failed'],
    ['a reset', lost(), 'unknown'],
    ['a deadline before it was sent', new TimeoutError(1, 'not-sent', 'late'), 'failed'],
    ['a deadline after it was sent', new TimeoutError(1, 'unknown', 'late'), 'unknown'],
    ['cancelled before it was sent', new CancelledError('stop'), 'failed'],
    ['cancelled while it was under way', new CancelledError('stop', '', 'unknown'), 'unknown'],
    ['a limit', new RateLimitError(1, 'wait'), 'failed'],
    ['credentials', new CredentialError('missing', 'none'), 'failed'],
    ['arguments', new InputError('wrong'), 'failed'],
    ['a crash of ours', new TypeError('undefined is not a function'), 'unknown'],
    ['a thing thrown', 'text', 'unknown'],
  ])('%s', async (_name, error, outcome) => {
    const { entry, thrown } = await failWith(error);
    expect(entry).toMatchObject({ outcome, error: error instanceof Error ? error.message : error });
    expect(thrown).toBe(error);
  });

  it('status and request id where the service answered', async () => {
    const { entry } = await failWith(new ApiError({ status: 400, requestId: new ServiceText('r-1') }, 'no'));
    expect(entry).toMatchObject({ outcome: 'failed', status: 400, requestId: 'r-1' });
  });

  it.each([
    ['a limit', new RateLimitError(1, 'wait', '', { mayHaveBeenApplied: true })],
    ['a refusal', new ApiError({ status: 400, mayHaveBeenApplied: true }, 'no')],
    ['credentials', new NetworkError('REPEAT_FAILED', 'unknown', 'no')],
  ])('%s on a repeat leaves the fate of the first attempt', async (_name, error) => {
    const { entry } = await failWith(error);
    expect(entry).toMatchObject({ outcome: 'unknown' });
  });
});

describe('what a caller is told of a write whose fate is unknown', () => {
  it.each([
    ['nothing can be read back', undefined, lost(), 'Read the current state before repeating it. Wait.'],
    [
      'it cannot be read back now',
      async () => Promise.reject(new Error('secret words')),
      lost(),
      'It could not be read back now: read it before repeating the write. Wait.',
    ],
    [
      'the service has it',
      async () => found(),
      lost(),
      'Read back now: the service has exactly what was sent, so the write was applied. Do not repeat it. Wait.',
    ],
    [
      'the service does not have it yet',
      async () => found(alias),
      lost(),
      'Read back now: members that differ from what was sent: 1. The write was not applied so far, but may still be on its way: read it once more before repeating it. Wait.',
    ],
    [
      'the service answered and does not have it',
      async () => found(alias, alias),
      new ApiError({ status: 500, mayHaveBeenApplied: true }, 'no', 'Wait.'),
      'Read back now: members that differ from what was sent: 2, so the write was probably not applied. Wait.',
    ],
  ])('%s', async (_name, readBack, error, hint) => {
    const { thrown } = await failWith(error, { readBack });
    expect(thrown).toMatchObject({ hint });
  });

  it('what was read back is in the journal, and only where it was', async () => {
    const { entry } = await failWith(lost(), { readBack: async () => found(alias) });
    expect(entry).toMatchObject({ differences: [{ path: 'alias', sent: 'sent', found: 'found' }] });
    const unread = await failWith(lost(), { readBack: () => Promise.reject(new Error('no')) });
    expect(unread.entry).not.toHaveProperty('differences');
  });

  it('a write that was not applied gets no advice and is not read back', async () => {
    let looked = false;
    const { thrown } = await failWith(new NetworkError('ECONNREFUSED', 'not-sent', 'no', 'Wait.'), {
      readBack: async () => {
        looked = true;
        return found();
      },
    });
    expect(thrown).toMatchObject({ hint: 'Wait.' });
    expect(looked).toBe(false);
  });
});

describe('a write that failed and whose end the journal could not record', () => {
  const full = () => new ConfigError('The journal cannot be written: the disk is full.');

  it.each([
    [
      'was refused',
      new ApiError({ status: 400 }, 'no', 'Correct it.'),
      'The journal cannot be written: the disk is full. Correct it.',
    ],
    [
      'may have been applied',
      lost(),
      'Read the current state before repeating it. The journal cannot be written: the disk is full. Wait.',
    ],
  ])('%s: says so, and its fate first', async (_name, error, hint) => {
    const { guard, journal } = await openGuard('allow', failing(error));
    vi.spyOn(journal, 'end').mockResolvedValue(full());
    await expect(runWrite(guard, buildWrite())).rejects.toMatchObject({ hint });
  });

  it('is no write to the service: says so too', async () => {
    const { guard, journal } = await openGuard('allow');
    vi.spyOn(journal, 'end').mockResolvedValue(full());
    const approval = { content: contentOf(buildWrite()), preview: 'p', person: nobody, whenDenied: '' };
    await expect(guard.runApproved(approval, failing(lost()))).rejects.toMatchObject({
      hint: 'The journal cannot be written: the disk is full. Wait.',
    });
  });
});

describe('a call that is cancelled', () => {
  it('before it begins sends nothing and records nothing', async () => {
    const { guard, sent, entries } = await openGuard('allow');
    const call = { signal: AbortSignal.abort() };
    await expect(runWrite(guard, buildWrite({ call }))).rejects.toBeInstanceOf(CancelledError);
    expect([sent.length, await entries()]).toEqual([0, []]);
  });

  it('while it is under way has its outcome recorded, without another look', async () => {
    const stop = new AbortController();
    const opened = await openGuard('allow', async () => {
      stop.abort();
      throw new CancelledError('stop', '', 'unknown');
    });
    const readBack = () => Promise.reject(new Error('not in this test'));
    const write = buildWrite({ call: { signal: stop.signal }, readBack });
    await expect(runWrite(opened.guard, write)).rejects.toMatchObject({
      hint: 'Read the current state before repeating it.',
    });
    expect(await opened.entries()).toMatchObject([{ outcome: 'unknown', endedAt: expect.any(String) }]);
  });

  it('at the end of the process is waited for by the journal', async () => {
    let end = (_error: unknown) => {};
    const call = () => new Promise<never>((_resolve, reject) => (end = reject));
    const { promise: sending, resolve: wasSent } = Promise.withResolvers<void>();
    const { guard, journal, entries } = await openGuard('allow', () => {
      wasSent();
      return call();
    });
    const write = runWrite(guard, buildWrite()).catch(() => {});
    await sending;
    const settled = journal.settled();
    end(new CancelledError('The process ends.', '', 'unknown'));
    await settled;
    expect(await entries()).toMatchObject([{ outcome: 'unknown', error: 'The process ends.' }]);
    await write;
  });
});

describe('a write that was done', () => {
  it('is recorded with status, request id and what was read back', async () => {
    const { guard, entries } = await openGuard('allow', async () => ({
      ...ANSWER,
      requestId: new ServiceText('r-1'),
    }));
    const result = await runWrite(guard, buildWrite({ readBack: async () => found(alias) }));
    expect(result).toMatchObject({ outcome: 'done', journalId: 'w-1', readBack: { differences: [alias] } });
    expect(result.outcome === 'done' && result.response.requestId?.is('r-1')).toBe(true);
    expect(await entries()).toMatchObject([
      {
        id: 'w-1',
        outcome: 'done',
        status: 204,
        requestId: 'r-1',
        differences: [{ path: 'alias', sent: 'sent', found: 'found' }],
      },
    ]);
  });

  it('is done even where it cannot be read back', async () => {
    const problem = new Error('no');
    const { guard, entries } = await openGuard('allow');
    const result = await runWrite(guard, buildWrite({ readBack: () => Promise.reject(problem) }));
    expect(result).toMatchObject({ outcome: 'done', readBack: { differences: [], problem } });
    expect((await entries())[0]).not.toHaveProperty('differences');
  });
});

describe('the idempotency key', () => {
  const keyed = (place: 'header' | 'body', more: Partial<CallInput> = {}): CallInput => ({
    operation: { ...supplySourceWrite(), idempotencyKey: { in: place, name: 'x-key' } },
    account: 'a',
    parameters: { supplySourceId: 's' },
    body: { alias: 'x' },
    ...more,
  });
  const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

  it.each(['header', 'body'] as const)('in the %s is made before, recorded and sent', async (place) => {
    let before: unknown;
    const opened = await openGuard('allow', async (input) => {
      [before] = await opened.entries();
      return { ...ANSWER, idempotencyKey: input.idempotencyKey };
    });
    const result = await runWrite(opened.guard, buildWrite({ input: keyed(place) }));
    const key = opened.sent[0]?.input.idempotencyKey;
    expect(key).toMatch(uuid);
    expect(before).toMatchObject({ idempotencyKey: key, outcome: 'unknown', body: { alias: 'x' } });
    expect(before).not.toHaveProperty('endedAt');
    expect(result).toMatchObject({ response: { idempotencyKey: key } });
    expect(await opened.entries()).toMatchObject([{ outcome: 'done', idempotencyKey: key }]);
    await runWrite(opened.guard, buildWrite({ input: keyed(place) }));
    expect(opened.sent[1]?.input.idempotencyKey).not.toBe(key);
  });

  it.each<[string, Partial<CallInput>, 'header' | 'body', string]>([
    ['header', { parameters: { 'x-key': 'mine' } }, 'header', 'mine'],
    ['body', { body: { 'x-key': 'mine' } }, 'body', 'mine'],
    ['body, a number', { body: { 'x-key': 7 } }, 'body', '7'],
  ])('of the caller in the %s is the one', async (_name, more, place, key) => {
    const opened = await openGuard('allow');
    await runWrite(opened.guard, buildWrite({ input: keyed(place, more) }));
    expect(opened.sent[0]?.input.idempotencyKey).toBe(key);
    expect(await opened.entries()).toMatchObject([{ idempotencyKey: key }]);
  });

  it('that is null is none, and a body that is no object takes none', async () => {
    const opened = await openGuard('allow');
    await runWrite(opened.guard, buildWrite({ input: keyed('body', { body: { 'x-key': null } }) }));
    expect(opened.sent[0]?.input.idempotencyKey).toMatch(uuid);
    await runWrite(opened.guard, buildWrite({ input: keyed('body', { body: ['x'] }) }));
    expect(opened.sent[1]?.input.idempotencyKey).toBeUndefined();
  });

  it('is not given to an operation that takes none', async () => {
    const opened = await openGuard('allow');
    await runWrite(opened.guard, buildWrite());
    expect(opened.sent[0]?.input.idempotencyKey).toBeUndefined();
    expect((await opened.entries())[0]).not.toHaveProperty('idempotencyKey');
  });

  it.each([
    ['header', 'the parameter x-key'],
    ['body', 'x-key in the body'],
  ] as const)('in the %s is told where the fate is unknown, for a safe repeat', async (place, where) => {
    const { thrown, entry, sent } = await failWith(lost(), { input: keyed(place) });
    const key = sent[0]?.input.idempotencyKey;
    expect(thrown).toMatchObject({
      hint: `Read the current state before repeating it. To repeat it so that it happens once only, send the same with ${where} set to "${key}". Wait.`,
    });
    expect(entry).toMatchObject({ outcome: 'unknown', idempotencyKey: key });
  });

  it('that the error says was sent counts', async () => {
    const error = Object.assign(lost(), { idempotencyKey: 'sent' });
    const { thrown, entry } = await failWith(error, { input: keyed('header') });
    expect(thrown).toMatchObject({ hint: expect.stringContaining('x-key set to "sent"') });
    expect(entry).toMatchObject({ idempotencyKey: 'sent' });
  });
});

it('a no is told before anything of it is recorded, a yes is not', async () => {
  const operation = { ...supplySourceWrite(), refusals: [{ member: 'errors', when: 'filled' as const }] };
  const seen: unknown[] = [];
  for (const body of [{ errors: [] }, { errors: [{ code: 'x', message: 'no' }] }]) {
    const opened = await openGuard('allow', async () => ({ ...ANSWER, body }));
    const write = buildWrite();
    await runWrite(opened.guard, {
      ...write,
      input: { ...write.input, operation },
      onRejected: async (response) => {
        seen.push([response.body, (await opened.entries())[0]?.endedAt]);
      },
    });
  }
  expect(seen).toEqual([[{ errors: [{ code: 'x', message: 'no' }] }, undefined]]);
});

it.each([
  ['as it was sent', [], [], 'done', []],
  ['as it was before', [], [alias], 'accepted_not_visible', undefined],
  ['something else', [alias], [], 'done', [{ path: 'alias', sent: 'sent', found: 'found' }]],
  ['both', [alias], [alias], 'accepted_not_visible', [{ path: 'alias', sent: 'sent', found: 'found' }]],
])(
  'what was accepted and is read back %s: the journal says no more than that',
  async (_what, differences, notYet, outcome, noted) => {
    const opened = await openGuard('allow', async () => ({ ...ANSWER, status: 204, body: undefined }));
    const result = await runWrite(
      opened.guard,
      buildWrite({ readBack: async () => ({ differences, notYet }) }),
    );
    expect(result).toMatchObject({ outcome });
    const [entry] = await opened.entries();
    expect(entry?.outcome).toBe(outcome);
    expect(entry?.differences).toEqual(noted);
  },
);

it('of a write without an answer, what still is as it was before is noted as other than what was sent', async () => {
  const noted = { path: 'alias', sent: 'sent', found: 'found' };
  const other = { ...alias, path: 'other', segments: ['other'] };
  const { entry } = await failWith(lost(), { readBack: async () => ({ differences: [], notYet: [alias] }) });
  expect(entry).toMatchObject({ outcome: 'unknown', differences: [noted] });
  const both = await failWith(lost(), { readBack: async () => ({ differences: [other], notYet: [alias] }) });
  expect(both.entry?.differences).toEqual([{ ...noted, path: 'other' }, noted]);
});
