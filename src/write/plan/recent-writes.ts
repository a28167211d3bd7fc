/**
 * Finds recent writes from here that may not be visible yet, for a write that is prepared: once for a whole
 * batch.
 */

import { ownerDigestOf } from '../../accounts/owner.ts';
import { AppError } from '../../base/errors.ts';
import type { PreparedRequest } from '../../call/client-types.ts';
import type { Change } from '../model/change.ts';
import type { PreparedWrite } from '../model/write-view.ts';
import {
  addPending,
  indexRecent,
  MAX_PENDING_MS,
  type RecentWrites,
} from '../records/undo/pending-writes.ts';
import type { Session } from '../session.ts';

/**
 * Finds the recent writes of the account's current seller.
 * @returns undefined if the history cannot be read
 */
export async function findRecent(
  account: string,
  session: Session,
  known?: PreparedRequest['owner'],
): Promise<RecentWrites | undefined> {
  const owner = known ?? (await (await session.accounts()).profile(account));
  const now = session.program.now();
  const own = ownerDigestOf(owner);
  try {
    const all = await (await session.journal()).list(now - MAX_PENDING_MS);
    return await indexRecent(
      // Another account can belong to the same seller, with another marketplace.
      all.filter((entry) => entry.owner === own && (owner.login !== undefined || entry.account === account)),
      now,
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    session.log.warn('What was written lately could not be read', { err: String(error) });
    return undefined;
  }
}

/** Records the writes that were read as sent: they are no longer pending, whatever is read of them later. */
export async function recordSeen(recent: RecentWrites | undefined, session: Session): Promise<void> {
  const ids = [...(recent?.seen ?? [])];
  recent?.seen?.clear();
  if (ids.length === 0) return;
  await (await session.journal()).noteSeen(ids);
}

/**
 * Shows the change beside our pending writes; restored values that were masked stay masked.
 * @param recent the recent writes, if they are known from the rest of the batch
 */
export async function showPending(
  { input, request, change, view }: Pick<PreparedWrite, 'input' | 'request' | 'change' | 'view'>,
  recent: RecentWrites | undefined,
  session: Session,
): Promise<Change> {
  if (change.subject.kind === 'operation' || change.differences === undefined) return change;
  const known = recent ?? (await findRecent(input.account, session, request.owner));
  if (known === undefined) return { ...change, isWhole: false, warnings: [UNREADABLE, ...change.warnings] };
  const parameters = { ...request.parameters, ...request.filledIn };
  const planned = { operation: input.operation.id, parameters, body: request.body, change };
  const merged = await addPending(planned, known);
  if (recent === undefined) await recordSeen(known, session);
  for (const { value, shown } of merged.hidden) view.hidden(value, shown);
  return merged.change;
}

const UNREADABLE = {
  path: '',
  segments: [],
  message:
    'may hold a change of the last day that is not visible yet: what was changed from here cannot be read',
};
