/**
 * Builds the table of the changes made from here: a row for each member that a write changed, with the
 * recorded values before and after.
 */

import { canonicalJson } from '../../base/canonical-json.ts';
import { yieldEvery } from '../../base/event-loop.ts';
import { groupBy } from '../../base/group-by.ts';
import { toObject } from '../../base/json.ts';
import { localTimeWithZone } from '../../base/text/local-time.ts';
import type { ChangeRow, Changes, SqlValue, TouchedAttribute } from '../../data/tables/table-types.ts';
import type { PersonalData } from '../../privacy/personal/personal-data.ts';
import { marketplaceOfEntry, toList } from '../model/listing/entries.ts';
import type { JournalEntry, RecordedWrite } from './journal/entry.ts';
import type { Journal } from './journal/journal.ts';
import { maskRecord } from './journal/mask.ts';
import { maskedValues } from './undo/recorded-change.ts';
import type { WriteValues } from './undo/write-values.ts';

interface AccountOwner {
  account: string;
  /**
   * A digest of the owner, because the journal uses account names, and a name may have been another seller's.
   */
  ownerDigest: string;
}

interface ReadChanges extends AccountOwner {
  journal: Pick<Journal, 'read'>;
  personal: PersonalData;
}

/** The number of entries to read before other work gets a turn. */
const ENTRIES_PER_TURN = 100;

export async function readChanges(of: ReadChanges): Promise<Changes> {
  const { account, ownerDigest, journal, personal } = of;
  // A listing that a feed sent has a row of its own here, besides the entry of the feed.
  const entries = await journal.read({ account, withListings: true });
  const own = entries.filter(({ owner }) => owner === ownerDigest);
  const rows: ChangeRow[] = [];
  for (const [at, entry] of own.entries()) {
    await yieldEvery(ENTRIES_PER_TURN, at);
    // The entry may come from a time with --personal-data=show, or from before that setting existed.
    rows.push(...(await withMembers(toRow(maskRecord(entry, personal)), entry, of)));
  }
  const time = ({ at }: ChangeRow) => String(at);
  return {
    rows: rows.toSorted((one, other) => (time(one) < time(other) ? -1 : Number(time(one) > time(other)))),
    leftOut: entries.filter((entry) => entry.owner !== ownerDigest && entry.isListing !== true).length,
  };
}

async function withMembers(
  row: ChangeRow,
  entry: RecordedWrite,
  { account, personal }: ReadChanges,
): Promise<ChangeRow[]> {
  // An unavailable key hides the values, but not the write itself.
  const values = await entry.open().catch(() => undefined);
  if (values === undefined) return [row];
  const { sku, supplySourceId } = values.parameters;
  const thing = {
    ...row,
    sku: textOf(sku) ?? row.sku ?? null,
    store: textOf(supplySourceId) ?? row.store ?? null,
    ...(values.members.length > 0 && { touched: JSON.stringify(touchedBy(values)) }),
  };
  const members = await maskedValues(values, account, personal);
  if (members.length === 0) return [thing];
  return members.map(({ member, old, new: next, currency = null }) => ({
    ...thing,
    member,
    old,
    new: next,
    currency,
  }));
}

/** The attributes that a write changes, each with the marketplaces where its entries differ. */
function touchedBy({ parameters, members }: WriteValues): TouchedAttribute[] {
  const all = idsIn(parameters.marketplaceIds);
  return members.map(({ segments, before, after }) => {
    const [first, second] = segments;
    const attribute = String(first === 'attributes' && second !== undefined ? second : first);
    const sides = [before, after].map((value) =>
      groupBy(toList(value), (entry) => marketplaceOfEntry(entry) ?? ''),
    );
    const marketplaceIds = [...new Set(sides.flatMap((side) => [...side.keys()]))];
    const differing = marketplaceIds.filter(
      (marketplaceId) => new Set(sides.map((side) => canonicalJson(side.get(marketplaceId) ?? []))).size > 1,
    );
    // An entry that names no marketplace counts in all marketplaces of the write.
    return { attribute, marketplaces: differing.includes('') || differing.length === 0 ? all : differing };
  });
}

const idsIn = (value: unknown) => toList(value).filter((id) => typeof id === 'string');

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Returns the facts of an entry that are known without its values. */
function toRow(entry: JournalEntry): ChangeRow {
  const { id, time, account, operation, outcome, what, undoes, batch, by } = entry;
  const { endedAt, status, error, requestId, idempotencyKey, parameters, body, differences } = entry;
  const named = toObject(parameters);
  return {
    at: time,
    local_time: localTimeWithZone(time),
    list: batch ?? null,
    sku: textOf(named.sku) ?? null,
    store: textOf(named.supplySourceId) ?? null,
    outcome,
    what: what ?? null,
    error: error ?? null,
    id,
    undoes: undoes ?? null,
    account,
    operation,
    ended_at: endedAt ?? null,
    status: status ?? null,
    parameters: asJson(parameters),
    body: asJson(body),
    differences: asJson(differences),
    request_id: requestId ?? null,
    idempotency_key: idempotencyKey ?? null,
    ...(by === undefined ? {} : { person: by.name }),
  };
}

const asJson = (value: unknown): SqlValue => (value === undefined ? null : JSON.stringify(value));
