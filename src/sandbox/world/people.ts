/** Buyers who do not exist: names put together by chance, streets and telephone numbers that nobody has. */

import type { Market, Town } from './markets.ts';
import { pick } from './sequence.ts';

export interface Buyer {
  name: string;
  /** Ends in `.example`, which no mail ever reaches. */
  email: string;
  town: Town;
  street: string;
  phone: string;
  countryCode: string;
}

const FIRST = [
  'Ada',
  'Björn',
  'Chloé',
  'Dario',
  'Esther',
  'Frieda',
  'Gaël',
  'Hana',
  'Íñigo',
  'Jörg',
] as const;
const LAST = [
  'Sample',
  'Müster',
  'Exemple',
  'Ejemplo',
  'Placeholder',
  'Nobody',
  'Invented',
  'Fictitious',
] as const;
const STREETS = ['Sample Street', 'Example Avenue', 'Placeholder Lane', 'Nowhere Road'] as const;

export function inventBuyer(market: Market, next: () => number): Buyer {
  return {
    name: `${pick(next, FIRST)} ${pick(next, LAST)}`,
    email: `buyer${next() % 100_000}@marketplace.example`,
    town: pick(next, market.towns),
    street: `${1 + (next() % 240)} ${pick(next, STREETS)}`,
    phone: `+1-555-01${String(next() % 100).padStart(2, '0')}`,
    countryCode: market.country,
  };
}
