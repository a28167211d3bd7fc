/**
 * Imports the comparison data that reviews and collections of earlier versions left as files in one folder
 * for each account.
 */

import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import * as z from 'zod';
import { codeOf } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import { put, type StoreStatement } from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';
import { countsStatement } from '../tables/collection-history.ts';
import { pastCollectionSchema } from '../tables/compare-collections.ts';
import type { Comparisons } from './comparisons.ts';
import { listingsSchema, packListings, putSnapshot } from './snapshots.ts';

const SNAPSHOT = /^([\w-]{1,40})\.\d{8}T\d{9}Z(\.part)?\.gz$/;
const COUNTS = /^([0-9a-f]+)\.collections\.json$/;
const REPORT_TIMES_FILE = 'told.json';
/** Matches our files, including partial ones of a killed process. */
const OWN_FILES =
  /^(?:[\w-]{1,40}\.\d{8}T\d{9}Z(?:\.part)?\.gz|[0-9a-f]+\.collections\.json|told\.json)(?:\.[0-9a-f]{8}\.new)?$/;

/** This size exceeds any unpacked review. */
const MAX_BYTES = 64 * 1024 * 1024;

const snapshotSchema = z.object({
  version: z.literal(1),
  marketplace: z.object({ id: z.string(), name: z.string() }),
  at: z.iso.datetime(),
  listings: listingsSchema,
});
const reportTimesSchema = z.record(z.string(), z.iso.datetime());
const countsSchema = z.object({ version: z.literal(1), collections: z.array(pastCollectionSchema) });

/**
 * Imports files and opens the store.
 * @param folder the folder of earlier versions, for all accounts. Files that cannot be imported now stay for
 * the next start
 */
export async function openComparisons(store: Store, folder: string): Promise<Comparisons> {
  await takeOldSnapshots(folder, store).catch(() => undefined);
  return store;
}

/**
 * Removes files once they are in the store. Two processes may do it at once, because each writes the same
 * rows.
 * @param folder the folder for all accounts.
 * @throws the errors of `Comparisons.run`; the files then stay
 */
async function takeOldSnapshots(folder: string, comparisons: Comparisons): Promise<void> {
  for (const account of await readdir(folder).catch(() => [])) {
    const own = join(folder, account);
    for (const name of (await readdir(own).catch(() => [])).filter((one) => OWN_FILES.test(one))) {
      const rows = await readRows(account, own, name).catch(noneOfDamaged);
      // The next start may be able to read it.
      if (rows === undefined) continue;
      if (rows.length > 0) {
        await comparisons.run(function* () {
          yield* rows;
        });
      }
      await rm(join(own, name), { force: true });
    }
    await rmdir(own).catch(() => undefined);
  }
  await rmdir(folder).catch(() => undefined);
}

/**
 * Treats a damaged file as empty, as earlier versions did.
 * @returns undefined for a file that the system cannot read now
 */
const noneOfDamaged = (error: unknown): readonly StoreStatement[] | undefined =>
  /^E[A-Z]+$/.test(codeOf(error)) ? undefined : [];

async function readRows(account: string, folder: string, name: string): Promise<StoreStatement[]> {
  const [, marketplaceId, part] = SNAPSHOT.exec(name) ?? [];
  const kind = COUNTS.exec(name)?.[1];
  if (marketplaceId === undefined && kind === undefined && name !== REPORT_TIMES_FILE) return [];
  const content = await readFile(join(folder, name));
  if (marketplaceId !== undefined) {
    const unpacked = await promisify(gunzip)(content, { maxOutputLength: MAX_BYTES });
    const { marketplace, at, listings } = snapshotSchema.parse(parseJson(unpacked.toString('utf8')));
    const isPart = part !== undefined;
    const packed = await packListings(listings);
    return [putSnapshot({ account, marketplaceId, at, isPart, name: marketplace.name, listings: packed })];
  }
  const value = parseJson(content.toString('utf8'));
  if (kind !== undefined)
    return countsSchema.parse(value).collections.map((one) => countsStatement(account, kind, one));
  return Object.entries(reportTimesSchema.parse(value)).map(([topic, at]) =>
    put('told', 'account, topic', { account, topic, at }),
  );
}
