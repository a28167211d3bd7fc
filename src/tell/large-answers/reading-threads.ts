/**
 * Large answers, read in threads of their own: to parse, mask and fit one holds a thread for seconds at worst, and this
 * one has pings, other calls and deadlines to see to.
 */

import { systemClock } from '../../base/clock.ts';
import { TimeoutError } from '../../base/errors.ts';
import { sizeWords } from '../../base/text/size.ts';
import { createTurns } from '../../base/turns.ts';
import type { Unread } from '../../call/api-request.ts';
import type { CallOptions } from '../../call/client.ts';
import { openScope, waitFor } from '../../call/scope.ts';
import type { Page } from '../../data/collections/parse-page.ts';
import type { WorkerPool, WorkerThread } from '../../data/tables/worker-thread.ts';
import type { PersonalData } from '../../privacy/personal/personal-data.ts';
import type { Redactor } from '../../privacy/secrets/redact.ts';
import type { AnsweredOperation, Paging } from '../../service/facts/operation.ts';
import type { AnswerStore } from '../answer-store.ts';
import type { FoundDocument } from '../documents/find-documents.ts';
import type { SaveAll } from '../documents/save-documents.ts';
import { isSaved, type SaveOutcome } from '../documents/save-documents.ts';
import { messageOf } from '../error-result.ts';
import type { ReadAnswer, ReadAnswerParts } from '../read-answer.ts';
import type { AnswerServices } from '../service-answer.ts';
import type {
  Mirror,
  PlainDocument,
  PlainOutcome,
  PlainParts,
  ReadingReplies,
  ReadingRequest,
} from './messages.ts';

export interface ReadingThreads {
  /**
   * As `buildReadAnswer`, from bytes: what was found in it is known to the session then.
   * @param unread its bytes are gone after this
   * @throws NetworkError for what is no JSON within the bounds; what ends the call
   */
  answer(
    unread: Unread,
    parts: ReadAnswerParts,
    session: ReadingServices,
    options: { saveAll: SaveAll; call: Within },
  ): Promise<ReadAnswer>;
  /** As `readPage`, its items with words in the place of their documents. @throws as `answer` */
  page(
    unread: Unread,
    of: { operation: AnsweredOperation; paging: Paging },
    signal: AbortSignal,
  ): Promise<Page>;
  /** Ends them, at work or not. */
  close(): Promise<void>;
}

/** What ends the wait for a thread. */
type Within = Required<Pick<CallOptions, 'signal' | 'deadline'>>;

interface ReadingServices extends Omit<AnswerServices, 'answers' | 'redactor' | 'personal'> {
  answers(): Promise<Pick<AnswerStore, 'adopt' | 'noteSupplySources'>>;
  redactor: Pick<Redactor, 'secrets'>;
  personal(): Promise<Pick<PersonalData, 'mirror' | 'adopt' | 'firstNote'>>;
}

/** Each takes some hundred megabytes at worst: more answers than this wait for one. */
const MOST_THREADS = 2;

/** Of a page, and of a thread that nobody waits for any longer. */
const LONGEST_MS = 10 * 60_000;

/** A thread that has read a larger answer gives its memory back. */
const KEPT_BYTES = 2 * 1024 * 1024;

export function createReadingThreads(workers: WorkerPool): ReadingThreads {
  const turns = createTurns(MOST_THREADS);
  const working = new Set<WorkerThread>();
  /** Texts of answers that were given already. */
  const writing = new Set<Promise<unknown>>();
  const closing = new AbortController();

  /** Whoever does not wait any longer leaves a thread at work, which ends by itself or after LONGEST_MS: ending a busy one can end Node 20. */
  const withThread = async <T>(
    unread: Unread,
    { signal, deadline }: Within,
    work: (ask: Ask, signal: AbortSignal) => Promise<T>,
  ) => {
    const size = unread.bytes.length;
    const scope = openScope(systemClock, 0, [signal, closing.signal], deadline - systemClock.now());
    try {
      const done = turns.take(scope.ending.signal, async () => {
        const thread = await workers.take('read');
        working.add(thread);
        const tooLong = setTimeout(() => void thread.end(), LONGEST_MS).unref();
        try {
          const ask: Ask = (request, transferred) => thread.ask(request, transferred);
          return await work(ask, scope.ending.signal);
        } catch (error) {
          if (thread.isEnded() && !closing.signal.aborted) return unread.refuse('TOO_MANY_VALUES', TOO_LARGE);
          throw error;
        } finally {
          clearTimeout(tooLong);
          working.delete(thread);
          if (size > KEPT_BYTES) void thread.end();
          else workers.giveBack(thread);
        }
      });
      return await waitFor(done, scope.ending);
    } catch (error) {
      throw error instanceof TimeoutError && error === scope.ending.reason ? tooSlow(size) : error;
    } finally {
      scope.end();
    }
  };
  return {
    answer: (unread, parts, session, { saveAll, call }) =>
      withThread(unread, call, async (ask, signal) => {
        const personal = await session.personal();
        const mirror: Mirror = {
          personal: personal.mirror(),
          secrets: session.redactor.secrets(),
          answerTokens: session.settings().answerTokens,
          now: session.program.now(),
        };
        const { bytes } = unread;
        const size = bytes.length;
        const open: ReadingRequest = { do: 'open', bytes, parts: toPlain(parts), mirror };
        const opened = await ask<ReadingReplies['open']>(open, [bytes.buffer]);
        if ('refused' in opened) return unread.refuse(opened.refused.code, opened.refused.message);
        signal.throwIfAborted();
        const outcomes = await saveAll?.(opened.documents.map((document, at) => toFound(document, at, ask)));
        const finish: ReadingRequest = { do: 'finish', outcomes: outcomes?.map(toPlainOutcome) };
        const { answer, found, kept, supplySources, tellsMasking } =
          await ask<ReadingReplies['finish']>(finish);
        const marks = async function* () {
          for (;;) {
            const some = await ask<ReadingReplies['marks']>({ do: 'marks' });
            if (some.length === 0) return;
            yield some;
          }
        };
        await personal.adopt(parts.account, { ...found, marks: marks() });
        signal.throwIfAborted();
        if (tellsMasking) personal.firstNote();
        const answers = await session.answers();
        if (kept.length > 0) {
          const texts = ask<ReadingReplies['kept']>({ do: 'kept' });
          const written = texts.catch(() => undefined).finally(() => writing.delete(written));
          writing.add(written);
          for (const [at, about] of kept.entries())
            answers.adopt(
              about,
              texts.then((all) => all[at]),
            );
          // Its thread ends with this answer.
          if (size > KEPT_BYTES) await texts;
        }
        answers.noteSupplySources({
          supplySources: supplySources.map((supplySourceId) => ({ supplySourceId })),
        });
        return answer;
      }),
    page: (unread, { operation, paging }, signal) =>
      withThread(unread, { signal, deadline: systemClock.now() + LONGEST_MS }, async (ask) => {
        const { bytes } = unread;
        const request: ReadingRequest = { do: 'page', bytes, operation: factsOf(operation), paging };
        const read = await ask<ReadingReplies['page']>(request, [bytes.buffer]);
        if ('refused' in read) return unread.refuse(read.refused.code, read.refused.message);
        const { fingerprint, ...page } = read.page;
        return { ...page, fingerprint: () => fingerprint };
      }),
    async close() {
      closing.abort();
      // Soon done, and to end a thread at work can end Node 20.
      await Promise.all(writing);
      await Promise.all([workers.close(), ...[...working].map((thread) => thread.end())]);
    },
  };
}

const TOO_LARGE = 'it takes more memory to read than one answer is given';

function tooSlow(bytes: number): TimeoutError {
  return new TimeoutError(
    0,
    'unknown',
    `The service answered with ${sizeWords(bytes)}, which could not be read in time.`,
    'Ask for less: fewer included data, a smaller page, a shorter span of time.',
  );
}

type Ask = <Answer>(request: ReadingRequest, transferred?: readonly ArrayBuffer[]) => Promise<Answer>;

/** An operation holds more than can be sent. */
const factsOf = ({
  id,
  name,
  group,
  effect,
  method,
  path,
  paging,
  state,
}: AnsweredOperation): AnsweredOperation => ({
  id,
  name,
  group,
  effect,
  method,
  path,
  paging,
  ...(state === undefined ? {} : { state }),
});

function toPlain({ operation, result, ...parts }: ReadAnswerParts): PlainParts {
  const { status, bytes, filledIn, marketplaces, days, unlistedValues, personalData, requestId, rateLimit } =
    result;
  return {
    ...parts,
    operation: factsOf(operation),
    result: {
      status,
      bytes,
      filledIn,
      marketplaces,
      days,
      unlistedValues,
      personalData,
      ...(requestId === undefined ? {} : { requestId: requestId.data() }),
      ...(rateLimit === undefined ? {} : { rateLimit: rateLimit.data() }),
    },
  };
}

function toFound(document: PlainDocument, index: number, ask: Ask): FoundDocument {
  if (document.from === 'address') return document;
  return { ...document, read: () => ask<ReadingReplies['document']>({ do: 'document', index }) };
}

function toPlainOutcome(outcome: SaveOutcome): PlainOutcome {
  if (!isSaved(outcome)) return { reason: messageOf(outcome.error) };
  return { file: outcome.file, kind: outcome.kind };
}
