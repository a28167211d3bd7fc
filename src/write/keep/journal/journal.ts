/** The journal of writes: an intent before anything is sent, an outcome after, in a table that is never trimmed. */

import { AppError, ConfigError } from '../../../base/errors.ts';
import { NotAFileError } from '../../../disk/open-file.ts';
import { LONG_WAIT_MS, type Store } from '../../../disk/store.ts';
import type { Author } from '../author.ts';
import { type Intent, type JournalEntry, type LineInput, toLine, type WriteOutcome } from './entry.ts';
import { addJournalLine, type JournalQuery, selectJournal } from './journal-table.ts';

export type Journal = ReturnType<typeof createJournal>;

interface JournalOptions {
  store: Store;
  /** Milliseconds since the epoch. */
  now: () => number;
  randomId: () => string;
  /** SHA-256 of a body's canonical JSON. */
  digest: (body: unknown) => string;
  /** Takes every known secret out of what is written; the digest stays that of the real body. */
  redact: (value: unknown) => unknown;
  /** Whose writes these are, where several people use the same account. */
  by?: Author | undefined;
  /** Is told each record as JSON once it is on the disk, before anything is sent. */
  wrote?: (lines: readonly string[]) => Promise<void>;
}

export function createJournal(options: JournalOptions) {
  const work = createTally();
  const add = async (input: Omit<LineInput, 'time'>, time = options.now()) => {
    work.start(input);
    try {
      const line = toLine({ ...input, time });
      const waitMs = input.kind === 'outcome' ? LONG_WAIT_MS : undefined;
      if (!(await options.store.run(() => addJournalLine(line), waitMs)))
        throw new Error('its record is gone');
      await options.wrote?.([JSON.stringify(line)]);
    } catch (error) {
      throw describeFailure(error, options.store.folder);
    } finally {
      work.finish(input);
    }
  };
  const isWithin = createBound();
  const clean = <T extends object>(value: T): T => Object.assign({ ...value }, options.redact(value));
  const toRecord = ({ recorded, ...intent }: Intent) => {
    const record = { ...clean({ ...intent, ...recorded }), ...(options.by && { by: options.by }) };
    return intent.body === undefined ? record : { ...record, bodySha256: options.digest(intent.body) };
  };

  return {
    /**
     * Resolves with the write's id once the intent is on the disk: only then may the request be sent.
     * @throws ConfigError when it cannot be recorded; nothing may be sent then
     */
    async begin(intent: Intent): Promise<string> {
      const id = options.randomId();
      work.start(id);
      try {
        await add({ kind: 'intent', id, intent: toRecord(intent) });
      } catch (error) {
        work.finish(id);
        throw error;
      }
      return id;
    },
    /**
     * Records how it ended. Never throws, since the write is what it is: resolves with the problem, to be told beside
     * the result, when the outcome could not be recorded (history then shows `unknown`).
     */
    async end(id: string, outcome: WriteOutcome): Promise<AppError | undefined> {
      const problem = await settle(() => add({ kind: 'outcome', id, outcome: clean(outcome) }));
      work.finish(id);
      return problem;
    },
    /** Records a write that was refused before anything was sent; resolves like `end`. Of very many in an hour, the first. */
    async refuse(intent: Intent, reason: string): Promise<AppError | undefined> {
      const time = options.now();
      if (!isWithin(time)) return undefined;
      const outcome: WriteOutcome = clean({ outcome: 'refused', error: reason });
      return settle(() =>
        add({ kind: 'refusal', id: options.randomId(), intent: toRecord(intent), outcome }, time),
      );
    },
    /**
     * Resolves when every write that was begun here has its outcome, or is known to get none, and no record is under way.
     * Waiting for records alone would be too little: a call that is cancelled at the end of the process records its
     * outcome only after it has failed. The caller sets the limit: a write may take as long as its call.
     */
    settled: work.settled,
  };
}

/** Of one session. Nothing is sent, and the journal is never trimmed: who may only read could fill the disk with them. */
const MOST_REFUSALS = 200;
const HOUR_MS = 3_600_000;

/** True so often in an hour. */
function createBound(): (now: number) => boolean {
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;
  return (now) => {
    if (now - since >= HOUR_MS) [since, count] = [now, 0];
    count += 1;
    return count <= MOST_REFUSALS;
  };
}

/** Things under way, and a promise of the moment when there are none. */
function createTally() {
  const underWay = new Set<unknown>();
  const waiting: (() => void)[] = [];
  const tell = () => {
    if (underWay.size === 0) for (const go of waiting.splice(0)) go();
  };
  return {
    start: (thing: unknown) => underWay.add(thing),
    finish(thing: unknown) {
      underWay.delete(thing);
      tell();
    },
    settled() {
      return new Promise<void>((resolve) => {
        waiting.push(resolve);
        tell();
      });
    },
  };
}

async function settle(add: () => Promise<void>): Promise<AppError | undefined> {
  try {
    await add();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function describeFailure(error: unknown, folder: string): AppError {
  if (error instanceof AppError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ConfigError(
    `The journal of writes in ${folder} cannot be written: ${reason}.`,
    `No write is sent without a record. ${nextStep(error)}, or choose another folder with --state-dir (SELLER_STATE_DIR).`,
    { cause: error },
  );
}

function nextStep(error: unknown): string {
  return error instanceof NotAFileError ? 'Move it away' : 'Make the folder writable, free some space';
}

/** Oldest first. @throws ConfigError when the store is there and cannot be read */
export async function readJournal(store: Store, query: JournalQuery = {}): Promise<JournalEntry[]> {
  try {
    return await store.read(() => selectJournal(query));
  } catch (error) {
    throw error instanceof AppError ? error : describeUnread(error, store.folder);
  }
}

function describeUnread(error: unknown, folder: string): ConfigError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ConfigError(
    `The journal of writes in ${folder} cannot be read: ${reason}.`,
    error instanceof NotAFileError
      ? 'Move it away, or name another folder with --state-dir (SELLER_STATE_DIR).'
      : 'Make the folder and its store.db readable, or name another folder with --state-dir (SELLER_STATE_DIR).',
    { cause: error },
  );
}
