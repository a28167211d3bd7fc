/** Every write goes through here: previewed, confirmed as the settings ask, then sent by sendWrite. */

import type { Client } from '../client/client.ts';
import type { Config } from '../config.ts';
import { WriteRefusedError } from '../errors.ts';
import type { Journal } from '../journal/journal.ts';
import { type Confirmations, explainRedemption } from './confirmation.ts';
import { contentOf, sendWrite, type WriteRequest, type WriteResult } from './send-write.ts';

export interface WriteGuard {
  /**
   * @throws WriteRefusedError when it may not be sent; AskPerson while the person is asked; whatever the client throws,
   * with what a read-back found added where the fate of the write is unknown.
   */
  run(request: WriteRequest): Promise<WriteResult>;
  /**
   * Edits of the same thing one after the other: each reads what the one before it wrote, so that none is lost.
   * @param thing what is edited, by a name of its own
   */
  inTurn<T>(thing: string, edit: () => Promise<T>): Promise<T>;
}

export interface WriteGuardOptions {
  mode: Config['writes'];
  client: Client;
  journal: Journal;
  /** Milliseconds of the clock that `CallOptions.deadline` is told in. */
  now: () => number;
  /** Codes that the assistant carries. */
  codes: Confirmations;
  /** Codes that travel with a question to the person and back; never shown to the assistant, never taken from it. */
  questions: Confirmations;
}

const KEY = 'confirm';

export function createWriteGuard(options: WriteGuardOptions): WriteGuard {
  return {
    inTurn: createTurns(),
    async run(request) {
      if (request.dryRun) return { outcome: 'preview' };
      const code = await authorise(request, options);
      if (code !== undefined) return { outcome: 'needs_confirmation', code };
      return sendWrite(request, options);
    },
  };
}

/** Resolves to undefined when the write may be sent, to a code when it has to be confirmed first. */
async function authorise(request: WriteRequest, options: WriteGuardOptions): Promise<string | undefined> {
  const { mode, codes } = options;
  if (mode === 'allow') return undefined;
  if (mode === 'deny') {
    const hint =
      'The person can change that: the read-only switch (SELLER_READ_ONLY), or --writes (SELLER_WRITES). A preview with dryRun still works.';
    return refuse(request, options, 'Writes are switched off here (--writes=deny); nothing was sent.', hint);
  }
  if (mode === 'ask' && request.person.canConfirm) return askPerson(request, options);
  const content = contentOf(request);
  if (request.confirmationCode === undefined) return codes.issue(content);
  const redemption = codes.redeem(content, request.confirmationCode);
  if (redemption === 'ok') return undefined;
  return refuse(request, options, `${explainRedemption(redemption)} Nothing was sent.`);
}

/** A no is final: it leads to no code and no second question for this call. */
async function askPerson(request: WriteRequest, options: WriteGuardOptions): Promise<undefined> {
  const content = contentOf(request);
  const answer = request.person.answer(KEY);
  if (answer === undefined)
    return request.person.confirm(KEY, request.preview, options.questions.issue(content));
  if (answer.action !== 'accept') {
    const word = answer.action === 'decline' ? 'said no' : 'closed the question';
    return refuse(
      request,
      options,
      `The person ${word}; nothing was sent.`,
      'Ask them what they would like instead; do not repeat the call. If they never saw a question, this host cannot show one: the person can start the server with --writes=code.',
    );
  }
  const redemption = options.questions.redeem(content, answer.state ?? '');
  if (redemption === 'ok') return undefined;
  const reason =
    redemption === 'other-content'
      ? 'What would be written has changed since the person was asked'
      : 'The question to the person is no longer valid';
  return refuse(
    request,
    options,
    `${reason}; nothing was sent.`,
    'Call the tool again, so that the person is asked anew.',
  );
}

async function refuse(
  request: WriteRequest,
  { journal }: WriteGuardOptions,
  reason: string,
  hint = '',
): Promise<never> {
  const problem = await journal.refuse(contentOf(request), reason);
  throw new WriteRefusedError(problem === undefined ? reason : `${reason} ${problem.message}`, hint);
}

/** Lets work on the same thing happen one after the other, and on different things at once. */
export function createTurns(): <T>(thing: string, work: () => Promise<T>) => Promise<T> {
  /** The end of the last work on each thing; never rejects. */
  const ends = new Map<string, Promise<void>>();
  return async (thing, work) => {
    const mine = (ends.get(thing) ?? Promise.resolve()).then(work);
    const end = mine.then(
      () => undefined,
      () => undefined,
    );
    ends.set(thing, end);
    try {
      return await mine;
    } finally {
      if (ends.get(thing) === end) ends.delete(thing);
    }
  };
}
