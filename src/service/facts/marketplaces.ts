/** Marketplaces of the public service: country code, marketplace id and the region that serves it. */

import type { Region } from './regions.ts';

export interface Marketplace {
  /** ISO 3166-1 alpha-2. */
  country: string;
  id: string;
  region: Region;
}

const table: Readonly<Record<Region, Readonly<Record<string, string>>>> = {
  na: { US: 'ATVPDKIKX0DER', CA: 'A2EUQ1WTGCTBG2', MX: 'A1AM78C64UM0Y8', BR: 'A2Q3Y263D00KWC' },
  eu: {
    GB: 'A1F83G8C2ARO7P',
    DE: 'A1PA6795UKMFR9',
    FR: 'A13V1IB3VIYZZH',
    IT: 'APJ6JRA9NG5V4',
    ES: 'A1RKKUPIHCS9HS',
    NL: 'A1805IZSGTT6HS',
    BE: 'AMEN7PMS3EDWL',
    IE: 'A28R8C7NBKEWEA',
    SE: 'A2NODRKZP88ZB9',
    PL: 'A1C3SOZRARQ6R3',
    TR: 'A33AVAJ2PDY3EV',
    AE: 'A2VIGQ35RCS4UG',
    SA: 'A17E79C6D8DWNP',
    EG: 'ARBP9OOSHTCHU',
    ZA: 'AE08WJ6YKNBMC',
    IN: 'A21TJRUUN4KGV',
  },
  fe: { JP: 'A1VC38T7YXB528', AU: 'A39IBJ37TRP1C6', SG: 'A19VAU5U5O7RUS' },
};

/** All of them, region by region. */
export function marketplaces(): Marketplace[] {
  const regions = ['na', 'eu', 'fe'] as const;
  return regions.flatMap((region) =>
    Object.entries(table[region]).map(([country, id]) => ({ country, id, region })),
  );
}

let countries: ReadonlyMap<string, string> | undefined;

/** Country code of a marketplace id; undefined for one that is not in the table. */
export function marketplaceName(id: string): string | undefined {
  countries ??= new Map(marketplaces().map((marketplace) => [marketplace.id, marketplace.country]));
  return countries.get(id);
}

/** English name of an ISO 3166-1 alpha-2 code: `Germany`; the code itself where nobody gave it a name. */
export function countryName(code: string): string {
  return new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' }).of(code) ?? code;
}
