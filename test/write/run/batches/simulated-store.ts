/**
 * A store in simulated time: the steps of the program on SQLite in memory. Each process is cut off between any two of them,
 * the store can be full or away, and what it holds can be replaced by what it held.
 */

import { DatabaseSync } from 'node:sqlite';
import { LEASE_TABLES } from '../../../../src/store/leases.ts';
import { processNamespace } from '../../../../src/store/process-namespace.ts';
import type { StoreStatement, StoreStep } from '../../../../src/store/statement.ts';
import { BatchWaitsError } from '../../../../src/write/run/batches/batch.ts';
import {
  BATCH_TABLES,
  type BatchStore,
  CLAIM_TABLES,
  ITEM_TABLES,
  openBatchTable,
} from '../../../../src/write/run/batches/batch-table.ts';
import type { FakeClock } from '../../../helpers/fake-clock.ts';
import type { Process } from './simulated.ts';

class FullError extends Error {
  readonly code = 'ENOSPC';
}

/** The number of a process that has ended. */
const ENDED_PID = 2_147_483_646;

export type SimulatedStore = ReturnType<typeof simulatedStore>;

/** @param isRemote replicas share it: none knows whether another one has died, reading takes a step too, and an answer can be lost */
export function simulatedStore(clock: FakeClock, isRemote = false) {
  const database = new DatabaseSync(':memory:');
  database.exec(`${BATCH_TABLES};${LEASE_TABLES};${CLAIM_TABLES};${ITEM_TABLES}`);
  /** The process that has a batch, by the mark of the lease. */
  const marks = new Map<string, Process>();
  /** Marks that a test has given: their process says all the while that it is there. */
  const given = new Set<string>();
  let commands = 0;

  const all = (text: string, ...values: (string | number | null)[]) => database.prepare(text).all(...values);
  const updateHolders = () => {
    for (const [mark, process] of marks) {
      if (process.isDead() && !isRemote) all('UPDATE leases SET pid = ? WHERE mark = ?', ENDED_PID, mark);
      else if (given.has(mark)) all('UPDATE leases SET heard_at = ? WHERE mark = ?', clock.wallClock(), mark);
    }
  };
  const transact = <T>(step: StoreStep<T>): T => {
    database.exec('BEGIN');
    try {
      let next = step.next([]);
      while (next.done !== true) next = step.next(rowsOf(next.value));
      database.exec('COMMIT');
      return next.value;
    } finally {
      if (database.isTransaction) database.exec('ROLLBACK');
    }
  };
  const rowsOf = ({ text, values }: StoreStatement) => all(text, ...values);
  const store = {
    /** Which steps get no answer. */
    isAway: () => false,
    /** Which changes fail, as on a disk that is full. */
    isFull: () => false,
    /** Which server it is by now, and which contents it has by its own account. */
    server: 'first',
    generation: 'one',
    /** Called before each step with its number, for what no program of ours does. */
    meanwhile: (_command: number): void => undefined,
    all,
    /** Returns the store as one process sees it. */
    of(process: Process, random: () => number, silentMs: number): BatchStore {
      const run = <T>(step: (moment: { now: number; server: string }) => StoreStep<T>): T => {
        store.meanwhile(++commands);
        updateHolders();
        const value = transact(step({ now: clock.wallClock() * 1000, server: store.server }));
        for (const { mark } of all('SELECT mark FROM leases')) {
          if (typeof mark === 'string' && !marks.has(mark)) marks.set(mark, process);
        }
        return value;
      };
      const change: BatchStore['change'] = (_topic, step) =>
        process.step((isCut) => {
          const isLost = store.isAway();
          if (store.isFull()) throw new FullError('no space');
          // A step without an answer may have been done all the same.
          const isDone = !(isCut || isLost) || random() < 0.5;
          const value = isDone ? run(step) : undefined;
          if (isLost) throw new BatchWaitsError('away');
          return value as never;
        });
      return {
        change,
        read: isRemote
          ? change
          : async (_topic, step) => {
              if (store.isAway()) throw new BatchWaitsError('away');
              return run(step);
            },
        wipe: async () => undefined,
        generation: () => store.generation,
        look: async () => {
          if (isRemote) await process.step(() => undefined);
        },
        silentMs,
        among: isRemote ? 'replicas' : 'computer',
      };
    },
    ids: () => all('SELECT id FROM batches ORDER BY id').map(({ id }) => String(id)),
    /** The batches as somebody else sees and changes them, at once. */
    past: openBatchTable({
      change: async (_topic, step) => transact(step({ now: clock.wallClock() * 1000, server: 'first' })),
      read: async (_topic, step) => transact(step({ now: clock.wallClock() * 1000, server: 'first' })),
      wipe: async () => undefined,
      generation: () => 'one',
      look: async () => undefined,
      silentMs: 60_000,
      among: 'computer',
    }),
    /** All that lies there of a batch. */
    textOf: (id: string) =>
      [
        'head AS text FROM batches WHERE id',
        'value FROM batch_values WHERE batch',
        'state FROM batch_items WHERE batch',
      ]
        .flatMap((rest) => all(`SELECT ${rest} = ?`, id))
        .map((row) => Object.values(row).join())
        .join('\n'),
    /** Gives a batch to a process, which says that it is there for as long as it lives. */
    giveTo(process: Process, id: string): string {
      const mark = `given-${given.size}`;
      given.add(mark);
      marks.set(mark, process);
      const owner = [mark, processNamespace(), globalThis.process.pid, clock.wallClock()];
      all('DELETE FROM leases');
      all(
        'INSERT INTO leases (name, mark, place, pid, heard_at) VALUES (?, ?, ?, ?, ?)',
        `list ${id}`,
        ...owner,
      );
      return mark;
    },
    holderOf: (id: string) => all('SELECT mark FROM leases WHERE name = ?', `list ${id}`)[0]?.mark,
  };
  return store;
}
