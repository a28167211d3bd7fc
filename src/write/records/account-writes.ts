/**
 * Reads the writes of one account for pages and tables, without its credentials. The owner is the one who
 * wrote last under the account's name.
 */

import type { Changes } from '../../data/tables/table-types.ts';
import type { PersonalData } from '../../privacy/personal/personal-data.ts';
import { readChanges } from './changes-table.ts';
import { mayBeApplied, type RecordedWrite } from './journal/entry.ts';
import type { Journal } from './journal/journal.ts';
import { deriveUndoneEntries, supersededAttempts, undoBlockedReason } from './undo/undo-eligibility.ts';

interface AccountJournal {
  account: string;
  journal: Pick<Journal, 'list' | 'read' | 'keepDays'>;
  personal: PersonalData;
}

/** One write whose values can be opened. */
export interface AccountWrite extends RecordedWrite {
  /** True for a write that the service accepted, or may have. */
  isApplied: boolean;
  /** A sentence that says why the write cannot be undone; undefined where it can. */
  whyNot: string | undefined;
  /** Another attempt at the same batch item supersedes this one. */
  isSuperseded: boolean;
}

export type AccountWrites = ReturnType<typeof openAccountWrites>;

/**
 * Opens the recorded writes, which are read anew each time.
 * @throws ConfigError from each function where the journal exists and cannot be read
 */
export function openAccountWrites({ account, journal, personal }: AccountJournal) {
  /** Finds the owner by the last write, because a name can have been another seller's before. */
  const findOwner = async () => {
    const [last] = await journal.read({ account, limit: 1 });
    return last?.owner;
  };
  const changesOf = async (ownerDigest: string | undefined): Promise<Changes> =>
    ownerDigest ? readChanges({ account, ownerDigest, journal, personal }) : { rows: [], leftOut: 0 };
  return {
    /** The number of days that values are stored. */
    keepDays: journal.keepDays,
    /** Returns the rows for the tables of the account. */
    changes: async () => changesOf(await findOwner()),
    /** Reads the writes, oldest first, together with those rows. */
    async read() {
      const ownerDigest = await findOwner();
      const all = await journal.list();
      const entries = all.filter((entry) => entry.account === account && entry.owner === ownerDigest);
      const undone = deriveUndoneEntries(entries);
      const superseded = supersededAttempts(entries);
      const writes = entries.map(
        (entry): AccountWrite => ({
          ...entry,
          isApplied: mayBeApplied(entry),
          whyNot: undoBlockedReason(entry, undone),
          isSuperseded: superseded.has(entry.id),
        }),
      );
      return { writes, changes: await changesOf(ownerDigest) };
    },
  };
}
