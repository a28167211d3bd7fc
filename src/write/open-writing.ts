/** Opens a session's parts for writing: each part is opened at first use and closed with the session. */

import { closeCreated, lazy } from '../base/lazy.ts';
import type { Client } from '../call/client-types.ts';
import type { Changes } from '../data/tables/table-types.ts';
import type { WorkerPool } from '../data/tables/worker-thread.ts';
import type { PersonalData } from '../privacy/personal/personal-data.ts';
import type { Sealer } from '../privacy/sealed/sealer.ts';
import type { Redactor } from '../privacy/secrets/redact.ts';
import type { SessionSettings } from '../render/reading-session.ts';
import type { Replicas } from '../replicas/sealed.ts';
import type { Store } from '../store/store.ts';
import type { ApprovalPagesOptions } from './approval/page/approval-pages.ts';
import type { SharedApprovals } from './approval/shared-approvals.ts';
import type { Author } from './records/author.ts';
import type { WritesOfReplicas } from './records/writes-of-replicas.ts';
import type { stopBatches } from './run/batches/stop-batches.ts';
import type { WriteGuardOptions } from './write-guard.ts';

interface WritingParts {
  mode(account: string): SessionSettings['writes'];
  /** Returns why writes of an account are switched off, where the setting is not the reason. */
  denied?: WriteGuardOptions['denied'];
  /** The user of the session, where several users share the accounts. */
  by?: Author | undefined;
  /** The maximum number of batches that this user may have open at once; unlimited if absent. */
  mostLists?: number | undefined;
  client(): Promise<Client>;
  redactor: Redactor;
  personal(): Promise<PersonalData>;
  sealer(): Promise<Sealer>;
  /** Returns the store that the replicas share; undefined if this process is alone. */
  replicas(): Promise<Replicas | undefined>;
  /** Returns the channel that publishes writes to other replicas and reads theirs. */
  otherWrites(): Promise<WritesOfReplicas | undefined>;
  /** Opens the store of the journal and of the batches. */
  stateStore(): Promise<Store>;
  keepHistoryDays(): number;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** The worker threads that several users share; undefined where one user has threads of their own. */
  contentWorkers?: (() => WorkerPool) | undefined;
  outside: ApprovalPagesOptions['outside'];
}

/** The owner of sessions in a process with one user. The key that seals their data tells such users apart. */
const LOCAL = 'local';

/** The parts of a process without replicas: what it stores is all there is. */
const UNSHARED_APPROVALS: SharedApprovals = {
  codes: (_kind, alone) => alone,
  calls: (alone) => alone,
  lists: (alone) => alone,
};

/** The bundle gives the worker this name. */
const CONTENT_WORKER = 'content-worker.mjs';

const monotonic = { now: () => performance.now() };

export function openWriting(parts: WritingParts) {
  const { client, redactor, personal, sealer, stateStore, now, outside, by } = parts;
  // One journal serves the machine. Each session's secrets are redacted in it, and it names the owner of each
  // write.
  const journal = lazy(async () => {
    const [{ randomUUID }, { createJournal }, { sha256 }, { maskRecord }, masking] = await Promise.all([
      import('node:crypto'),
      import('./records/journal/journal.ts'),
      import('../base/canonical-json.ts'),
      import('./records/journal/mask.ts'),
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
      // Batches are shared only if this process has a key to seal them.
      shared: replicas !== undefined && (await own.canSeal()) ? replicas.store : undefined,
      by,
      most: parts.mostLists,
    });
  });
  const readings = lazy(async () => {
    const { createBackgroundReads } = await import('./handlers/listing/background-reads.ts');
    return createBackgroundReads(monotonic);
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
  const approvalPages = lazy(async () => {
    const { createApprovalPages } = await import('./approval/page/approval-pages.ts');
    return createApprovalPages(parts);
  });
  const shared = lazy(async (): Promise<SharedApprovals> => {
    const replicas = await parts.replicas();
    if (replicas === undefined) return UNSHARED_APPROVALS;
    const { createSharedApprovals } = await import('./approval/shared-approvals.ts');
    return createSharedApprovals(by?.id ?? LOCAL, personal, replicas);
  });
  const confirmations = async (kind: 'code' | 'question') => {
    const { createConfirmations, createIssuedCodes } = await import('./approval/confirmation.ts');
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
    yesPages: approvalPages,
    toldUnfinished: new Set<string>(),
    // Codes and questions belong to this session alone.
    writeGuard: lazy(() => openGuard(parts.mode)),
    /** The guard for a caller whose login may not write, whatever the session may do. */
    readOnlyGuard: lazy(() => openGuard(() => 'deny')),
    shownCalls: lazy(async () => {
      const { createShownCalls, createCallStore } = await import('./approval/shown-store.ts');
      return createShownCalls((await shared()).calls(createCallStore(monotonic.now)));
    }),
    shownBatches: lazy(async () => {
      const { createBatchStore } = await import('./approval/shown-store.ts');
      return (await shared()).lists(createBatchStore(monotonic.now));
    }),
    /**
     * Returns the writes from here, for the tables of an account.
     * @param ownerDigest the digest of its owner
     */
    async changes(account: string, ownerDigest: string): Promise<Changes> {
      const { readChanges } = await import('./records/changes-table.ts');
      const [own, masking] = await Promise.all([journal(), personal()]);
      return readChanges({ account, ownerDigest, journal: own, personal: masking });
    },
    /**
     * Stops running batches between two items. It needs the client, because a sent item still awaits its
     * response.
     */
    async endLists(why?: string): Promise<void> {
      await (await batches.made()?.catch(() => undefined))?.close(why);
    },
    /** Returns true if a batch is running here. */
    async hasListAtWork(): Promise<boolean> {
      return (await batches.made()?.catch(() => undefined))?.isAtWork() === true;
    },
    close: () => closeCreated(readings, contentThreads, approvalPages),
    /** Resolves when all journal writes have finished. */
    async settled(): Promise<void> {
      await (await journal.made())?.settled();
    },
  };
}

/**
 * Stops running or unfinished batches, whichever process works on them, without a session.
 * @param of the arguments of `stopBatches`
 * @throws what `stopBatches` throws
 */
export async function stopSessionBatches(...of: Parameters<typeof stopBatches>) {
  const { stopBatches: stop } = await import('./run/batches/stop-batches.ts');
  return stop(...of);
}
