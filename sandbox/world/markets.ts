/** One country as the made-up world plays it: what is reviewed in countries.yaml, completed from its marketplace's facts. */

import { decimalsOf, type Marketplace, marketplaces } from '../../src/service/facts/marketplaces.ts';
import madeUp from '../recorded/made-up.json' with { type: 'json' };
import { countries } from './generated/countries.ts';
import { languages } from './generated/languages.ts';
import { localCents } from './plain-values.ts';

/** The facts of a country that are reviewed in countries.yaml, which explains each member. */
export interface CountryFacts {
  channel: string;
  tag: string;
  level: number;
  tax: number;
  taxOnTop?: boolean;
  orders: number;
  alsoIn?: readonly string[];
  warehouses?: string;
  shipping?: number;
  comma?: boolean;
  inches?: boolean;
  opened?: { hours: number; zone: string; order: 'ymd' | 'dmy' };
  charset?: 'Shift_JIS';
  headings?: Readonly<Record<string, string>>;
  first?: readonly string[];
  last?: readonly string[];
  familyFirst?: boolean;
  streets?: readonly string[];
  phone?: string;
  towns?: readonly (readonly [city: string, state: string, postalCode: string])[];
  stores?: readonly StoreFacts[];
}

/** Why made-up buyers send something back, in the words of the service's own warehouses. */
export const RETURN_REASONS = [
  'NOT_COMPATIBLE',
  'DAMAGED_BY_CARRIER',
  'NOT_AS_DESCRIBED',
  'UNWANTED_ITEM',
] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];

interface StoreFacts {
  code: string;
  alias: string;
  name: string;
  street: string;
  /** The address of a warehouse for returns. */
  dock?: string;
  town: readonly [city: string, state: string, postalCode: string];
  phone: string;
  dockPhone?: string;
  mail: string;
}

/** The texts that are reviewed in languages.yaml. */
export interface Words {
  brand: string;
  nouns: readonly string[];
  materials: readonly string[];
  bullets: readonly string[];
  restock: string;
  texts: Readonly<Record<string, string>>;
  gifts: readonly string[];
  complaints: Readonly<Record<ReturnReason, string>>;
  late: string;
  reach: readonly string[];
  note: string;
  apartment: string;
  company: string;
}

interface Town {
  city: string;
  state: string;
  postalCode: string;
}

export type Market = ReturnType<typeof buildMarket>;

const known = new Map<string, Market>();

/** The same object for the same country. @throws RangeError where the facts know no marketplace there */
export function marketOf(country: string): Market {
  const market = known.get(country) ?? buildMarket(factsOf(country));
  known.set(country, market);
  return market;
}

function factsOf(country: string): Marketplace {
  const found = marketplaces().find((one) => one.country === country);
  if (found === undefined) throw new RangeError(`no marketplace is known in ${country}`);
  return found;
}

// Defaults of a country for which no other facts are reviewed.

const OPENED = {
  na: { hours: -8, zone: 'PST', order: 'ymd' },
  eu: { hours: 0, zone: 'GMT', order: 'dmy' },
  fe: { hours: 0, zone: 'UTC', order: 'ymd' },
} as const;
/** The shipping that a buyer pays in the United States; other countries have an amount just below a round one. */
const SHIPPING_CENTS = 500;

function buildMarket({ country, id, name, region, timeZone, currency }: Marketplace) {
  const facts: Partial<CountryFacts> = countries[country] ?? {};
  const tag = facts.tag ?? `en_${country}`;
  const words = languages[tag.slice(0, 2)];
  // `Europe/Amsterdam`: a town that is there.
  const zoneTown = [timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? name, '', '10100'] as const;
  const towns = facts.towns ?? [zoneTown];
  const phone = facts.phone ?? madeUp.phones[region];
  const { level = 1 } = facts;
  const step = decimalsOf(currency) === 0 ? 100 : 1;
  return {
    country,
    id,
    currency,
    timeZone,
    /** `Amazon.com`: how reports and orders name it. */
    channel: facts.channel ?? `Amazon.${country.toLowerCase()}`,
    tag,
    /** The language of its titles. */
    language: words === undefined ? 'en' : tag.slice(0, 2),
    words: { ...ENGLISH, ...words },
    /** Prices here for one US dollar there. */
    level,
    /** The smallest amount of the currency, in hundredths: a yen is a hundred of them. */
    step,
    taxPercent: facts.tax ?? 20,
    /** The service collects such a tax and pays it to the state by itself. */
    addsTax: facts.taxOnTop === true,
    /** The shipping that a buyer pays if the seller ships, in hundredths. */
    shippingCents: facts.shipping ?? localCents(SHIPPING_CENTS, { level, step }),
    /** The code under which listings name the marketplace's warehouses. */
    warehouses: facts.warehouses ?? madeUp.warehouses[region],
    /** The prefix of order numbers. */
    orderPrefix: facts.orders ?? 999,
    alsoIn: facts.alsoIn ?? [],
    usesInches: facts.inches === true,
    decimalSign: facts.comma === true ? ',' : '.',
    opened: facts.opened ?? OPENED[region],
    charset: facts.charset,
    headings: facts.headings ?? {},
    /** Made-up streets are put there. */
    towns: towns.map(([city, state, postalCode]): Town => ({ city, state, postalCode })),
    firstNames: facts.first ?? madeUp.firstNames,
    lastNames: facts.last ?? madeUp.lastNames,
    familyFirst: facts.familyFirst === true,
    streets: facts.streets ?? madeUp.streets,
    phone,
    stores: facts.stores ?? inventStores(towns[0] ?? zoneTown, phone, facts.streets ?? madeUp.streets),
  };
}

const ENGLISH: Words = languages.en;

/** A shop, a warehouse, and a shop that is not open yet. */
function inventStores(
  town: StoreFacts['town'],
  phone: string,
  streets: readonly string[],
): readonly StoreFacts[] {
  const addressOf = (number: string, place: number) => (streets[place] ?? '#').replace('#', number);
  const numbered = (digits: string) => phone.replace('##', digits);
  const [shop, later] = [numbered('42'), numbered('43')];
  const city = town[0];
  return [
    {
      code: 'shop-01',
      alias: `${city} shop`,
      name: city,
      street: addressOf('12', 0),
      town,
      phone: shop,
      mail: 'shop',
    },
    {
      code: 'wh-01',
      alias: `${city} warehouse`,
      name: `${city} Warehouse`,
      street: addressOf('7', 1),
      dock: `${addressOf('7', 1)}, Dock 3`,
      town,
      phone: numbered('77'),
      dockPhone: numbered('78'),
      mail: 'warehouse',
    },
    {
      code: 'shop-02',
      alias: `${city} market shop`,
      name: `${city} Market`,
      street: addressOf('85', 2),
      town,
      phone: later,
      mail: 'market',
    },
  ];
}
