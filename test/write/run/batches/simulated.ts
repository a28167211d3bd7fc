/** A store, processes and a service that are cut off between any two steps: time passes only in them. */

import type { Sealer } from '../../../../src/privacy/sealed/sealer.ts';
import type { BatchItem, Sender, SendOutcome } from '../../../../src/write/run/batches/batch.ts';
import { type BatchTable, openBatchTable } from '../../../../src/write/run/batches/batch-table.ts';
import type { Batches, ConfirmedBatch } from '../../../../src/write/run/batches/batches.ts';
import { createBatches } from '../../../../src/write/run/batches/batches.ts';
import { type FakeClock, settled } from '../../../helpers/fake-clock.ts';
import type { SimulatedStore } from './simulated-store.ts';

/** There is no keychain. */
export const noKey: Sealer = {
  canSeal: async () => false,
  seal: () => Promise.reject(new Error('no key')),
  open: async () => undefined,
};

/** A key that anybody can read: what it sealed begins with `sealed:`. */
export const anyKey: Sealer = {
  canSeal: async () => true,
  seal: async (text) => `sealed:${Buffer.from(text).toString('base64')}`,
  open: async (text) => Buffer.from(text.slice('sealed:'.length), 'base64').toString(),
};

export function listOf(items: readonly BatchItem[], parts: Partial<ConfirmedBatch> = {}): ConfirmedBatch {
  return {
    account: 'shop',
    owner: 'mark',
    tool: 'change_listings',
    asked: 'asked',
    digest: 'digest',
    words: `${items.length} listings`,
    personal: false,
    items,
    ...parts,
  };
}

/** One process: after its steps it does nothing any more, in the midst of whatever it was at. */
export interface Process {
  /** Takes its time; whether the step takes effect at all is decided by `cut`. */
  step<T>(effect: (isCut: boolean) => T): Promise<T>;
  isDead(): boolean;
  kill(): void;
}

/** @param steps after how many it is killed */
export function createProcess(clock: FakeClock, random: () => number, steps: number): Process {
  let left = steps;
  const forEver = new Promise<never>(() => {});
  return {
    isDead: () => left < 0,
    kill: () => {
      left = -1;
    },
    async step(effect) {
      if (left < 0) return forEver;
      await clock.sleep(Math.ceil(random() * 20));
      if (left < 0) return forEver;
      const isCut = left-- === 0;
      const result = effect(isCut);
      if (isCut) return forEver;
      await clock.sleep(Math.ceil(random() * 20));
      return left < 0 ? forEver : result;
    },
  };
}

export interface TableOptions {
  /** All processes share it. */
  shared: SimulatedStore;
  process: Process;
  random: () => number;
  /** True where leases are no use: several believe that they hold one. */
  isLawless?: boolean;
}

/** Short, since whoever takes it up waits for its end. */
const LEASE_MS = 2_000;
/** Some steps of a process, which goes on all the same. */
const LAWLESS_MS = 300;

/**
 * Opens the table; without lease rules, it takes a lease from any holder after a moment, and the holder is
 * not told.
 */
function simulatedTable({ shared, process, random, isLawless = false }: TableOptions): BatchTable {
  const table = openBatchTable(shared.of(process, random, isLawless ? LAWLESS_MS : LEASE_MS));
  if (!isLawless) return table;
  return {
    ...table,
    async hold(id) {
      const lease = await table.hold(id);
      return lease && { ...lease, isOurs: async () => true };
    },
  };
}

type OfPerson = Pick<Parameters<typeof createBatches>[0], 'by' | 'most' | 'isShared'>;

export function simulatedBatches(
  options: TableOptions & OfPerson & { clock: FakeClock; sealer?: Sealer },
): Batches {
  let count = 0;
  return createBatches({
    folder: '/state/batches',
    clock: options.clock,
    sealer: options.sealer ?? anyKey,
    table: simulatedTable(options),
    by: options.by,
    most: options.most,
    isShared: options.isShared,
    randomId: () => (++count).toString(16).padStart(8, '0'),
  });
}

/** How the service treats an item, one time after the other; the last stays. */
export type Mood = 'accepts' | 'refuses' | 'waits' | 'no_token' | 'silent_applied' | 'silent' | 'unclear';

export interface Service {
  /** The requests that came, in order; `later`: certainly not applied. */
  sent: { key: string; value: unknown; mood: Mood; isApplied: boolean }[];
  applied: Map<string, number>;
  sender(process: Process): Sender;
}

export interface ServiceOptions {
  moods: ReadonlyMap<string, readonly Mood[]>;
  /** The keys that somebody else has changed since. */
  changed?: ReadonlySet<string>;
  /** The keys that cannot be read back. */
  unreadable?: ReadonlySet<string>;
  /** How often reading fails before it works. */
  failures?: number;
  atOnce?: number;
  random: () => number;
}

export function simulatedService(options: ServiceOptions): Service {
  const { moods, changed = new Set(), unreadable = new Set(), atOnce = 1 } = options;
  let failures = options.failures ?? 0;
  const sent: Service['sent'] = [];
  const applied = new Map<string, number>();
  const tries = new Map<string, number>();
  const answer = ({ key, value }: BatchItem, isCut: boolean): SendOutcome => {
    const all = moods.get(key) ?? [];
    const count = tries.get(key) ?? 0;
    tries.set(key, count + 1);
    const mood = all[Math.min(count, all.length - 1)] ?? 'accepts';
    const isApplied = mood === 'accepts' || mood === 'silent_applied';
    // Cut off before it arrived, or after.
    if (isCut && options.random() < 0.5) return { kind: 'unknown' };
    sent.push({ key, value, mood, isApplied });
    if (isApplied) applied.set(key, (applied.get(key) ?? 0) + 1);
    if (mood === 'waits') return { kind: 'later', why: '429', afterMs: 1000 };
    if (mood === 'no_token') return { kind: 'later', why: 'No token.', endsRun: true };
    if (mood === 'silent' || mood === 'silent_applied') throw new Error('no answer');
    if (mood === 'unclear') return { kind: 'unknown', why: 'unclear' };
    return mood === 'accepts'
      ? { kind: 'accepted', journalId: `j-${key}` }
      : { kind: 'not_accepted', why: 'no' };
  };
  return {
    sent,
    applied,
    sender: (process) => ({
      atOnce,
      send: (item) => process.step((isCut) => answer(item, isCut)),
      check: (items) =>
        process.step(
          () =>
            new Map(
              items.map(({ key }) => [key, changed.has(key) ? ('changed' as const) : ('as_shown' as const)]),
            ),
        ),
      look: ({ key }) =>
        process.step(() => {
          if (failures-- > 0) throw new Error('cannot be read now');
          if (unreadable.has(key)) return 'unknown' as const;
          return applied.has(key) ? { kind: 'accepted' as const } : ('not_applied' as const);
        }),
    }),
  };
}

/** Lets the time pass until it is done; fails where that takes far more than a day. */
export async function passTime<T>(work: Promise<T>, clock: FakeClock): Promise<T> {
  const done = await passTimeUntil(work, clock, () => false);
  if (done === undefined) throw new Error('It was given up.');
  return done.value;
}

/** Undefined where `isOver` became true before. */
export async function passTimeUntil<T>(
  work: Promise<T>,
  clock: FakeClock,
  isOver: () => boolean,
): Promise<{ value: T } | undefined> {
  let result: { value: T } | { error: unknown } | undefined;
  void work.then(
    (value) => {
      result = { value };
    },
    (error: unknown) => {
      result = { error };
    },
  );
  for (let turns = 0; turns < 20_000; turns++) {
    await settled();
    if (result !== undefined && 'error' in result) throw result.error;
    if (result !== undefined) return result;
    if (isOver()) return undefined;
    await clock.advance(turns < 5_000 ? 20 : 10_000);
  }
  throw new Error('It comes to no end.');
}
