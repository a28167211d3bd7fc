/** The marketplaces of the public service: country, marketplace ID and the region that serves it. */

import type { CsvSigns } from '../../base/settings.ts';
import { marketplaceTable } from './generated/marketplaces.ts';
import type { Region } from './regions.ts';

/** A marketplace as reviewed in marketplaces.yaml. */
export interface Marketplace {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** The English name of the country: `Germany`. */
  name: string;
  id: string;
  region: Region;
  timeZone: string;
  currency: string;
  /** The CSV format that spreadsheets there expect. */
  csv: CsvSigns;
  /** Other names of the country, besides its name and its ISO code of two letters. */
  also: readonly string[];
}

/** Returns all marketplaces, grouped by region. */
export function marketplaces(): readonly Marketplace[] {
  return marketplaceTable;
}

let byId: ReadonlyMap<string, Marketplace> | undefined;

/** Returns the marketplace with this ID; undefined for one that is not in the table. */
export function marketplaceById(id: string): Marketplace | undefined {
  byId ??= new Map(marketplaces().map((marketplace) => [marketplace.id, marketplace]));
  return byId.get(id);
}

/** Formats `Germany (A1PA6795UKMFR9)`; undefined for an ID that is not in the table. */
export function marketplaceLabel(id: string): string | undefined {
  const known = marketplaceById(id);
  return known === undefined ? undefined : `${known.name} (${id})`;
}

/** Countries whose names take an article within a sentence. */
const WITH_ARTICLE: ReadonlySet<string> = new Set(['US', 'GB', 'NL', 'AE']);

/**
 * Returns the name as used after `in`: `Germany`, `the United States`; undefined for an ID that is not in the
 * table.
 */
export function marketplaceName(id: string): string | undefined {
  const known = marketplaceById(id);
  return known && (WITH_ARTICLE.has(known.country) ? `the ${known.name}` : known.name);
}

/** Returns the English name of an ISO 3166-1 alpha-2 code: `Germany`; the code itself when it has no name. */
export function countryName(code: string): string {
  const known = marketplaces().find(({ country }) => country === code);
  return known?.name ?? new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' }).of(code) ?? code;
}

/** Returns the currency of prices in a marketplace; undefined for an unknown one. */
export function currencyOf(marketplaceId: string): string | undefined {
  return marketplaceById(marketplaceId)?.currency;
}

/** Currencies without decimals, such as the yen; an unknown currency counts as having the usual two. */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['JPY', 'KRW', 'CLP']);

/** Returns the number of decimals of amounts in a currency. */
export const decimalsOf = (currency: string): number => (WITHOUT_DECIMALS.has(currency) ? 0 : 2);
