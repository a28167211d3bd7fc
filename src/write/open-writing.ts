/** What a session has for its writes: each part is opened when it is first needed, and ends with the session. */

import { closeMade, lazy } from '../base/lazy.ts';
import type { Client } from '../call/client-types.ts';
import type { Changes } from '../data/tables/table-types.ts';
import type { WorkerPool } from '../data/tables/worker-thread.ts';
import type { Store } from '../disk/store.ts';
import type { PersonalData } from '../privacy/personal/personal-data.ts';
import type { Sealer } from '../privacy/sealed/sealer.ts';
import type { Redactor } from '../privacy/secrets/redact.ts';
import type { Replicas } from '../replicas/sealed.ts';
import type { SessionSettings } from '../tell/reading-session.ts';
import type { YesPagesOptions } from './ask/page/yes-pages.ts';
import type { SharedAsking } from './ask/shown-of-replicas.ts';
import type { Author } from './keep/author.ts';
import type { WritesOfReplicas } from './keep/writes-of-replicas.ts';
import type { stopBatches } from './run/batches/stop-batches.ts';
import type { WriteGuardOptions } from './write-guard.ts';

interface WritingParts {
  mode(account: string): SessionSettings['writes'];
  /** Why writes of an account are switched off, where that is not the setting. */
  denied?: WriteGuardOptions['denied'];
  /** Whose session it is, where several people use the same accounts. */
  by?: Author | undefined;
  /** Lists of this person that may be open at once; any number where left out. */
  mostLists?: number | undefined;
  client(): Promise<Client>;
  redactor: Redactor;
  personal(): Promise<PersonalData>;
  sealer(): Promise<Sealer>;
  /** What the processes of one application have together; undefined where this one is alone. */
  replicas(): Promise<Replicas | undefined>;
  /** Where what this one writes is told to the others, and what they write is read. */
  otherWrites(): Promise<WritesOfReplicas | undefined>;
  /** Opens the store of the journal and of the lists. */
  stateStore(): Promise<Store>;
  keepHistoryDays(): number;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The worker threads that several users share; undefined where one user has threads of their own. */
  contentWorkers?: (() => WorkerPool) | undefined;
  outside: YesPagesOptions['outside'];
}

/** Whose sessions are where there is one person: told from others by the key that what they have is sealed under. */
const LOCAL = 'local';

/** Where this process has no others, what it keeps is all there is. */
const ALONE: SharedAsking = {
  codes: (_kind, alone) => alone,
  calls: (alone) => alone,
  lists: (alone) => alone,
};

/** The bundle gives the worker this name. */
const CONTENT_WORKER = 'content-worker.mjs';

const monotonic = { now: () => performance.now() };

export function openWriting(parts: WritingParts) {
  const { client, redactor, personal, sealer, stateStore, now, outside, by } = parts;
  // One for the machine, in which each session's secrets are blotted out: whose a write is stands in it.
  const journal = lazy(async () => {
    const [{ randomUUID }, { createJournal }, { sha256 }, { maskRecord }, masking] = await Promise.all([
      import('node:crypto'),
      import('./keep/journal/journal.ts'),
      import('../base/canonical-json.ts'),
      import('./keep/journal/mask.ts'),
      personal(),
    ]);
    const others = await parts.otherWrites();
    return createJournal({
      store: await stateStore(),
      keepDays: parts.keepHistoryDays(),
      now,
      randomId: randomUUID,
      digest: sha256,
      sealer,
      redact: (record) => maskRecord(redactor.redactValue(record), masking),
      redactText: redactor.redact,
      by,
      wrote: others?.wrote,
      catchUp: others?.catchUp,
    });
  });
  const batches = lazy(async () => {
    const { openBatches } = await import('./run/batches/batches.ts');
    const own = await sealer();
    const replicas = await parts.replicas();
    return openBatches({
      store: await stateStore(),
      sealer: own,
      // Without a key nothing of a list is put where others are.
      shared: replicas !== undefined && (await own.canSeal()) ? replicas.store : undefined,
      by,
      most: parts.mostLists,
    });
  });
  const readings = lazy(async () => {
    const { createReadings } = await import('./handlers/listing/readings-under-way.ts');
    return createReadings(monotonic);
  });
  const contentThreads = lazy(async () => {
    const [{ createContentThreads }, { createWorkerPool }, { dirname, join }] = await Promise.all([
      import('./handlers/document/content/content-threads.ts'),
      import('../data/tables/worker-thread.ts'),
      import('node:path'),
    ]);
    const file = join(dirname(outside.entryFile), CONTENT_WORKER);
    return createContentThreads(parts.contentWorkers ?? (() => createWorkerPool(file)));
  });
  const yesPages = lazy(async () => {
    const { createYesPages } = await import('./ask/page/yes-pages.ts');
    return createYesPages(parts);
  });
  const shared = lazy(async (): Promise<SharedAsking> => {
    const replicas = await parts.replicas();
    if (replicas === undefined) return ALONE;
    const { askedByReplicas } = await import('./ask/shown-of-replicas.ts');
    return askedByReplicas(by?.id ?? LOCAL, personal, replicas);
  });
  const confirmations = async (kind: 'code' | 'question') => {
    const { createConfirmations, createIssuedCodes } = await import('./ask/confirmation.ts');
    return createConfirmations((await shared()).codes(kind, createIssuedCodes(monotonic.now)));
  };
  const openGuard = async (mode: WriteGuardOptions['mode']) => {
    const { createWriteGuard } = await import('./write-guard.ts');
    return createWriteGuard({
      mode,
      denied: parts.denied,
      client: await client(),
      journal: await journal(),
      codes: await confirmations('code'),
      questions: await confirmations('question'),
      ...monotonic,
    });
  };
  return {
    journal,
    batches,
    readings,
    contentThreads,
    yesPages,
    toldUnfinished: new Set<string>(),
    // Codes and questions are the session's own.
    writeGuard: lazy(() => openGuard(parts.mode)),
    /** For a caller who may not write with this login, whatever the session may. */
    readOnlyGuard: lazy(() => openGuard(() => 'deny')),
    shownCalls: lazy(async () => {
      const { createShownCalls, keepCalls } = await import('./ask/shown-before.ts');
      return createShownCalls((await shared()).calls(keepCalls(monotonic.now)));
    }),
    shownBatches: lazy(async () => {
      const { keepShownBatches } = await import('./ask/shown-before.ts');
      return (await shared()).lists(keepShownBatches(monotonic.now));
    }),
    /** Gives what was written from here, for the tables of an account. @param ownerDigest of its owner */
    async changes(account: string, ownerDigest: string): Promise<Changes> {
      const { readChanges } = await import('./keep/changes-table.ts');
      const [own, masking] = await Promise.all([journal(), personal()]);
      return readChanges({ account, ownerDigest, journal: own, personal: masking });
    },
    /** Ends lists that are under way between two items: what is on its way still needs the client. */
    async endLists(why?: string): Promise<void> {
      await (await batches.made()?.catch(() => undefined))?.close(why);
    },
    /** Whether a list is under way here. */
    async hasListAtWork(): Promise<boolean> {
      return (await batches.made()?.catch(() => undefined))?.isAtWork() === true;
    },
    close: () => closeMade(readings, contentThreads, yesPages),
    /** Resolves when nothing more is written to the journal. */
    async settled(): Promise<void> {
      await (await journal.made())?.settled();
    },
  };
}

/** Without a session: lists that are under way or unfinished, whichever process works on them. @param of as of `stopBatches` @throws as it does */
export async function stopSessionBatches(...of: Parameters<typeof stopBatches>) {
  const { stopBatches: stop } = await import('./run/batches/stop-batches.ts');
  return stop(...of);
}
