/** Marketplaces of the public service: country, marketplace id and the region that serves it. */

import type { Region } from './regions.ts';

export interface Marketplace {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Of the country, in English: `Germany`. */
  name: string;
  id: string;
  region: Region;
  /** Where a country has several, that of most of its people, and of the United States the one that the marketplace keeps. */
  timeZone: string;
}

type Row = readonly [country: string, name: string, id: string, timeZone: string];

/** Names are written out, since those of Node change with its version. */
const table: Readonly<Record<Region, readonly Row[]>> = {
  na: [
    ['US', 'United States', 'ATVPDKIKX0DER', 'America/Los_Angeles'],
    ['CA', 'Canada', 'A2EUQ1WTGCTBG2', 'America/Toronto'],
    ['MX', 'Mexico', 'A1AM78C64UM0Y8', 'America/Mexico_City'],
    ['BR', 'Brazil', 'A2Q3Y263D00KWC', 'America/Sao_Paulo'],
  ],
  eu: [
    ['GB', 'United Kingdom', 'A1F83G8C2ARO7P', 'Europe/London'],
    ['DE', 'Germany', 'A1PA6795UKMFR9', 'Europe/Berlin'],
    ['FR', 'France', 'A13V1IB3VIYZZH', 'Europe/Paris'],
    ['IT', 'Italy', 'APJ6JRA9NG5V4', 'Europe/Rome'],
    ['ES', 'Spain', 'A1RKKUPIHCS9HS', 'Europe/Madrid'],
    ['NL', 'Netherlands', 'A1805IZSGTT6HS', 'Europe/Amsterdam'],
    ['BE', 'Belgium', 'AMEN7PMS3EDWL', 'Europe/Brussels'],
    ['IE', 'Ireland', 'A28R8C7NBKEWEA', 'Europe/Dublin'],
    ['SE', 'Sweden', 'A2NODRKZP88ZB9', 'Europe/Stockholm'],
    ['PL', 'Poland', 'A1C3SOZRARQ6R3', 'Europe/Warsaw'],
    ['TR', 'Türkiye', 'A33AVAJ2PDY3EV', 'Europe/Istanbul'],
    ['AE', 'United Arab Emirates', 'A2VIGQ35RCS4UG', 'Asia/Dubai'],
    ['SA', 'Saudi Arabia', 'A17E79C6D8DWNP', 'Asia/Riyadh'],
    ['EG', 'Egypt', 'ARBP9OOSHTCHU', 'Africa/Cairo'],
    ['ZA', 'South Africa', 'AE08WJ6YKNBMC', 'Africa/Johannesburg'],
    ['IN', 'India', 'A21TJRUUN4KGV', 'Asia/Kolkata'],
  ],
  fe: [
    ['JP', 'Japan', 'A1VC38T7YXB528', 'Asia/Tokyo'],
    ['AU', 'Australia', 'A39IBJ37TRP1C6', 'Australia/Sydney'],
    ['SG', 'Singapore', 'A19VAU5U5O7RUS', 'Asia/Singapore'],
  ],
};

let all: readonly Marketplace[] | undefined;

/** All of them, region by region. */
export function marketplaces(): readonly Marketplace[] {
  const regions = ['na', 'eu', 'fe'] as const;
  all ??= regions.flatMap((region) =>
    table[region].map(([country, name, id, timeZone]) => ({ country, name, id, region, timeZone })),
  );
  return all;
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
