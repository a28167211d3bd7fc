/** What was written from here of one account, for who looks on: without its credentials, by whoever wrote last under its name. */

import type { Changes } from '../../data/tables/table-types.ts';
import type { PersonalData } from '../../privacy/personal/personal-data.ts';
import { readChanges } from './changes-table.ts';
import { mayBeApplied, type RecordedWrite } from './journal/entry.ts';
import type { Journal } from './journal/journal.ts';
import { indexUndone, supersededAttempts, undoBlockedReason } from './undo/undo-eligibility.ts';

interface KeptOf {
  account: string;
  journal: Pick<Journal, 'list' | 'read' | 'keepDays'>;
  personal: PersonalData;
}

/** One write, with its values to be opened. */
export interface KeptWrite extends RecordedWrite {
  /** Accepted, or possibly so. */
  isApplied: boolean;
  /** Why it cannot be taken back, in a sentence; undefined where it can. */
  whyNot: string | undefined;
  /** Another attempt at the same batch item supersedes this one. */
  isSuperseded: boolean;
}

export type Kept = ReturnType<typeof openKept>;

/** Read anew each time. @throws from each of these ConfigError where journal or history is there and cannot be read */
export function openKept({ account, journal, personal }: KeptOf) {
  /** By what was written last: a name can have been another seller's before. */
  const findOwner = async () => {
    const [last] = await journal.read({ account, limit: 1 });
    return last?.owner;
  };
  const changesOf = async (ownerDigest: string | undefined): Promise<Changes> =>
    ownerDigest ? readChanges({ account, ownerDigest, journal, personal }) : { rows: [], leftOut: 0 };
  return {
    /** The days that values are kept. */
    keepDays: journal.keepDays,
    /** For the tables of the account. */
    changes: async () => changesOf(await findOwner()),
    /** The same beside what is kept of each, oldest first. */
    async read() {
      const ownerDigest = await findOwner();
      const all = await journal.list();
      const entries = all.filter((entry) => entry.account === account && entry.owner === ownerDigest);
      const undone = indexUndone(entries);
      const superseded = supersededAttempts(entries);
      const writes = entries.map(
        (entry): KeptWrite => ({
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
