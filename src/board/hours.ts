/**
 * Builds the view of each store's opening hours in all channels: the collected hours, and later changes by
 * this program.
 */

import type { HoursChannel, HoursStore, HoursView } from '../../views/data.ts';
import { parseJson } from '../base/json.ts';
import { capital } from '../base/text/format-value.ts';
import { quoteIdentifier } from '../data/tables/sql-names.ts';
import type { CollectionInfo, SqlValue, TableInfo, Tables } from '../data/tables/table-types.ts';
import {
  changedDays,
  closeMissing,
  describeStorePart,
  HOURS,
  type StorePartHours,
} from '../write/model/store/week.ts';
import type { AccountWrite } from '../write/records/account-writes.ts';
import { formatNameInRequest } from './sentences.ts';

export interface HoursSources {
  collections: readonly CollectionInfo[];
  tables: Pick<Tables, 'query'>;
  /** The writes of this program, oldest first. */
  writes: readonly AccountWrite[];
  timeoutMs: number;
  signal: AbortSignal;
  redact(text: string): string;
}

const ASK =
  'Collect my supply sources, then getSupplySource of each of them into a table, so that the board shows their hours.';

interface Shop {
  id: string;
  name: string;
  zone: string | null;
  collectedAt: string | null;
  /** The hours by their path segments. */
  places: Map<string, StorePartHours>;
  changed?: HoursStore['changed'];
}

/**
 * Reads the opening hours.
 * @throws as `Tables.query`
 */
export async function readHours(sources: HoursSources): Promise<HoursView> {
  const stores = await readCollected(sources);
  await addChanges(stores, sources);
  return {
    kind: 'hours',
    ask: ASK,
    stores: [...stores.values()].map((store) => toStore(store, sources.redact)),
  };
}

// Collected data has a table of stores, and a child table for each list of openings.

const STORE = 'supply-sources/getSupplySource';

/** Reads the newest collection in which stores have hours. */
async function readCollected(sources: HoursSources): Promise<Map<string, Shop>> {
  const stores = new Map<string, Shop>();
  const info = sources.collections.find(
    ({ source, tables }) => source.kind === 'operation' && source.operation === STORE && tables.some(isHours),
  );
  const [main] = info?.tables ?? [];
  if (info === undefined || main === undefined) return stores;
  const byItem = new Map<number, Shop>();
  for (const row of await readTable(main, sources)) {
    const id = textOf(row.get('supply_source_id'));
    if (id === null) continue;
    const name = textOf(row.get('alias')) ?? textOf(row.get('supply_source_code')) ?? id;
    const store = {
      id,
      name,
      zone: textOf(row.get('configuration_timezone')),
      collectedAt: info.collectedAt,
      places: new Map(),
    };
    stores.set(id, store);
    byItem.set(Number(row.get('item')), store);
  }
  for (const table of info.tables.filter(isHours)) {
    const path = table.path ?? [];
    const day = path.at(-1) ?? '';
    const segments = path.slice(0, -1);
    // A store without an opening on a day is closed then, if it has this channel at all.
    for (const row of await readTable(table, sources)) {
      const store = byItem.get(Number(row.get('item')));
      if (store === undefined) continue;
      const { week } = channelOf(store, segments);
      week.set(day, [...(week.get(day) ?? []), openingOf(row)]);
    }
  }
  for (const { places } of stores.values()) {
    for (const { week } of places.values()) closeMissing(week);
  }
  return stores;
}

const isHours = ({ path }: TableInfo): boolean => path?.at(-2) === HOURS;

function channelOf(store: Shop, segments: readonly string[]): StorePartHours {
  const key = segments.join('/');
  const channel = store.places.get(key) ?? { segments, week: new Map(), before: new Map(), isOffered: true };
  store.places.set(key, channel);
  return channel;
}

async function readTable(
  { name }: TableInfo,
  { tables, timeoutMs, signal }: HoursSources,
): Promise<Map<string, SqlValue>[]> {
  const sql = `SELECT * FROM ${quoteIdentifier(name)}`;
  const { columns, rows } = await tables.query(sql, {
    maxRows: 20_000,
    maxBytes: 20_000_000,
    timeoutMs,
    signal,
  });
  return rows.map((row) => new Map(columns.map((column, at) => [column, row[at] ?? null])));
}

/** Returns one opening. Its members are columns, or JSON when nested deep within an item. */
function openingOf(row: ReadonlyMap<string, SqlValue>): unknown {
  const whole = textOf(row.get('value'));
  return whole === null
    ? { startTime: row.get('start_time'), endTime: row.get('end_time') }
    : parseJson(whole);
}

const textOf = (value: SqlValue | undefined): string | null => (typeof value === 'string' ? value : null);

// Applies writes made since the collection; the last write of a store also records the values before it.

async function addChanges(stores: Map<string, Shop>, { writes, redact }: HoursSources): Promise<void> {
  for (const entry of writes.filter((one) => one.operation.startsWith('supply-sources/') && one.isApplied)) {
    // The values are unreadable when their key is missing.
    const values = await entry.open().catch(() => undefined);
    const id = values?.parameters.supplySourceId;
    const members = values?.members.filter(({ segments }) => segments.includes(HOURS)) ?? [];
    if (typeof id !== 'string' || members.length === 0) continue;
    const store: Shop = stores.get(id) ?? { id, name: id, zone: null, collectedAt: null, places: new Map() };
    stores.set(id, store);
    for (const channel of store.places.values()) channel.before.clear();
    for (const member of members) applyMember(store, member, entry.time);
    const what = redact(entry.what ?? 'opening hours');
    store.changed = {
      at: entry.time,
      what,
      ...(entry.whyNot === undefined
        ? { ask: `Take back the change ${entry.id}: show me what it would do first.` }
        : {}),
    };
  }
}

function applyMember(store: Shop, member: Parameters<typeof changedDays>[0], time: string): void {
  const { segments } = member;
  const channel = channelOf(store, segments.slice(0, segments.indexOf(HOURS) + 1).map(String));
  const isNewer = store.collectedAt === null || time > store.collectedAt;
  for (const { day, was, is } of changedDays(member)) {
    channel.before.set(day, was);
    if (isNewer) channel.week.set(day, is);
  }
}

// Formats a store for the view.

function toStore(
  { id, name, zone, collectedAt, places, changed }: Shop,
  redact: (text: string) => string,
): HoursStore {
  const all = [...places.values()];
  const own = all.find(({ segments }) => segments[0] === 'configuration');
  const shown = all.map((channel) => describeStorePart(channel, channel === own ? undefined : own?.week));
  return {
    id: redact(id),
    name: redact(name),
    zone: zone === null ? null : redact(zone),
    collectedAt,
    places: shown,
    ...formatQuestion(name, shown),
    ...(changed === undefined ? {} : { changed }),
  };
}

/** Returns the seller's question about days with unusual hours. */
function formatQuestion(store: string, places: readonly HoursChannel[]): { ask?: string } {
  const odd = places.flatMap(({ name, days }) =>
    days.flatMap((day) => (day.faults.length === 0 ? [] : [`${name} on ${capital(day.name)}`])),
  );
  if (odd.length === 0) return {};
  const some = odd.slice(0, MAX_ODD_DAYS).join(', ');
  return {
    ask: `Look at the hours of my store ${formatNameInRequest(store)}: ${some}. Are they right, and shall they be like the store's own?`,
  };
}

const MAX_ODD_DAYS = 7;
