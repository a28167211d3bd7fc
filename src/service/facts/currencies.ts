/** Which currency prices of a marketplace are in, and how many decimals amounts of a currency have. */

import { marketplaceById } from './marketplaces.ts';

/** By country of the marketplace. */
const CURRENCIES: Readonly<Record<string, string>> = {
  US: 'USD',
  CA: 'CAD',
  MX: 'MXN',
  BR: 'BRL',
  GB: 'GBP',
  DE: 'EUR',
  FR: 'EUR',
  IT: 'EUR',
  ES: 'EUR',
  NL: 'EUR',
  BE: 'EUR',
  IE: 'EUR',
  SE: 'SEK',
  PL: 'PLN',
  TR: 'TRY',
  AE: 'AED',
  SA: 'SAR',
  EG: 'EGP',
  ZA: 'ZAR',
  IN: 'INR',
  JP: 'JPY',
  AU: 'AUD',
  SG: 'SGD',
};

/** Undefined for a marketplace that is not known here. */
export function currencyOf(marketplaceId: string): string | undefined {
  const country = marketplaceById(marketplaceId)?.country;
  return country === undefined ? undefined : CURRENCIES[country];
}

/** The yen has none; where the currency is not known, as many as most have. */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['JPY', 'KRW', 'CLP']);

export const decimalsOf = (currency: string): number => (WITHOUT_DECIMALS.has(currency) ? 0 : 2);
