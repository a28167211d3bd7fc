/** The marketplaces that the made-up world knows how to fill: currency, prices, taxes, languages and towns. */

import { MARKETPLACES } from '../fixtures/marketplaces.ts';

export type Country = 'US' | 'CA' | 'MX' | 'DE';
export type Language = 'en' | 'es' | 'de';

export interface Market {
  country: Country;
  id: string;
  currency: string;
  /** `Amazon.com`: how reports and orders name it. */
  channel: string;
  language: Language;
  /** Prices here for one US dollar there. */
  level: number;
  taxPercent: number;
  /** The code under which listings name the marketplace's warehouses. */
  warehouses: string;
  /** What order numbers begin with. */
  orderPrefix: number;
  /** City, state and postal code; made-up streets are put there. */
  towns: readonly [Town, ...Town[]];
}

export interface Town {
  city: string;
  state: string;
  postalCode: string;
}

const town = (city: string, state: string, postalCode: string): Town => ({ city, state, postalCode });

export const MARKETS: Readonly<Record<Country, Market>> = {
  US: {
    country: 'US',
    id: MARKETPLACES.US,
    currency: 'USD',
    channel: 'Amazon.com',
    language: 'en',
    level: 1,
    taxPercent: 8,
    warehouses: 'AMAZON_NA',
    orderPrefix: 111,
    // New Braunfels keeps its zero-free code, Boston's begins with a zero: identifiers are text.
    towns: [
      town('Portland', 'OR', '97205'),
      town('Boston', 'MA', '02108'),
      town('New Braunfels', 'TX', '78130'),
      town('Cañon City', 'CO', '81212'),
    ],
  },
  CA: {
    country: 'CA',
    id: MARKETPLACES.CA,
    currency: 'CAD',
    channel: 'Amazon.ca',
    language: 'en',
    level: 1.37,
    taxPercent: 13,
    warehouses: 'AMAZON_NA',
    orderPrefix: 701,
    towns: [
      town('Montréal', 'QC', 'H2Y 1C6'),
      town('Trois-Rivières', 'QC', 'G9A 1A1'),
      town('Halifax', 'NS', 'B3H 0A1'),
    ],
  },
  MX: {
    country: 'MX',
    id: MARKETPLACES.MX,
    currency: 'MXN',
    channel: 'Amazon.com.mx',
    language: 'es',
    level: 18.5,
    taxPercent: 16,
    warehouses: 'AMAZON_NA',
    orderPrefix: 702,
    towns: [town('Mérida', 'Yucatán', '97000'), town('León', 'Guanajuato', '37000')],
  },
  DE: {
    country: 'DE',
    id: MARKETPLACES.DE,
    currency: 'EUR',
    channel: 'Amazon.de',
    language: 'de',
    level: 0.95,
    taxPercent: 19,
    warehouses: 'AMAZON_EU',
    orderPrefix: 302,
    towns: [town('Münster', '', '48143'), town('Dresden', '', '01067'), town('Köln', '', '50667')],
  },
};

/** Where the seller sells unless told otherwise; orders come in from the first two. */
export const DEFAULT_COUNTRIES: readonly Country[] = ['US', 'CA', 'MX'];
