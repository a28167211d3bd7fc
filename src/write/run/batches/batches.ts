/**
 * Manages the batches of this computer, or of replicas: begins them, finds them by their arguments, runs,
 * stops and reports them.
 */

import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { type Clock, sleep, systemClock } from '../../../base/clock.ts';
import { InputError } from '../../../base/errors.ts';
import { parseJson } from '../../../base/json.ts';
import type { Sealer } from '../../../privacy/sealed/sealer.ts';
import type { SharedStore } from '../../../replicas/shared-store.ts';
import type { Lease } from '../../../store/leases.ts';
import type { Store } from '../../../store/store.ts';
import type { Author } from '../../records/author.ts';
import {
  type BatchItem,
  type BatchProgress,
  type BatchWait,
  BatchWaitsError,
  type InMemoryItems,
  MAX_PAUSE_MS,
  RETENTION_MS,
  type Sender,
} from './batch.ts';
import { makeContent, type StorageMode } from './batch-content.ts';
import { type BatchTable, localBatches, openBatchTable, sharedBatches } from './batch-table.ts';
import { type BatchRecord, formatPause, openRecord } from './record.ts';
import { ELSEWHERE, GIVE_UP_MS, PAUSED, sendBatch } from './send-batch.ts';
import { batchNotStoredError, runEndReason } from './store-failures.ts';
import type { BatchInfo, BatchSummary } from './summary.ts';
import { addItemOutcomes, BATCH_LIFETIME_MS, countsOf, isExpired, isOver, summarize } from './summary.ts';

/**
 * The outcome is reported to the same call within this time of its approval; later the same call is a new
 * one.
 */
const REPORT_MS = 2 * BATCH_LIFETIME_MS;

/** The max time to wait for a stop, and the interval between checks. */
const STOPS_WITHIN_MS = 10_000;
const POLL_MS = 100;

/** The confirmed batch, complete. */
export interface ConfirmedBatch
  extends Pick<BatchSummary, 'account' | 'owner' | 'tool' | 'asked' | 'digest' | 'words'>,
    InMemoryItems {
  /** The time of the shown state, by default that of the beginning. */
  shownAt?: number;
  /** True if an item's value has personal data: without a key it is not stored, and ends with its process. */
  personal: boolean;
}

interface BatchesOptions {
  /** The folder's name in errors. */
  folder: string;
  table: BatchTable;
  /** Other replicas read the table too, so nothing is stored there in the clear. */
  isShared?: boolean | undefined;
  sealer: Sealer;
  clock: Clock;
  /** Returns eight hexadecimal digits. */
  randomId(): string;
  /** The user who approves here, if several users share the account. */
  by?: Author | undefined;
  /** The max number of that user's open batches. */
  most?: number | undefined;
}

export type Batches = ReturnType<typeof createBatches>;

export function createBatches(options: BatchesOptions) {
  const { folder, table, sealer, clock, randomId, by } = options;
  const runs = createBatchRuns({ table, clock });
  const records = new Map<string, Promise<BatchRecord | undefined>>();
  const inMemory = new Map<string, InMemoryItems>();
  const unreadable = new Set<string>();

  /** Each batch has one record object, which alone has the data that may not be stored. */
  const open = async (id: string): Promise<BatchRecord | undefined> => {
    const known = records.get(id);
    if (known !== undefined) {
      const record = await known;
      // A batch that runs here stays known while the store is away.
      await record?.refresh().catch((error: unknown) => {
        if (!(error instanceof BatchWaitsError) || runs.find(id) === undefined) throw error;
      });
      return record;
    }
    const opened = openRecord(id, { table, sealer, inMemory: inMemory.get(id) });
    records.set(id, opened);
    try {
      const record = await opened;
      if (record === undefined) records.delete(id);
      return record;
    } catch (error) {
      // A failed read is forgotten, so that it does not count as a missing batch.
      records.delete(id);
      throw error;
    }
  };
  const summaryOf = async (record: BatchRecord, isKnown: boolean): Promise<BatchSummary> => {
    const { id, kept } = record.head;
    const entry = runs.find(id);
    return summarize(record, {
      running: entry && (entry.isElsewhere ? 'elsewhere' : 'under_way'),
      isHeld: entry === undefined && (await table.isHeld(id)),
      isReadable: (kept !== 'memory' || inMemory.has(id)) && !unreadable.has(id),
      why: runs.whyOf(id),
      isTold: isKnown,
      now: clock.wallClock(),
    });
  };
  /**
   * Summarizes the batches whose outcome is still to be reported. The store alone knows what was reported,
   * and a withdrawal is reported with the undo.
   */
  const unreported = async (accepts: (record: BatchRecord) => boolean): Promise<BatchSummary[]> => {
    const found: BatchSummary[] = [];
    for (const { id, isTold: isKnown } of await table.list()) {
      const record = isKnown ? undefined : await open(id);
      if (record === undefined || !accepts(record)) continue;
      const summary = await summaryOf(record, false);
      if (isOver(summary.state) && summary.isWithdrawn) continue;
      const isOld = Math.abs(clock.wallClock() - summary.createdAt) > REPORT_MS;
      if (!isOver(summary.state) || !isOld) found.push(summary);
    }
    return found.sort((one, other) => one.createdAt - other.createdAt);
  };
  const infoOf = async (id: string): Promise<BatchInfo | undefined> => {
    const record = await open(id);
    if (record === undefined) return undefined;
    const isReported = async () => (await table.list()).some((stored) => stored.id === id && stored.isTold);
    // The outcome of a running batch was not reported yet.
    const isKnown = runs.find(id) === undefined && (await isReported());
    return addItemOutcomes(record, await summaryOf(record, isKnown));
  };
  /** Finds the open batch of the same call. */
  const findSame = async ({ account, owner, asked }: Pick<ConfirmedBatch, 'account' | 'owner' | 'asked'>) => {
    const same = await unreported(
      ({ head }) => head.account === account && head.owner === owner && head.asked === asked,
    );
    const isOpen = ({ state }: BatchSummary) => !isOver(state);
    return same.findLast(isOpen) ?? same.at(-1);
  };
  const isAtWork = async (id: string) => runs.find(id) !== undefined || (await table.isHeld(id));
  /** Waits until the condition ends. @returns false if it still holds after ten seconds */
  const waitWhile = async (holds: () => Promise<boolean>): Promise<boolean> => {
    const until = clock.now() + STOPS_WITHIN_MS;
    for (;;) {
      if (!(await holds())) return true;
      if (clock.now() >= until) return false;
      await sleep(clock, POLL_MS, new AbortController().signal);
    }
  };
  const stopAndWait = (id: string) => {
    runs.find(id)?.end();
    return waitWhile(() => isAtWork(id));
  };

  /**
   * @throws InputError as `begin`; the system's error, and what the sealer throws, when it cannot be written
   */
  const beginBatch = async (list: ConfirmedBatch) => {
    checkItems(list);
    const mode = await storageOf(list, options);
    for (;;) {
      const stored = (await table.list()).map(({ id }) => id);
      const same = await findSame(list);
      if (same !== undefined && !isOver(same.state)) {
        if (same.digest !== list.digest) throw openError(same);
        return { id: same.id, isNew: false };
      }
      await checkMaxOpen(options, () => unreported(({ head }) => head.by?.id === by?.id));
      const id = freeId(stored, randomId);
      const { account, owner, tool, asked, digest, words, shownAt, items } = list;
      const createdAt = clock.wallClock();
      const head = { id, account, owner, by, tool, asked, digest, words, shownAt, createdAt };
      // Items that may not be written are remembered first, so that a reader of the list finds them too.
      if (mode === 'memory') inMemory.set(id, { items: items.map(asRead), takenOut: list.takenOut });
      if (await table.create(await makeContent(head, list, mode, sealer), stored)) return { id, isNew: true };
      // Another process has begun a batch meanwhile, which may be the same.
      inMemory.delete(id);
    }
  };

  return {
    /**
     * Stores the batch on the disk, synced; nothing is sent yet. If the very same batch of the same call is
     * open already, it returns that one.
     * @throws ConfigError when it cannot be written: nothing may be sent
     * @throws InputError for a batch without items, with a key twice, or while another batch of the same call
     * is open
     */
    async begin(list: ConfirmedBatch): Promise<{ id: string; isNew: boolean }> {
      await table.sweep(RETENTION_MS).catch(() => undefined);
      return beginBatch(list).catch((error: unknown) => {
        throw error instanceof InputError ? error : batchNotStoredError(error, folder);
      });
    },
    /**
     * Finds the newest open batch of these arguments, else the newest that ended unreported within two days.
     */
    async find(account: string, owner: string, asked: string): Promise<BatchInfo | undefined> {
      const found = await findSame({ account, owner, asked });
      return found && infoOf(found.id);
    },
    /** Returns the summary without the items, which take a while to read in a long batch. */
    async summary(id: string): Promise<BatchSummary | undefined> {
      const record = await open(id);
      return record && summaryOf(record, false);
    },
    /** Returns the batch with its items; undefined if there is none with that id. */
    info: infoOf,
    /**
     * Runs the batch in the background, with the sender of the first call; the same batch twice gives the
     * same run. If another process works on it, this one watches, and takes over only if that one is gone.
     * @throws InputError if there is no such batch
     */
    async run(id: string, sender: Sender) {
      const record = await open(id);
      if (record === undefined) throw new InputError(`There is no batch ${id}.`, '');
      const items = await record.items();
      const entry = runs.find(id) ?? (items && runs.start(record, items, sender));
      if (entry === undefined) {
        // Items that cannot be read can no longer be sent or checked, so the batch ends.
        unreadable.add(id);
        await record.write({ t: 'stop' });
      }
      return {
        /**
         * Waits for the end; undefined if the time is over or the caller has gone, while the batch continues.
         */
        wait: async (wait: BatchWait) => ((await entry?.wait(wait)) === false ? undefined : infoOf(id)),
      };
    },
    /** Stops it between two items, in any process, and resolves when it has stopped (10 s at most). */
    async stop(id: string): Promise<BatchInfo | undefined> {
      const record = await open(id);
      if (record === undefined) return undefined;
      if (!isOver((await summaryOf(record, false)).state)) {
        await record.write({ t: 'stop' });
        await stopAndWait(id);
      }
      return infoOf(id);
    },
    /**
     * Pauses the batch for every process, until it is resumed with the same mark or the pause is over. It
     * resolves once nothing of the batch is in flight; at once where nothing is still to be sent.
     * @throws ConfigError when it cannot be stored; InputError if items in flight do not end: the batch stays
     * paused
     */
    async pause(id: string, mark: string): Promise<void> {
      const record = await open(id);
      if (record === undefined || isOver((await summaryOf(record, false)).state)) return;
      const now = clock.wallClock();
      await record.write({ t: 'paused', mark, until: now + MAX_PAUSE_MS }).catch((error: unknown) => {
        throw batchNotStoredError(error, folder);
      });
      if (await waitWhile(() => table.isHeld(id))) return;
      throw new InputError(
        'Something of the list is still on its way; nothing more of it is sent for now.',
        'Call again.',
      );
    },
    /** Resumes the batch. A resume that cannot be recorded is no error, because the pause ends by itself. */
    async resume(id: string, mark: string): Promise<void> {
      const record = await open(id);
      if (record === undefined || !Object.hasOwn(record.flags().pauses, mark)) return;
      await record.write({ t: 'resumed', mark }).catch(() => undefined);
    },
    /**
     * Withdraws items from the batch for good; without items the whole batch, which ends it. It resolves once
     * none of them is in flight.
     * @throws ConfigError when it cannot be stored; InputError if items in flight do not end: call again
     */
    async withdraw(id: string, items?: readonly number[]): Promise<void> {
      const record = await open(id);
      if (record === undefined) return;
      const valid = items?.filter((item) => item < record.head.total);
      await record.write({ t: 'withdrawn', items: valid }).catch((error: unknown) => {
        throw batchNotStoredError(error, folder);
      });
      const isLeaving = async () => {
        await record.refresh();
        return items?.some((i) => record.phaseOf(i) === 'sending') === true && (await isAtWork(id));
      };
      if (await (items === undefined ? stopAndWait(id) : waitWhile(isLeaving))) return;
      throw new InputError(
        'Something of the list is still on its way; nothing was taken back yet.',
        'Call again.',
      );
    },
    /** Returns true if all or some of the newest batch of these arguments was withdrawn. */
    async wasTakenBack(account: string, owner: string, asked: string): Promise<boolean> {
      let newest: BatchRecord | undefined;
      for (const { id } of await table.list()) {
        const head = await table.head(id);
        if (head === undefined || head.account !== account || head.owner !== owner || head.asked !== asked)
          continue;
        const record = await open(id);
        if (record !== undefined && record.head.createdAt >= (newest?.head.createdAt ?? 0)) newest = record;
      }
      return newest?.flags().hasWithdrawn === true;
    },
    /** Returns open batches, and those that ended unreported within two days, oldest first. */
    unfinished: (account: string, owner: string) =>
      unreported(({ head }) => head.account === account && head.owner === owner),
    /** Returns the same for all accounts. */
    list: () => unreported(() => true),
    async markTold(id: string): Promise<void> {
      // A report that cannot be recorded is repeated.
      await table.markTold(id).catch(() => undefined);
      records.delete(id);
      inMemory.delete(id);
    },
    /** Returns true while anything is sent or checked here. */
    isAtWork: runs.isAtWork,
    /**
     * Ends every run between two items.
     * @param why the reason in the summary of a batch that is left unfinished
     */
    close: runs.close,
  };
}

/** @throws InputError if the user has the max number of open batches */
async function checkMaxOpen(
  { most }: Pick<BatchesOptions, 'most'>,
  list: () => Promise<readonly BatchSummary[]>,
): Promise<void> {
  if (most === undefined) return;
  const open = (await list()).filter(({ state }) => !isOver(state));
  if (open.length < most) return;
  throw new InputError(
    `You have ${most} lists of writes open already, which is the most here; nothing was sent.`,
    `Let one end, or stop one: ${open.map(({ id }) => id).join(', ')}.`,
  );
}

/**
 * Chooses how the items are stored.
 * @throws BatchWaitsError if other replicas could read what is not sealed
 */
async function storageOf(
  { personal }: ConfirmedBatch,
  { sealer, isShared = false }: Pick<BatchesOptions, 'sealer' | 'isShared'>,
): Promise<StorageMode> {
  if (await sealer.canSeal()) return 'sealed';
  if (isShared)
    throw new BatchWaitsError('There is no key to seal the list with.', 'Call again once there is.');
  return personal ? 'memory' : 'clear';
}

function openError({ words }: BatchSummary): InputError {
  return new InputError(
    `Another list of the same call is open: ${words}; nothing was sent.`,
    'The same call again goes on with it, or stop it first.',
  );
}

/** @throws InputError for an empty batch, and for a key that occurs twice */
function checkItems({ items, words }: ConfirmedBatch): void {
  if (items.length === 0) throw new InputError('The list is empty; there is nothing to send.', '');
  const seen = new Set<string>();
  for (const { key } of items) {
    if (seen.has(key)) throw new InputError(`${key} stands twice in the list (${words}).`, 'Name it once.');
    seen.add(key);
  }
}

/** Returns the item as a read from the disk would. */
const asRead = ({ key, value }: BatchItem): BatchItem => ({
  key,
  value: parseJson(JSON.stringify(value) ?? 'null'),
});

function freeId(stored: readonly string[], randomId: () => string): string {
  const taken = new Set(stored);
  for (;;) {
    const id = randomId();
    if (!taken.has(id)) return id;
  }
}

// The runs of this process, and those that it watches, work in the background and outlive the call that began
// them.

/** The interval for checking another process's work, and for repeating a read that failed. */
const WATCH_MS = 500;

/** The max time for items in flight when the session ends. */
const LAST_ITEM_MS = 1_200;
/** The max time after that to record the items that were given up. */
const LAST_WRITE_MS = 300;

interface BatchRun {
  /** Resolves when the run has ended; it never rejects. */
  ended: Promise<void>;
  isElsewhere: boolean;
  record: Pick<BatchRecord, 'write'>;
  /** Resolves to false when the time is over, or the caller has gone. */
  wait(options: BatchWait): Promise<boolean>;
  /** Ends the run between two items. */
  end(): void;
}

function createBatchRuns({ table, clock }: { table: BatchTable; clock: Clock }) {
  const entries = new Map<string, BatchRun>();
  const reasons = new Map<string, string | undefined>();
  const ending = new AbortController();
  const timeUp = new AbortController();
  for (const { signal } of [ending, timeUp]) setMaxListeners(0, signal);

  const start = (record: BatchRecord, items: readonly BatchItem[], sender: Sender): BatchRun => {
    const { id, createdAt, total } = record.head;
    const own = new AbortController();
    const listeners = new Set<(progress: BatchProgress) => void>();
    const report = (why: string | undefined) => {
      reasons.set(id, why);
      const done = total - countsOf(record).pending;
      for (const listen of listeners) listen({ done, total, why });
    };
    const entry: BatchRun = {
      ended: Promise.resolve(),
      isElsewhere: false,
      record,
      wait: (options) => waitFor(entry, listeners, options, clock),
      end: () => own.abort(),
    };
    const age = clock.wallClock() - createdAt;
    const until = clock.now() + BATCH_LIFETIME_MS - Math.max(0, age);
    const parts = { record, items, sender, clock, tell: report, signal: timeUp.signal };
    // Both clocks count, because one may be set, and the other stops while the computer sleeps.
    const maySend = () => clock.now() < until && !isExpired(createdAt, clock.wallClock());
    const work = workOn(entry, {
      ...parts,
      table,
      maySend,
      ending: AbortSignal.any([ending.signal, own.signal]),
    });
    entry.ended = work
      .catch((error: unknown) => runEndReason(error))
      .then((why) => {
        reasons.set(id, why);
        entries.delete(id);
      });
    entries.set(id, entry);
    reasons.delete(id);
    return entry;
  };
  return {
    /** Returns the current run; undefined if there is none. */
    find: (id: string) => entries.get(id),
    start,
    /** Returns why the last run ended early, or what it waits for. */
    whyOf: (id: string) => reasons.get(id),
    isAtWork: () => [...entries.values()].some(({ isElsewhere }) => !isElsewhere),
    async close(why?: string): Promise<void> {
      const own = [...entries.values()].filter(({ isElsewhere }) => !isElsewhere);
      ending.abort();
      const all = Promise.all([...entries.values()].map(({ ended }) => ended));
      await within(all, LAST_ITEM_MS, clock);
      timeUp.abort();
      await within(all, LAST_WRITE_MS, clock);
      if (why === undefined) return;
      const halted = { t: 'halted', why } as const;
      await Promise.allSettled(own.map(({ record }) => record.write(halted)));
    },
  };
}

type BatchWorkParts = Omit<Parameters<typeof sendBatch>[0], 'run' | 'isOurs'> & { table: BatchTable };

/** Works on the batch as soon as no other process does. */
async function workOn(entry: BatchRun, parts: BatchWorkParts): Promise<string | undefined> {
  const { table, record, clock, ending, tell: report } = parts;
  let until = clock.now() + GIVE_UP_MS;
  while (!ending.aborted) {
    let lease: Lease | undefined;
    try {
      if (await awaitPause(parts)) until = clock.now() + GIVE_UP_MS;
      lease = await table.hold(record.head.id);
      await record.refresh();
      until = clock.now() + GIVE_UP_MS;
      entry.isElsewhere = lease === undefined;
      if (lease === undefined) {
        report(undefined);
        if (countsOf(record).pending === 0) return undefined;
      } else {
        const { silent } = lease;
        if (silent !== undefined) await record.write({ t: 'silent', mark: silent });
        const why = await sendBatch({ ...parts, run: lease.mark, isOurs: lease.isOurs });
        if (why !== ELSEWHERE && why !== PAUSED) return why;
      }
    } catch (error) {
      if (!(error instanceof BatchWaitsError) || clock.now() > until) throw error;
      report(error.message);
    } finally {
      await lease?.release();
    }
    // The process that has it now gets time to finish.
    await sleep(clock, WATCH_MS, ending).catch(() => undefined);
  }
  return undefined;
}

/**
 * Waits for the end of the pause without a claim on the batch, so that the process that paused it sees that
 * nothing is in flight.
 */
async function awaitPause({ record, clock, ending, tell: report }: BatchWorkParts): Promise<boolean> {
  let hasWaited = false;
  for (;;) {
    await record.refresh();
    const until = record.pausedUntil(clock.wallClock());
    if (until === undefined || ending.aborted) return hasWaited;
    hasWaited = true;
    report(formatPause(until));
    await sleep(clock, WATCH_MS, ending).catch(() => undefined);
  }
}

function waitFor(
  entry: BatchRun,
  listeners: Set<(progress: BatchProgress) => void>,
  { until, signal, onProgress }: BatchWait,
  clock: Clock,
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (hasEnded: boolean) => {
      stopTimer();
      signal.removeEventListener('abort', leave);
      listeners.delete(onProgress);
      resolve(hasEnded);
    };
    const leave = () => end(false);
    const stopTimer = clock.after(Math.max(0, until - clock.now()), leave);
    signal.addEventListener('abort', leave);
    listeners.add(onProgress);
    void entry.ended.then(() => end(true));
    if (signal.aborted) leave();
  });
}

async function within(work: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  await new Promise<void>((resolve) => {
    const stopTimer = clock.after(ms, resolve);
    void work.then(() => {
      stopTimer();
      resolve();
    });
  });
}

// The batches of this computer, or those in the store that replicas share, use the machine's own clock.

interface OpenOptions {
  /** The store that also has the journal; nothing is created yet. */
  store: Store;
  sealer: Sealer;
  by?: Author | undefined;
  most?: number | undefined;
  /** The shared store: any replica can resume the batches in it. */
  shared?: SharedStore | undefined;
}

export function openBatches({ store, sealer, by, most, shared }: OpenOptions) {
  return createBatches({
    folder: store.folder,
    sealer,
    by,
    most,
    table: openBatchTable(shared === undefined ? localBatches(store) : sharedBatches(shared)),
    isShared: shared !== undefined,
    clock: systemClock,
    randomId: () => randomBytes(4).toString('hex'),
  });
}
