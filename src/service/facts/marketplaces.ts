/** Marketplaces of the public service: country, marketplace id and the region that serves it. */

import type { CsvSigns } from '../../base/settings.ts';
import { marketplaceTable } from './generated/marketplaces.ts';
import type { Region } from './regions.ts';

/** As reviewed in marketplaces.yaml. */
export interface Marketplace {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Of the country, in English: `Germany`. */
  name: string;
  id: string;
  region: Region;
  timeZone: string;
  currency: string;
  /** How spreadsheets there expect a CSV. */
  csv: CsvSigns;
  /** What countries are called beside their names and their ISO codes of two letters. */
  also: readonly string[];
}

/** All of them, region by region. */
export function marketplaces(): readonly Marketplace[] {
  return marketplaceTable;
}

let byId: ReadonlyMap<string, Marketplace> | undefined;

/** The one with this id; undefined for one that is not in the table. */
export function marketplaceById(id: string): Marketplace | undefined {
  byId ??= new Map(marketplaces().map((marketplace) => [marketplace.id, marketplace]));
  return byId.get(id);
}

/** `Germany (A1PA6795UKMFR9)`; undefined for an id that is not in the table. */
export function marketplaceLabel(id: string): string | undefined {
  const known = marketplaceById(id);
  return known === undefined ? undefined : `${known.name} (${id})`;
}

/** Countries whose names take an article within a sentence. */
const WITH_ARTICLE: ReadonlySet<string> = new Set(['US', 'GB', 'NL', 'AE']);

/** What stands after `in`: `Germany`, `the United States`; undefined for an id that is not in the table. */
export function marketplaceName(id: string): string | undefined {
  const known = marketplaceById(id);
  return known && (WITH_ARTICLE.has(known.country) ? `the ${known.name}` : known.name);
}

/** English name of an ISO 3166-1 alpha-2 code: `Germany`; the code itself where nobody gave it a name. */
export function countryName(code: string): string {
  const known = marketplaces().find(({ country }) => country === code);
  return known?.name ?? new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' }).of(code) ?? code;
}

/** Currency of prices in a marketplace; undefined for one that is not known here. */
export function currencyOf(marketplaceId: string): string | undefined {
  return marketplaceById(marketplaceId)?.currency;
}

/** The yen has none; where the currency is not known, as many as most have. */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['JPY', 'KRW', 'CLP']);

/** How many decimals amounts of a currency have. */
export const decimalsOf = (currency: string): number => (WITHOUT_DECIMALS.has(currency) ? 0 : 2);
