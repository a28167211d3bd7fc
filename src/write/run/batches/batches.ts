/** The batches of this computer, or of replicas: begun, found again by what was asked, run, stopped, told. */

import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { type Clock, sleep, systemClock } from '../../../base/clock.ts';
import { InputError } from '../../../base/errors.ts';
import { parseJson } from '../../../base/json.ts';
import type { Lease } from '../../../disk/leases.ts';
import type { Store } from '../../../disk/store.ts';
import type { Sealer } from '../../../privacy/sealed/sealer.ts';
import type { SharedStore } from '../../../replicas/shared-store.ts';
import type { Author } from '../../keep/author.ts';
import {
  type BatchItem,
  type BatchProgress,
  type BatchWait,
  BatchWaitsError,
  KEPT_MS,
  type KeptInMemory,
  MAX_PAUSE_MS,
  type Sender,
} from './batch.ts';
import { type Kept, makeContent } from './batch-content.ts';
import { type BatchTable, localBatches, openBatchTable, sharedBatches } from './batch-table.ts';
import { type BatchRecord, openRecord, pausedWords } from './record.ts';
import { ELSEWHERE, GIVE_UP_MS, PAUSED, sendBatch } from './send-batch.ts';
import { notBegun, notGoingOn } from './store-failures.ts';
import type { BatchInfo, BatchSummary } from './summary.ts';
import { countsOf, GOES_ON_MS, inform, isExpired, isOver, summarize } from './summary.ts';

/** How a batch ended is told to whoever asks the same within this time of its yes; later the same call is a new one. */
const TOLD_WITHIN_MS = 2 * GOES_ON_MS;

/** How long the word to stop is waited for, and how often it is looked at. */
const STOPS_WITHIN_MS = 10_000;
const LOOK_MS = 100;

/** What was confirmed, once and as a whole. */
export interface BatchList
  extends Pick<BatchSummary, 'account' | 'owner' | 'tool' | 'asked' | 'digest' | 'words'>,
    KeptInMemory {
  /** Where left out, as it begins. */
  shownAt?: number;
  /** True where an item's value holds personal data: without a key it is not written to the disk, and cannot go on after its process. */
  personal: boolean;
}

interface BatchesOptions {
  /** For errors. */
  folder: string;
  table: BatchTable;
  /** Others have it too: nothing in the clear is put there. */
  isShared?: boolean | undefined;
  sealer: Sealer;
  clock: Clock;
  /** Eight hexadecimal digits. */
  randomId(): string;
  /** Who says yes here, where several people use the same account. */
  by?: Author | undefined;
  /** Lists of that one which may be open at once. */
  most?: number | undefined;
}

export type Batches = ReturnType<typeof createBatches>;

export function createBatches(options: BatchesOptions) {
  const { folder, table, sealer, clock, randomId, by } = options;
  const runs = createBatchRuns({ table, clock });
  const records = new Map<string, Promise<BatchRecord | undefined>>();
  const inMemory = new Map<string, KeptInMemory>();
  const unreadable = new Set<string>();

  /** One record for all: what may not be written is known to it alone. */
  const open = async (id: string): Promise<BatchRecord | undefined> => {
    const known = records.get(id);
    if (known !== undefined) {
      const record = await known;
      // What is under way here is known here also while it can be read nowhere else.
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
      // Nobody may take it for one that is not there.
      records.delete(id);
      throw error;
    }
  };
  const summaryOf = async (record: BatchRecord, isTold: boolean): Promise<BatchSummary> => {
    const { id, kept } = record.head;
    const entry = runs.find(id);
    return summarize(record, {
      running: entry && (entry.isElsewhere ? 'elsewhere' : 'under_way'),
      isHeld: entry === undefined && (await table.isHeld(id)),
      isReadable: (kept !== 'memory' || inMemory.has(id)) && !unreadable.has(id),
      why: runs.whyOf(id),
      isTold,
      now: clock.wallClock(),
    });
  };
  /** Summarizes what somebody has to be told about; what was told is in the store alone, and what was taken back was told with that. */
  const untold = async (accepts: (record: BatchRecord) => boolean): Promise<BatchSummary[]> => {
    const found: BatchSummary[] = [];
    for (const { id, isTold } of await table.list()) {
      const record = isTold ? undefined : await open(id);
      if (record === undefined || !accepts(record)) continue;
      const summary = await summaryOf(record, false);
      if (isOver(summary.state) && summary.isWithdrawn) continue;
      const isOld = Math.abs(clock.wallClock() - summary.createdAt) > TOLD_WITHIN_MS;
      if (!isOver(summary.state) || !isOld) found.push(summary);
    }
    return found.sort((one, other) => one.createdAt - other.createdAt);
  };
  const infoOf = async (id: string): Promise<BatchInfo | undefined> => {
    const record = await open(id);
    if (record === undefined) return undefined;
    const isListedTold = async () => (await table.list()).some((stored) => stored.id === id && stored.isTold);
    // Nobody was told of what is under way.
    const isTold = runs.find(id) === undefined && (await isListedTold());
    return inform(record, await summaryOf(record, isTold));
  };
  /** The open one of the same call. */
  const findSame = async ({ account, owner, asked }: Pick<BatchList, 'account' | 'owner' | 'asked'>) => {
    const same = await untold(
      ({ head }) => head.account === account && head.owner === owner && head.asked === asked,
    );
    const isOpen = ({ state }: BatchSummary) => !isOver(state);
    return same.findLast(isOpen) ?? same.at(-1);
  };
  const isAtWork = async (id: string) => runs.find(id) !== undefined || (await table.isHeld(id));
  /** False where it still does after ten seconds. */
  const waitWhile = async (holds: () => Promise<boolean>): Promise<boolean> => {
    const until = clock.now() + STOPS_WITHIN_MS;
    for (;;) {
      if (!(await holds())) return true;
      if (clock.now() >= until) return false;
      await sleep(clock, LOOK_MS, new AbortController().signal);
    }
  };
  const stopAndWait = (id: string) => {
    runs.find(id)?.end();
    return waitWhile(() => isAtWork(id));
  };

  /** @throws InputError as `begin`; the system's error, and what the sealer throws, when it cannot be written */
  const beginBatch = async (list: BatchList) => {
    checkItems(list);
    const kept = await howKept(list, options);
    for (;;) {
      const stored = (await table.list()).map(({ id }) => id);
      const same = await findSame(list);
      if (same !== undefined && !isOver(same.state)) {
        if (same.digest !== list.digest) throw anotherIsOpen(same);
        return { id: same.id, isNew: false };
      }
      await checkMost(options, () => untold(({ head }) => head.by?.id === by?.id));
      const id = freeId(stored, randomId);
      const { account, owner, tool, asked, digest, words, shownAt, items } = list;
      const createdAt = clock.wallClock();
      const head = { id, account, owner, by, tool, asked, digest, words, shownAt, createdAt };
      // Items that may not be written are remembered first, so that a reader of the list finds them too.
      if (kept === 'memory') inMemory.set(id, { items: items.map(asRead), takenOut: list.takenOut });
      if (await table.create(await makeContent(head, list, kept, sealer), stored)) return { id, isNew: true };
      // Another process has begun one meanwhile, which may be the same.
      inMemory.delete(id);
    }
  };

  return {
    /**
     * Puts the list on the disk, synced; nothing is sent yet. The very same list of the same call that is open already
     * is that batch: it is not begun twice.
     * @throws ConfigError when it cannot be written: nothing may be sent
     * @throws InputError for a list without items, with a key twice, or while another list of the same call is open
     */
    async begin(list: BatchList): Promise<{ id: string; isNew: boolean }> {
      await table.sweep(KEPT_MS).catch(() => undefined);
      return beginBatch(list).catch((error: unknown) => {
        throw error instanceof InputError ? error : notBegun(error, folder);
      });
    },
    /** The newest of these arguments that is open, else the newest that ended within two days without anybody being told. */
    async find(account: string, owner: string, asked: string): Promise<BatchInfo | undefined> {
      const found = await findSame({ account, owner, asked });
      return found && infoOf(found.id);
    },
    /** Without its items: of a long list they take a while. */
    async summary(id: string): Promise<BatchSummary | undefined> {
      const record = await open(id);
      return record && summaryOf(record, false);
    },
    /** Undefined where there is none of that name. */
    info: infoOf,
    /**
     * Goes on in the background, with the sender of the first call; the same batch twice gives the same run. Where another
     * process works on it, it is watched, and taken over only if that one is gone.
     * @throws InputError where there is no such batch
     */
    async run(id: string, sender: Sender) {
      const record = await open(id);
      if (record === undefined) throw new InputError(`There is no batch ${id}.`, '');
      const items = await record.items();
      const entry = runs.find(id) ?? (items && runs.start(record, items, sender));
      if (entry === undefined) {
        // Nothing of it can be sent or looked at any more: that is its end.
        unreadable.add(id);
        await record.write({ t: 'stop' });
      }
      return {
        /** How it ended; undefined when the time is over or the caller has gone, and it goes on. */
        wait: async (wait: BatchWait) => ((await entry?.wait(wait)) === false ? undefined : infoOf(id)),
      };
    },
    /** Ends it between two items, in whichever process, and resolves when that has happened (10 s at most). */
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
     * @throws ConfigError when it cannot be written down; InputError where what is on its way does not end:
     *   it stays paused
     */
    async pause(id: string, mark: string): Promise<void> {
      const record = await open(id);
      if (record === undefined || isOver((await summaryOf(record, false)).state)) return;
      const now = clock.wallClock();
      await record.write({ t: 'paused', mark, until: now + MAX_PAUSE_MS }).catch((error: unknown) => {
        throw notBegun(error, folder);
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
     * Items that are taken back leave their list for good; without items the whole list, which ends it. Resolves once
     * nothing of them is on its way any more.
     * @throws ConfigError when it cannot be written down; InputError where what is on its way does not end: call again
     */
    async withdraw(id: string, items?: readonly number[]): Promise<void> {
      const record = await open(id);
      if (record === undefined) return;
      const those = items?.filter((item) => item < record.head.total);
      await record.write({ t: 'withdrawn', items: those }).catch((error: unknown) => {
        throw notBegun(error, folder);
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
    /** Whether all or some of the newest list of these arguments was taken back. */
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
    /** Open ones, and those that ended within two days without anybody being told, oldest first. */
    unfinished: (account: string, owner: string) =>
      untold(({ head }) => head.account === account && head.owner === owner),
    /** Of all accounts. */
    list: () => untold(() => true),
    async markTold(id: string): Promise<void> {
      // Where it cannot be written, it is told once more.
      await table.markTold(id).catch(() => undefined);
      records.delete(id);
      inMemory.delete(id);
    },
    /** Whether anything is sent or looked at here by now. */
    isAtWork: runs.isAtWork,
    /** Ends every run between two items. @param why told to whoever finds one of them unfinished */
    close: runs.close,
  };
}

/** @throws InputError where the person has as many open as they may */
async function checkMost(
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

/** @throws BatchWaitsError where others could read what is not sealed */
async function howKept(
  { personal }: BatchList,
  { sealer, isShared = false }: Pick<BatchesOptions, 'sealer' | 'isShared'>,
): Promise<Kept> {
  if (await sealer.canSeal()) return 'sealed';
  if (isShared)
    throw new BatchWaitsError('There is no key to seal the list with.', 'Call again once there is.');
  return personal ? 'memory' : 'clear';
}

function anotherIsOpen({ words }: BatchSummary): InputError {
  return new InputError(
    `Another list of the same call is open: ${words}; nothing was sent.`,
    'The same call again goes on with it, or stop it first.',
  );
}

/** @throws InputError for none, and for a key that is there twice */
function checkItems({ items, words }: BatchList): void {
  if (items.length === 0) throw new InputError('The list is empty; there is nothing to send.', '');
  const seen = new Set<string>();
  for (const { key } of items) {
    if (seen.has(key)) throw new InputError(`${key} stands twice in the list (${words}).`, 'Name it once.');
    seen.add(key);
  }
}

/** As it comes back from the disk. */
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

// Those that this process works on or watches: in the background, beyond the call that began them.

/** How often another process's work is looked at, and what could not be read for now is read again. */
const WATCH_MS = 500;

/** What is under way may take so long to end when the session does. */
const LAST_ITEM_MS = 1_200;
/** Then it is given up, and that is written down. */
const LAST_LINE_MS = 300;

interface RunEntry {
  /** Never rejects. */
  ended: Promise<void>;
  isElsewhere: boolean;
  record: Pick<BatchRecord, 'write'>;
  /** False when the time is over, or the caller has gone. */
  wait(options: BatchWait): Promise<boolean>;
  /** Ends it between two items. */
  end(): void;
}

function createBatchRuns({ table, clock }: { table: BatchTable; clock: Clock }) {
  const entries = new Map<string, RunEntry>();
  const whys = new Map<string, string | undefined>();
  const ending = new AbortController();
  const timeUp = new AbortController();
  for (const { signal } of [ending, timeUp]) setMaxListeners(0, signal);

  const start = (record: BatchRecord, items: readonly BatchItem[], sender: Sender): RunEntry => {
    const { id, createdAt, total } = record.head;
    const own = new AbortController();
    const listeners = new Set<(progress: BatchProgress) => void>();
    const tell = (why: string | undefined) => {
      whys.set(id, why);
      const done = total - countsOf(record).pending;
      for (const listen of listeners) listen({ done, total, why });
    };
    const entry: RunEntry = {
      ended: Promise.resolve(),
      isElsewhere: false,
      record,
      wait: (options) => waitFor(entry, listeners, options, clock),
      end: () => own.abort(),
    };
    const age = clock.wallClock() - createdAt;
    const until = clock.now() + GOES_ON_MS - Math.max(0, age);
    const parts = { record, items, sender, clock, tell, signal: timeUp.signal };
    // By both clocks: one may be set, and the other one stands still while the computer sleeps.
    const maySend = () => clock.now() < until && !isExpired(createdAt, clock.wallClock());
    const work = workOn(entry, {
      ...parts,
      table,
      maySend,
      ending: AbortSignal.any([ending.signal, own.signal]),
    });
    entry.ended = work
      .catch((error: unknown) => notGoingOn(error))
      .then((why) => {
        whys.set(id, why);
        entries.delete(id);
      });
    entries.set(id, entry);
    whys.delete(id);
    return entry;
  };
  return {
    /** The one that is under way; undefined where none is. */
    find: (id: string) => entries.get(id),
    start,
    /** Why the last one ended before its time, or what it waits for. */
    whyOf: (id: string) => whys.get(id),
    isAtWork: () => [...entries.values()].some(({ isElsewhere }) => !isElsewhere),
    async close(why?: string): Promise<void> {
      const own = [...entries.values()].filter(({ isElsewhere }) => !isElsewhere);
      ending.abort();
      const all = Promise.all([...entries.values()].map(({ ended }) => ended));
      await within(all, LAST_ITEM_MS, clock);
      timeUp.abort();
      await within(all, LAST_LINE_MS, clock);
      if (why === undefined) return;
      const halted = { t: 'halted', why } as const;
      await Promise.allSettled(own.map(({ record }) => record.write(halted)));
    },
  };
}

type WorkParts = Omit<Parameters<typeof sendBatch>[0], 'run' | 'isOurs'> & { table: BatchTable };

/** Works on it as soon as nobody else does. */
async function workOn(entry: RunEntry, parts: WorkParts): Promise<string | undefined> {
  const { table, record, clock, ending, tell } = parts;
  let until = clock.now() + GIVE_UP_MS;
  while (!ending.aborted) {
    let lease: Lease | undefined;
    try {
      if (await hasPaused(parts)) until = clock.now() + GIVE_UP_MS;
      lease = await table.hold(record.head.id);
      await record.refresh();
      until = clock.now() + GIVE_UP_MS;
      entry.isElsewhere = lease === undefined;
      if (lease === undefined) {
        tell(undefined);
        if (countsOf(record).pending === 0) return undefined;
      } else {
        const { silent } = lease;
        if (silent !== undefined) await record.write({ t: 'silent', mark: silent });
        const why = await sendBatch({ ...parts, run: lease.mark, isOurs: lease.isOurs });
        if (why !== ELSEWHERE && why !== PAUSED) return why;
      }
    } catch (error) {
      if (!(error instanceof BatchWaitsError) || clock.now() > until) throw error;
      tell(error.message);
    } finally {
      await lease?.release();
    }
    // Whoever has it now has to come to something.
    await sleep(clock, WATCH_MS, ending).catch(() => undefined);
  }
  return undefined;
}

/**
 * Waits for the end of the pause without a claim on the batch, so that the process that paused it sees that
 * nothing is in flight.
 */
async function hasPaused({ record, clock, ending, tell }: WorkParts): Promise<boolean> {
  let hasWaited = false;
  for (;;) {
    await record.refresh();
    const until = record.pausedUntil(clock.wallClock());
    if (until === undefined || ending.aborted) return hasWaited;
    hasWaited = true;
    tell(pausedWords(until));
    await sleep(clock, WATCH_MS, ending).catch(() => undefined);
  }
}

function waitFor(
  entry: RunEntry,
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

// Opens the batches of this computer, or those in the store that replicas share, with the machine's own clock.

interface OpenOptions {
  /** The journal lies in it too; nothing is created yet. */
  store: Store;
  sealer: Sealer;
  by?: Author | undefined;
  most?: number | undefined;
  /** Any replica goes on with the lists in it. */
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
