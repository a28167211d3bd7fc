/** The opening hours of each store, all channels, as its view shows them: what is collected, and what was changed from here since. */

import type { HoursDay, HoursPlace, HoursStore, HoursView, Span } from '../../views/data.ts';
import { isJsonObject, parseJson } from '../base/json.ts';
import { capital } from '../base/text/value-words.ts';
import { quoteIdentifier } from '../data/tables/names.ts';
import type { CollectionInfo, SqlValue, TableInfo, Tables } from '../data/tables/types.ts';
import type { HistoryEntry } from '../write/keep/history/history-file.ts';
import { indexUndone, mayBeApplied } from '../write/keep/history/standing.ts';
import { whyNotNow } from '../write/kinds/undo/find-entry.ts';
import type { Member } from '../write/model/change.ts';
import { checkHours, DAYS, isOpen, isOperatingHours, parseTime } from '../write/model/store/hours.ts';
import { placeWords } from '../write/model/store/place.ts';
import { named } from './sentences.ts';

export interface HoursSources {
  collections: readonly CollectionInfo[];
  tables: Pick<Tables, 'query'>;
  /** Of the account and its owner, oldest first. */
  entries: readonly HistoryEntry[];
  timeoutMs: number;
  signal: AbortSignal;
  redact(text: string): string;
}

const ASK =
  'Collect my supply sources, then getSupplySource of each of them into a table, so that the board shows their hours.';

/** From the day's name to its openings, as the service has them. */
type Week = Map<string, unknown[]>;

interface Place {
  segments: readonly string[];
  week: Week;
  before: Map<string, unknown[]>;
  isOffered: boolean;
}

interface Store {
  id: string;
  name: string;
  zone: string | null;
  collectedAt: string | null;
  /** By its segments. */
  places: Map<string, Place>;
  changed?: HoursStore['changed'];
}

/** @throws as `Tables.query` */
export async function readHours(sources: HoursSources): Promise<HoursView> {
  const stores = await readCollected(sources);
  await addChanges(stores, sources);
  return {
    kind: 'hours',
    ask: ASK,
    stores: [...stores.values()].map((store) => toStore(store, sources.redact)),
  };
}

// What is collected: a table of stores, with one below it for each list of openings.

const HOURS = 'operatingHoursByDay';
const ONE = 'supply-sources/getSupplySource';

/** The newest collection in which stores have their hours. */
async function readCollected(sources: HoursSources): Promise<Map<string, Store>> {
  const stores = new Map<string, Store>();
  const info = sources.collections.find(
    ({ source, tables }) => source.kind === 'operation' && source.operation === ONE && tables.some(isHours),
  );
  const [main] = info?.tables ?? [];
  if (info === undefined || main === undefined) return stores;
  const byItem = new Map<number, Store>();
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
    // A store that has no opening that day is closed then, where it has this place at all.
    for (const row of await readTable(table, sources)) {
      const store = byItem.get(Number(row.get('item')));
      if (store === undefined) continue;
      const { week } = placeOf(store, segments);
      week.set(day, [...(week.get(day) ?? []), openingOf(row)]);
    }
  }
  for (const { places } of stores.values()) {
    for (const { week } of places.values()) for (const day of DAYS) if (!week.has(day)) week.set(day, []);
  }
  return stores;
}

const isHours = ({ path }: TableInfo): boolean => path?.at(-2) === HOURS;

function placeOf(store: Store, segments: readonly string[]): Place {
  const key = segments.join('/');
  const place = store.places.get(key) ?? { segments, week: new Map(), before: new Map(), isOffered: true };
  store.places.set(key, place);
  return place;
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

/** As columns; deep within an item as JSON. */
function openingOf(row: ReadonlyMap<string, SqlValue>): unknown {
  const whole = textOf(row.get('value'));
  return whole === null
    ? { startTime: row.get('start_time'), endTime: row.get('end_time') }
    : parseJson(whole);
}

const textOf = (value: SqlValue | undefined): string | null => (typeof value === 'string' ? value : null);

// What was written from here since it was collected; of the last write of a store also what was there before.

async function addChanges(stores: Map<string, Store>, { entries, redact }: HoursSources): Promise<void> {
  const undone = indexUndone(entries);
  for (const entry of entries.filter(
    (one) => one.operation.startsWith('supply-sources/') && mayBeApplied(one),
  )) {
    // A key that is not to be had hides the values.
    const values = await entry.open().catch(() => undefined);
    const id = values?.parameters.supplySourceId;
    const members = values?.members.filter(({ segments }) => segments.includes(HOURS)) ?? [];
    if (typeof id !== 'string' || members.length === 0) continue;
    const store: Store = stores.get(id) ?? { id, name: id, zone: null, collectedAt: null, places: new Map() };
    stores.set(id, store);
    for (const place of store.places.values()) place.before.clear();
    for (const member of members) applyMember(store, member, entry.time);
    const what = redact(entry.what ?? 'opening hours');
    const canUndo = whyNotNow(entry, undone) === undefined;
    store.changed = {
      at: entry.time,
      what,
      ...(canUndo ? { ask: `Take back the change ${entry.id}: show me what it would do first.` } : {}),
    };
  }
}

/** The list of one day, or all days at once. */
function applyMember(store: Store, { segments, before, after }: Member, time: string): void {
  const at = segments.indexOf(HOURS);
  const place = placeOf(store, segments.slice(0, at + 1).map(String));
  const day = segments[at + 1];
  const isNewer = store.collectedAt === null || time > store.collectedAt;
  const set = (name: string, was: unknown, is: unknown) => {
    place.before.set(name, Array.isArray(was) ? was : []);
    if (isNewer) place.week.set(name, Array.isArray(is) ? is : []);
  };
  if (typeof day === 'string') set(day, before, after);
  else
    for (const name of DAYS) {
      const [was, is] = [before, after].map((side) => (isJsonObject(side) ? side[name] : undefined));
      if (JSON.stringify(was) !== JSON.stringify(is)) set(name, was, is);
    }
}

// As it is shown.

function toStore(
  { id, name, zone, collectedAt, places, changed }: Store,
  redact: (text: string) => string,
): HoursStore {
  const all = [...places.values()];
  const own = all.find(({ segments }) => segments[0] === 'configuration');
  const shown = all.map((place) => toPlace(place, place === own ? undefined : own?.week));
  return {
    id: redact(id),
    name: redact(name),
    zone: zone === null ? null : redact(zone),
    collectedAt,
    places: shown,
    ...askOf(name, shown),
    ...(changed === undefined ? {} : { changed }),
  };
}

/** What a seller would say of what is odd. */
function askOf(store: string, places: readonly HoursPlace[]): { ask?: string } {
  const odd = places.flatMap(({ name, days }) =>
    days.flatMap((day) => (day.faults.length === 0 ? [] : [`${name} on ${capital(day.name)}`])),
  );
  if (odd.length === 0) return {};
  const some = odd.slice(0, MOST_ODD).join(', ');
  return {
    ask: `Look at the hours of my store ${named(store)}: ${some}. Are they right, and shall they be like the store's own?`,
  };
}

const MOST_ODD = 7;

function toPlace({ segments, week, before, isOffered }: Place, own: Week | undefined): HoursPlace {
  const words = placeWords(segments).replace(/,? ?opening hours$/, '');
  return {
    name: words === '' ? 'the store' : words,
    isOffered,
    days: DAYS.map((name): HoursDay => {
      const list = week.get(name);
      const was = before.get(name);
      const isHole = list?.length === 0 && isOpen(own?.get(name));
      const isAlone = isOpen(list) && own?.get(name)?.length === 0;
      return {
        name,
        ...(list === undefined ? {} : { open: spansOf(list) }),
        ...(was === undefined ? {} : { before: spansOf(was) }),
        faults: [
          ...(list === undefined ? [] : checkHours({ [name]: list }, []).map(({ message }) => message)),
          ...(isHole ? ['closed, while the store itself is open'] : []),
          ...(isAlone ? ['open, while the store itself is closed'] : []),
        ],
      };
    }),
  };
}

function spansOf(list: readonly unknown[]): Span[] {
  if (!isOperatingHours(list)) return [];
  return list.flatMap(({ startTime, endTime }): Span[] => {
    const [start, end] = [parseTime(startTime), parseTime(endTime)];
    // 00:00-00:00 is what the service answers for a day that is open all the time.
    if (start === undefined || end === undefined) return [];
    return [[start, end === 0 ? 1_440 : end]];
  });
}
