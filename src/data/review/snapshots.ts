/** What each whole review leaves for a comparison: a small file a review and marketplace, in a folder of the account. */

import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as z from 'zod';
import { codeOf } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import type { Leases } from '../../disk/leases.ts';
import { makeFolder } from '../../disk/make-folder.ts';
import { openFile } from '../../disk/open-file.ts';
import { type ListingState, type States, withUnasked } from './compare-states.ts';
import type { Marketplace } from './listing-rows.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Within these, one an hour is kept; before, one a day. The newest two are kept however close. */
const HOURLY_MS = 2 * DAY_MS;

/** Of 50,000 listings it is some 5 MB. */
const MOST_BYTES = 64 * 1024 * 1024;

/** What a killed process leaves of one goes after this. */
const TORN_MS = HOUR_MS;

const VERSION = 1;

const text = z.string().nullable();
const number = z.number().nullable();

const listing = z.tuple([z.string(), text, z.array(z.string()), number, text, number, number, number]);

const fileSchema = z.object({
  version: z.literal(VERSION),
  marketplace: z.object({ id: z.string(), name: z.string() }),
  at: z.iso.datetime(),
  listings: z.array(listing),
});

/** One that is kept; what is in it is read when it is needed. */
export interface Snapshot {
  marketplaceId: string;
  /** ISO 8601, UTC. */
  at: string;
  file: string;
  /** True: a collection has seen some members of it, and no review was made. */
  isPart: boolean;
}

export interface SnapshotContent {
  marketplace: Marketplace;
  at: string;
  states: States;
}

export interface SnapshotOptions {
  /** The folder of this account and its owner alone. */
  folder: string;
  /** Milliseconds since the epoch. */
  now(): number;
  keepDays: number;
  /** Makes what the first review of a marketplace is compared with; the demo account has a yesterday. */
  yesterday?: ((marketplaceId: string, now: States) => Promise<States>) | undefined;
}

const NAME = /^([\w-]{1,40})\.(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z(\.part)?\.gz$/;

/** `A1PA6795UKMFR9.20261124T120000000Z.gz`. */
const nameOf = (id: string, at: string, isPart: boolean) =>
  `${id}.${at.replace(/[-:.]/g, '')}${isPart ? '.part' : ''}.gz`;

function parseName(name: string): Omit<Snapshot, 'file'> | undefined {
  const [, marketplaceId, year, month, day, hour, minute, second, ms, part] = NAME.exec(name) ?? [];
  if (marketplaceId === undefined) return undefined;
  const at = `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`;
  return { marketplaceId, at, isPart: part !== undefined };
}

/** As the tables of an account have them. */
export type KeptSnapshots = Pick<Snapshots, 'list' | 'read' | 'keep' | 'keepPart' | 'tellOnce'>;

/** Of whom the person was told last, by marketplace and what was asked for: ISO 8601, UTC. */
export type Told = Readonly<Record<string, string>>;

/** The end of the names of files that collections are compared with, see `collection-history.ts`: they lie here too. */
export const HISTORY_END = '.collections.json';

const TOLD_FILE = 'told.json';
const toldSchema = z.record(z.string(), z.iso.datetime());

export class Snapshots {
  readonly #options: SnapshotOptions;

  /** Nothing is read or made before one is kept. */
  constructor(options: SnapshotOptions) {
    this.#options = options;
  }

  /** Oldest first, of all marketplaces; those whose time is over are left out. */
  async list(): Promise<Snapshot[]> {
    const { folder, now, keepDays } = this.#options;
    const names = await readdir(folder).catch(() => []);
    const oldest = new Date(now() - keepDays * DAY_MS).toISOString();
    return names
      .flatMap((name) => {
        const parsed = parseName(name);
        return parsed === undefined || parsed.at < oldest ? [] : [{ ...parsed, file: join(folder, name) }];
      })
      .sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
  }

  /** Undefined for one that is damaged, of a later version, not readable by this user, or gone. */
  async read({ file }: Snapshot): Promise<SnapshotContent | undefined> {
    const handle = await openFile(file, constants.O_RDONLY).catch(() => undefined);
    if (handle === undefined) return undefined;
    try {
      const packed = await handle.readFile();
      const unpacked = await promisify(gunzip)(packed, { maxOutputLength: MOST_BYTES });
      const { marketplace, at, listings } = fileSchema.parse(parseJson(unpacked.toString('utf8')));
      const states = new Map(listings.map((row) => [row[0], stateOf(row)]));
      return { marketplace, at, states };
    } catch {
      return undefined;
    } finally {
      await handle.close();
    }
  }

  /** Written whole or not at all; what is too old or too close to others goes. @throws the system's errors (ENOSPC ...) */
  async keep({ marketplace, at, states }: SnapshotContent): Promise<void> {
    const before = await this.#last(marketplace.id);
    const { yesterday } = this.#options;
    if (before === undefined && yesterday !== undefined) {
      const then = new Date(Date.parse(at) - DAY_MS).toISOString();
      await this.#write({ marketplace, at: then, states: await yesterday(marketplace.id, states) }, false);
    }
    const whole = before === undefined ? states : withUnasked(states, before.states);
    await this.#write({ marketplace, at, states: whole }, false);
  }

  /** The last states with what was seen of them since; nothing where there are none. @throws as `keep` */
  async keepPart(id: string, at: string, seen: ReadonlyMap<string, Partial<ListingState>>): Promise<void> {
    const before = await this.#last(id);
    if (before === undefined || before.at >= at) return;
    const states = new Map([...before.states].map(([sku, state]) => [sku, { ...state, ...seen.get(sku) }]));
    await this.#write({ marketplace: before.marketplace, at, states }, true);
  }

  /** The newest that can be read. */
  async #last(id: string): Promise<SnapshotContent | undefined> {
    for (const snapshot of (await this.list()).toReversed()) {
      const content = snapshot.marketplaceId === id ? await this.read(snapshot) : undefined;
      if (content !== undefined) return content;
    }
    return undefined;
  }

  async #write({ marketplace, at, states }: SnapshotContent, isPart: boolean): Promise<void> {
    const { folder } = this.#options;
    const file = join(folder, nameOf(marketplace.id, at, isPart));
    const listings = [...states].map(([sku, state]) => rowOf(sku, state));
    const content = JSON.stringify({ version: VERSION, marketplace, at, listings });
    await makeFolder(folder, FOLDER_MODE);
    await writeWhole(file, await promisify(gzip)(content));
    await this.#thin(marketplace.id);
  }

  /**
   * One process at a time tells a person what is new since they were told last. What `tell` resolves to counts as told;
   * where it throws, nothing does. @throws what `tell` throws; the system's errors
   */
  async tellOnce(leases: Leases, tell: (told: Told) => Promise<Told>): Promise<void> {
    const { folder } = this.#options;
    await makeFolder(folder, FOLDER_MODE);
    await leases.within(`told ${folder}`, async () => {
      const file = join(folder, TOLD_FILE);
      const before = await readFile(file, 'utf8').then(parseJson, () => undefined);
      // One that is damaged is as none: compared is with the review before.
      const now = await tell(toldSchema.safeParse(before).data ?? {});
      await writeWhole(file, JSON.stringify(now));
    });
  }

  /** What is too old goes, and the folder where nothing is left in it. */
  async removeOld(): Promise<void> {
    const { folder, now, keepDays } = this.#options;
    const kept = new Set((await this.list()).map(({ file }) => file));
    for (const name of await readdir(folder).catch(() => [])) {
      const file = join(folder, name);
      const isOver = name.endsWith(HISTORY_END)
        ? await isOld(file, now(), keepDays * DAY_MS)
        : parseName(name) !== undefined && !kept.has(file);
      if (isOver || (name.endsWith('.new') && (await isOld(file, now(), TORN_MS))))
        await rm(file, { force: true });
    }
    if (kept.size > 0) return;
    await rm(join(folder, TOLD_FILE), { force: true });
    await rmdir(folder).catch(() => undefined);
  }

  async #thin(marketplaceId: string): Promise<void> {
    const own = (await this.list()).filter((one) => one.marketplaceId === marketplaceId);
    // Reviews are compared with each other: what collections have seen between takes the place of none.
    for (const isPart of [false, true]) await this.#thinOf(own.filter((one) => one.isPart === isPart));
    await this.removeOld();
  }

  async #thinOf(own: readonly Snapshot[]): Promise<void> {
    const { now } = this.#options;
    const seen = new Set<string>();
    for (const { at, file, isPart } of own.slice(0, -2).reverse()) {
      const isNew = now() - Date.parse(at) < HOURLY_MS;
      // An hour and a day begin with their first characters; older parts are in the reviews that followed.
      const slot = at.slice(0, isNew ? 'yyyy-mm-ddThh'.length : isPart ? 0 : 'yyyy-mm-dd'.length);
      if (seen.has(slot)) await rm(file, { force: true });
      seen.add(slot);
    }
  }
}

/** Or not at all. */
async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const torn = `${file}.${randomBytes(4).toString('hex')}.new`;
  try {
    await writeFile(torn, content, { mode: FILE_MODE, flag: 'wx' });
    await rename(torn, file);
  } catch (error) {
    await rm(torn, { force: true });
    throw error;
  }
}

type Keeping = Pick<SnapshotOptions, 'now' | 'keepDays'>;

/** Of one account, as the person is told of them. */
export interface KeptReviews {
  /** `snapshots-` and the name of its folder. */
  id: string;
  folder: string;
  reviews: number;
  marketplaces: string[];
  /** ISO 8601, UTC. */
  first: string;
  last: string;
  bytes: number;
}

/** @param folder of all accounts */
export async function listKeptReviews(folder: string, keeping: Keeping): Promise<KeptReviews[]> {
  const kept: KeptReviews[] = [];
  for (const name of (await readdir(folder).catch(() => [])).sort()) {
    const path = join(folder, name);
    const all = await new Snapshots({ folder: path, ...keeping }).list();
    const [first] = all;
    if (first === undefined) continue;
    const last = all.at(-1) ?? first;
    const sizes = await Promise.all(
      all.map(({ file }) =>
        stat(file).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    kept.push({
      id: `snapshots-${name}`,
      folder: path,
      reviews: all.length,
      marketplaces: [...new Set(all.map(({ marketplaceId }) => marketplaceId))],
      first: first.at,
      last: last.at,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
    });
  }
  return kept;
}

/** Of all accounts: one that is gone never comes to remove its own. @param folder of all accounts */
export async function removeOldReviews(folder: string, keeping: Keeping): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    await new Snapshots({ folder: join(folder, name), ...keeping }).removeOld();
  }
}

/** Files for comparisons stay, since they are listed and removed for themselves. @param folder folder of one account */
export async function removeReviews(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(HISTORY_END)) await rm(join(folder, name), { recursive: true, force: true });
  }
  await rmdir(folder).catch(() => undefined);
}

/** Files that collections of one account left for comparisons, as the person is told of them. */
export interface KeptCounts {
  /** `counts-` and the name of the folder of the account. */
  id: string;
  /** One for each kind of collection. */
  files: string[];
  bytes: number;
}

/** @param folder of all accounts */
export async function listKeptCounts(folder: string): Promise<KeptCounts[]> {
  const kept: KeptCounts[] = [];
  for (const name of (await readdir(folder).catch(() => [])).sort()) {
    const names = await readdir(join(folder, name)).catch(() => []);
    const files = names.filter((one) => one.endsWith(HISTORY_END)).map((one) => join(folder, name, one));
    if (files.length === 0) continue;
    const sizes = await Promise.all(files.map((file) => stat(file).then(({ size }) => size)));
    kept.push({ id: `counts-${name}`, files, bytes: sizes.reduce((sum, size) => sum + size, 0) });
  }
  return kept;
}

/** Reviews of the account stay. */
export async function removeKeptCounts({ files }: KeptCounts): Promise<void> {
  for (const file of files) await rm(file, { force: true });
}

async function isOld(file: string, now: number, ageMs: number): Promise<boolean> {
  const found = await stat(file).catch((error: unknown) => codeOf(error));
  return typeof found === 'object' && now - found.mtimeMs > ageMs;
}

const rowOf = (sku: string, state: ListingState): z.output<typeof listing> => [
  sku,
  state.suppressed,
  [...state.causes],
  state.price,
  state.currency,
  state.stock,
  state.buyable,
  state.featured,
];

function stateOf(row: z.output<typeof listing>): ListingState {
  const [, suppressed, causes, price, currency, stock, buyable, featured] = row;
  return { suppressed, causes, price, currency, stock, buyable, featured };
}
