/**
 * Stores the snapshots with which later reviews are compared: a row for each complete review and marketplace.
 */

import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as z from 'zod';
import { parseJson } from '../../base/json.ts';
import type { Leases } from '../../store/leases.ts';
import { put, type StoreStep, select, sql } from '../../store/statement.ts';
import { type ListingStates, type ReviewedListingState, withUnrequested } from './compare-states.ts';
import { type Comparisons, oldestRetained, type RetentionDays, removeOld } from './comparisons.ts';
import type { ReviewedMarketplace } from './listing-rows.ts';

const DAY_MS = 86_400_000;

/** Newer snapshots are thinned to one an hour, older ones to one a day. The newest two always stay. */
const HOURLY_MS = 2 * DAY_MS;

const text = z.string().nullable();
const number = z.number().nullable();

/** Tuples of SKU and state. */
export const listingsSchema = z.array(
  z.tuple([z.string(), text, z.array(z.string()), number, text, number, number, number]),
);

/** A stored snapshot, whose content is read on demand. */
export interface Snapshot {
  marketplaceId: string;
  /** The moment in ISO 8601, UTC. */
  at: string;
  /** Whether a collection has seen some members of it, and no review was made. */
  isPart: boolean;
}

export interface SnapshotContent {
  marketplace: ReviewedMarketplace;
  at: string;
  states: ListingStates;
}

export interface SnapshotOptions extends RetentionDays {
  comparisons: Comparisons;
  /** The account together with its owner, see `accountDigest`. */
  account: string;
  /** Creates the predecessor of a marketplace's first review; only the demo account has one. */
  yesterday?: ((marketplaceId: string, now: ListingStates) => Promise<ListingStates>) | undefined;
}

/** The snapshots as part of an account's tables. */
export type AccountSnapshots = Pick<Snapshots, 'list' | 'read' | 'keep' | 'keepPart' | 'tellOnce'>;

/** The moments of the last reported reviews, by marketplace and topics: ISO 8601, UTC. */
export type LastReportTimes = Readonly<Record<string, string>>;

const snapshotRow = z
  .object({ marketplace: z.string(), at: z.string(), is_part: z.int() })
  .transform(({ marketplace, at, is_part: part }) => ({
    marketplaceId: marketplace,
    at,
    isPart: part === 1,
  }));
const contentRow = z.object({ name: z.string(), listings: z.string() });
const reportTimeRow = z.object({ topic: z.string(), at: z.string() });

export class Snapshots {
  readonly #options: SnapshotOptions;

  constructor(options: SnapshotOptions) {
    this.#options = options;
  }

  /** Lists the snapshots of all marketplaces, oldest first, without expired ones. */
  list(): Promise<Snapshot[]> {
    const { comparisons, account } = this.#options;
    const oldest = oldestRetained(this.#options);
    return comparisons.read(() =>
      select(
        sql`SELECT marketplace, at, is_part FROM snapshots WHERE account = ${account} AND at >= ${oldest} ORDER BY at`,
        snapshotRow,
      ),
    );
  }

  /** Returns undefined for a snapshot that was removed meanwhile, or is of a later version. */
  async read({ marketplaceId: id, at, isPart }: Snapshot): Promise<SnapshotContent | undefined> {
    const { comparisons, account } = this.#options;
    const [row] = await comparisons.read(() =>
      select(
        sql`SELECT name, listings FROM snapshots
          WHERE account = ${account} AND marketplace = ${id} AND at = ${at} AND is_part = ${Number(isPart)}`,
        contentRow,
      ),
    );
    if (row === undefined) return undefined;
    const unpacked = await promisify(gunzip)(Buffer.from(row.listings, 'base64'));
    const { data: listings } = listingsSchema.safeParse(parseJson(unpacked.toString('utf8')));
    if (listings === undefined) return undefined;
    const states = new Map(listings.map((listing) => [listing[0], stateOf(listing)]));
    return { marketplace: { id, name: row.name }, at, states };
  }

  /**
   * Stores a snapshot and removes rows that are too old or too close to others.
   * @throws the errors of `Store.run`
   */
  async keep({ marketplace, at, states }: SnapshotContent): Promise<void> {
    const before = await this.#last(marketplace.id);
    const { yesterday } = this.#options;
    if (before === undefined && yesterday !== undefined) {
      const then = new Date(Date.parse(at) - DAY_MS).toISOString();
      await this.#write({ marketplace, at: then, states: await yesterday(marketplace.id, states) }, false);
    }
    const whole = before === undefined ? states : withUnrequested(states, before.states);
    await this.#write({ marketplace, at, states: whole }, false);
  }

  /**
   * Stores the last states with the members seen since; does nothing if there are none.
   * @throws the errors of `keep`
   */
  async keepPart(
    id: string,
    at: string,
    seen: ReadonlyMap<string, Partial<ReviewedListingState>>,
  ): Promise<void> {
    const before = await this.#last(id);
    if (before === undefined || before.at >= at) return;
    const states = new Map([...before.states].map(([sku, state]) => [sku, { ...state, ...seen.get(sku) }]));
    await this.#write({ marketplace: before.marketplace, at, states }, true);
  }

  async #last(id: string): Promise<SnapshotContent | undefined> {
    const last = (await this.list()).findLast(({ marketplaceId }) => marketplaceId === id);
    return last && this.read(last);
  }

  async #write({ marketplace: { id, name }, at, states }: SnapshotContent, isPart: boolean): Promise<void> {
    const listings = await packListings([...states].map(([sku, state]) => rowOf(sku, state)));
    const options = this.#options;
    await options.comparisons.run(function* () {
      yield putSnapshot({ account: options.account, marketplaceId: id, at, isPart, name, listings });
      yield* thin(id, options);
    });
  }

  /**
   * Lets one process at a time report the changes since the last report. The result of `tell` is recorded as
   * reported; if it throws, nothing is recorded.
   * @throws the errors of `tell` and of `Store.run`
   */
  async tellOnce(leases: Leases, tell: (told: LastReportTimes) => Promise<LastReportTimes>): Promise<void> {
    const { comparisons, account } = this.#options;
    await leases.within(`told ${account}`, async () => {
      const rows = await comparisons.read(() =>
        select(sql`SELECT topic, at FROM told WHERE account = ${account}`, reportTimeRow),
      );
      const now = await tell(Object.fromEntries(rows.map(({ topic, at }) => [topic, at])));
      await comparisons.run(function* () {
        for (const [topic, at] of Object.entries(now))
          yield put('told', 'account, topic', { account, topic, at });
      });
    });
  }
}

/** Thins reviews and partial snapshots separately, because reviews are compared with each other. */
function* thin(id: string, options: SnapshotOptions): StoreStep<void> {
  const { account, now } = options;
  yield* removeOld(options);
  for (const isPart of [false, true]) {
    const own = yield* select(
      sql`SELECT marketplace, at, is_part FROM snapshots
        WHERE account = ${account} AND marketplace = ${id} AND is_part = ${Number(isPart)} ORDER BY at`,
      snapshotRow,
    );
    const seen = new Set<string>();
    for (const { at } of own.slice(0, -2).reverse()) {
      const isNew = now() - Date.parse(at) < HOURLY_MS;
      // The first characters identify an hour or a day; the reviews that followed include older parts.
      const slot = at.slice(0, isNew ? 'yyyy-mm-ddThh'.length : isPart ? 0 : 'yyyy-mm-dd'.length);
      if (seen.has(slot))
        yield sql`DELETE FROM snapshots
          WHERE account = ${account} AND marketplace = ${id} AND at = ${at} AND is_part = ${Number(isPart)}`;
      seen.add(slot);
    }
  }
}

interface SnapshotRow extends Snapshot {
  account: string;
  name: string;
  /** The output of `packListings`. */
  listings: string;
}

export const putSnapshot = ({ account, marketplaceId, at, isPart, name, listings }: SnapshotRow) =>
  put('snapshots', 'account, marketplace, at, is_part', {
    account,
    marketplace: marketplaceId,
    at,
    is_part: Number(isPart),
    name,
    listings,
  });

type Listings = z.output<typeof listingsSchema>;

/** Packs listings, because a store takes a tenth of the time to copy or check a tenth of the bytes. */
export async function packListings(listings: Listings): Promise<string> {
  return (await promisify(gzip)(JSON.stringify(listings))).toString('base64');
}

const rowOf = (sku: string, state: ReviewedListingState): Listings[number] => [
  sku,
  state.suppressed,
  [...state.causes],
  state.price,
  state.currency,
  state.stock,
  state.buyable,
  state.featured,
];

function stateOf(row: Listings[number]): ReviewedListingState {
  const [, suppressed, causes, price, currency, stock, buyable, featured] = row;
  return { suppressed, causes, price, currency, stock, buyable, featured };
}
