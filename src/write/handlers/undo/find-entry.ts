/** Finds the entries of the journal that an id identifies, and lists those that can be chosen. */

import { ownerDigestOf } from '../../../accounts/owner.ts';
import { InputError } from '../../../base/errors.ts';
import { quoteText } from '../../../base/text/escape-text.ts';
import { count } from '../../../base/text/format-value.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';
import type { RecordedWrite } from '../../records/journal/entry.ts';
import { thingDigest } from '../../records/undo/write-values.ts';
import { thingOfEntry } from '../../records/undo/writes-by-thing.ts';
import type { Session } from '../../session.ts';

/**
 * Lists the entries of the account's current owner, oldest first, without other accounts and earlier owners.
 */
export async function listEntries(account: string, session: Session): Promise<RecordedWrite[]> {
  const [journal, accounts] = await Promise.all([session.journal(), session.accounts()]);
  const owner = ownerDigestOf(await accounts.profile(account));
  const all = await journal.list();
  return all.filter((entry) => entry.account === account && entry.owner === owner);
}

const LIST = 'undo_change without id lists what can be undone.';

/**
 * Returns one entry, all entries of a batch, or one of a batch by the SKU of its listing (`7ee9bc45/LAMP-1`).
 * A user knows only the SKU of one among thousands.
 * @throws InputError where there is none
 */
export async function findEntries(
  id: string,
  entries: readonly RecordedWrite[],
  session: Session,
): Promise<RecordedWrite[]> {
  const found = entries.filter((entry) => entry.id === id || entry.batch === id);
  if (found.length > 0) return found;
  const one = await findInList(id, entries);
  if (one !== undefined) return [one];
  const journal = await session.journal();
  const { accounts } = session.principal;
  const others = (await journal.list()).some(
    // The message reveals nothing of an account that this user may not see.
    (entry) => (entry.id === id || entry.batch === id) && accounts?.includes(entry.account) !== false,
  );
  throw others
    ? new InputError(
        `The change ${quoteText(id)} was made for another account, or while this one had other credentials.`,
        `Name the account that made it. ${LIST}`,
      )
    : new InputError(
        `No change ${quoteText(id)} is kept; the values before a write are kept for ${journal.keepDays} days.`,
        LIST,
      );
}

/** Returns the last matching entry, because an item that was cut off and sent again is recorded twice. */
async function findInList(id: string, entries: readonly RecordedWrite[]): Promise<RecordedWrite | undefined> {
  const [batch = '', ...rest] = id.split('/');
  const sku = rest.join('/');
  if (sku === '') return undefined;
  const thing = thingDigest({ parameters: { sku } });
  for (const entry of entries.toReversed()) {
    if (entry.batch === batch && (await thingOfEntry(entry)) === thing) return entry;
  }
  return undefined;
}

/** Maps the digests of each thing, as a SKU and as the id of a store, to the thing. */
export const mapThingDigests = (things: readonly string[]) =>
  new Map(
    things.flatMap((one) =>
      [{ sku: one }, { supplySourceId: one }].map(
        (parameters) => [thingDigest({ parameters }), one] as const,
      ),
    ),
  );

/**
 * Picks the entries of a batch whose listing or store is one of `things`: SKUs, or ids of stores. It opens no
 * values of a batch that was sent as a whole.
 * @param unsent digests of what the batch is still to send
 * @throws InputError that names the things the batch does not have; also where none of them was sent
 */
export async function pickEntries(
  found: readonly RecordedWrite[],
  things: readonly string[],
  unsent: ReadonlySet<string> = new Set(),
): Promise<RecordedWrite[]> {
  const wanted = mapThingDigests(things);
  const missing = new Set(things);
  const picked: RecordedWrite[] = [];
  for (const entry of found) {
    const name = wanted.get((await thingOfEntry(entry)) ?? '');
    if (name === undefined) continue;
    missing.delete(name);
    picked.push(entry);
  }
  for (const [digest, name] of wanted) if (unsent.has(digest)) missing.delete(name);
  if (missing.size === 0 && picked.length === 0)
    throw new InputError(
      'The list has sent none of these yet, so there is nothing to undo; nothing was sent.',
      'Undo the whole list, which ends it, or stop it: call what began it again with stop: true.',
    );
  if (missing.size === 0) return picked;
  const named = [...missing].slice(0, MAX_NAMED).map((one) => quoteText(shortenToCharacters(one, MAX_NAME)));
  const more = missing.size - named.length;
  throw new InputError(
    `The list has no changes of ${named.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}, or what they were can no longer be read; nothing was sent.`,
    "query_data has each: SELECT DISTINCT sku FROM changes WHERE list = '...'.",
  );
}

const MAX_NAMED = 5;
const MAX_NAME = 100;
