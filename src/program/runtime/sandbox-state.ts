/**
 * The state of --sandbox: the home country of its seller, and the storage of its changes between processes.
 */

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type KeptWorld, openKeptWorld, removeKeptWorld } from '../../../sandbox/world/kept-world.ts';
import { marketplaceIdOf } from '../../accounts/resolve-account.ts';
import type { Config } from '../../base/config.ts';
import { ConfigError } from '../../base/errors.ts';
import { COLLECTION_TABLES, REVIEW_TABLES, removeComparisons } from '../../data/review/comparisons.ts';
import { findOldSnapshotsFolder, findTablesFolder } from '../../data/tables/account-folders.ts';
import { type Marketplace, marketplaceById, marketplaces } from '../../service/facts/marketplaces.ts';
import { REGION_NAMES } from '../../service/facts/regions.ts';
import { findStateFolder } from '../../store/state-folder.ts';
import { openStateStore } from '../../write/state-store.ts';

type HomeSettings = Pick<Config, 'region' | 'marketplaceId'>;

/** The country where most sellers of a region are at home. */
const HOMES = { na: 'US', eu: 'DE', fe: 'JP' } as const;

/**
 * Returns the ISO 3166-1 alpha-2 country of the configured marketplace, or the largest one of the region.
 * @throws ConfigError for an unknown marketplace, and for one outside the configured region
 */
export function findHome({ region, marketplaceId }: HomeSettings): string {
  if (marketplaceId === undefined) return HOMES[region ?? 'na'];
  const found = marketplaceById(marketplaceIdOf({ marketplaceId }) ?? '');
  if (found === undefined) {
    throw new ConfigError(
      'The sandbox does not know the marketplace that is set, so it cannot play a seller there.',
      `It plays ${listNames(marketplaces())}: name one of them with --marketplace-id.`,
    );
  }
  if (region === undefined || region === found.region) return found.country;
  throw new ConfigError(
    `The marketplace that is set, ${found.name}, is not of the region that is set: ${REGION_NAMES[region]}.`,
    `Leave --region out, or name one of ${listNames(marketplaces().filter((one) => one.region === region))}.`,
  );
}

const listNames = (all: readonly Marketplace[]): string => all.map(({ name }) => name).join(', ');

const FOLDER = 'world-';

export interface SandboxState {
  home: string;
  /** Undefined when nothing can be stored. */
  kept: KeptWorld | undefined;
}

/**
 * Opens the sandbox's state.
 * @param warn reports that an older state was set aside, or that nothing can be stored
 * @throws ConfigError as `findHome`
 */
export async function openSandboxState(
  config: HomeSettings & Pick<Config, 'stateDir'>,
  warn: (message: string) => void,
): Promise<SandboxState> {
  const home = findHome(config);
  const folder = join(await findStateFolder({ ...config, sandbox: true }), `${FOLDER}${home.toLowerCase()}`);
  try {
    const kept = openKeptWorld(folder);
    if (kept.isAnew) {
      warn(
        'The sandbox on this computer was made by another version, or is damaged: it was made anew, and what was changed in it is gone.',
      );
    }
    return { home, kept };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    warn(`What is changed in the sandbox is lost when this process ends: ${reason}`);
    return { home, kept: undefined };
  }
}

/**
 * Resets the sandbox's state in all countries.
 * @returns the names of the countries that had one
 */
export async function resetSandboxStates(config: Pick<Config, 'stateDir' | 'dataDir'>): Promise<string[]> {
  // Reviews and collections of the old state must not be compared with those of the new one.
  for (const find of [findOldSnapshotsFolder, findTablesFolder])
    await rm(await find({ ...config, sandbox: true }), { recursive: true, force: true });
  const folder = await findStateFolder({ ...config, sandbox: true });
  const store = openStateStore(folder);
  await removeComparisons(store, [...REVIEW_TABLES, ...COLLECTION_TABLES]);
  await store.close();
  const names = await readdir(folder).catch((): string[] => []);
  return marketplaces().flatMap(({ country, name }) => {
    const world = `${FOLDER}${country.toLowerCase()}`;
    return names.includes(world) && removeKeptWorld(join(folder, world)) ? [name] : [];
  });
}
