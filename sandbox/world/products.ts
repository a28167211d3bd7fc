/** The made-up seller's products: what each is called, what it costs, under which SKU and ASIN. */

import type { Market } from './markets.ts';
import { localCents, toStep } from './plain-values.ts';

export interface Product {
  sku: string;
  asin: string;
  productType: string;
  /**
   * Words and units are those of a marketplace; some titles hold an inch mark, some letters outside ASCII.
   * @param form of a title with a fault, as in causes.yaml
   */
  title(market: Market, form?: string): string;
  /** The price in US cents. */
  baseCents: number;
}

/**
 * Names are in languages.yaml, in this order. Prices are in US cents; volumes are those of the smaller size; the seller
 * pays that percentage of the price for the goods.
 */
const KINDS: readonly (readonly [
  code: string,
  productType: string,
  cents: number,
  cubicFeet: number,
  costPercent: number,
])[] = [
  ['KETL', 'KETTLE', 3490, 0.25, 34],
  ['BOWL', 'BOWL', 1290, 0.12, 30],
  ['SHLF', 'SHELF', 8900, 0.9, 36],
  ['LAMP', 'LAMP', 5900, 0.6, 33],
  ['CUSH', 'PILLOW', 1990, 0.5, 31],
  ['RUGX', 'RUG', 12900, 2.1, 38],
  ['BSKT', 'BASKET', 2450, 0.8, 32],
  ['MIRR', 'MIRROR', 7900, 1.3, 37],
  ['CLCK', 'CLOCK', 3150, 0.3, 29],
  ['PLNT', 'PLANTER', 1850, 0.35, 30],
  ['STOL', 'STOOL', 6400, 1.6, 39],
  ['RACK', 'COAT_RACK', 14900, 3.2, 41],
  ['BORD', 'CUTTING_BOARD', 2290, 0.15, 28],
  ['JARX', 'STORAGE_JAR', 950, 0.08, 31],
  ['HOLD', 'CANDLE_HOLDER', 1490, 0.07, 28],
  ['DESK', 'DESK', 24900, 5.4, 42],
];

/** The same for materials and colors. */
const MATERIALS = ['OAK', 'ASH', 'STL', 'BLK', 'GRN', 'SND', 'BLU', 'RED'] as const;

const SIZES: readonly { code: string; inches: string; centimeters: string; factor: number }[] = [
  { code: 'S', inches: '12"', centimeters: '30 cm', factor: 1 },
  { code: 'L', inches: '19"', centimeters: '48 cm', factor: 1.6 },
];
const TITLE = '{brand} {noun}, {material}, {size}';

/** Some sellers number their goods; the zeros in front are part of the SKU. */
const isNumbered = (index: number): boolean => index % 25 === 24;

/** @param index from 0; every index below 256 gives another product. */
export function buildProduct(index: number): Product {
  const position = index + 1;
  const [kind, productType, cents] = at(KINDS, index);
  const ofMaterial = Math.floor(index / KINDS.length);
  const material = at(MATERIALS, ofMaterial);
  const size = sizeAt(index);
  const markup = 1 + Math.floor(index / KINDS.length) / 25;
  return {
    sku: isNumbered(index) ? String(position * 37).padStart(6, '0') : `${kind}-${material}-${size.code}`,
    asin: `B0SBW${String(position).padStart(5, '0')}`,
    productType,
    title: ({ words, usesInches }, form = TITLE) =>
      form
        .replace('{brand}', words.brand)
        .replaceAll('{noun}', at(words.nouns, index))
        .replace('{material}', at(words.materials, ofMaterial))
        .replace('{size}', usesInches ? size.inches : size.centimeters),
    baseCents: Math.round((cents * markup * size.factor) / 100) * 100 - 10,
  };
}

const sizeAt = (index: number) => at(SIZES, Math.floor(index / (KINDS.length * MATERIALS.length)));

/** Products that are not made by number are mugs, blankets and the like. */
const OTHER_CUBIC_FEET = 0.2;

function indexOf(asin: string): number | undefined {
  const position = /^B0SBW(\d{5})$/.exec(asin)?.[1];
  return position === undefined ? undefined : Number(position) - 1;
}

/** Fees of fulfillment and storage follow from the volume. */
export function cubicFeetOf(asin: string): number {
  const index = indexOf(asin);
  if (index === undefined) return OTHER_CUBIC_FEET;
  const [, , , cubicFeet] = at(KINDS, index);
  return Math.round(cubicFeet * sizeAt(index).factor * 100) / 100;
}

/** The seller has told the service nothing of the cost of one of so many products. */
const UNTOLD_ONE_OF = 13;

/** Returns what the seller pays for one unit; undefined where the service was not told. */
export function costCentsOf(asin: string, market: Market): number | undefined {
  const index = indexOf(asin);
  if (index === undefined || index % UNTOLD_ONE_OF === 0) return undefined;
  const [, , , , percent] = at(KINDS, index);
  return toStep((localCents(buildProduct(index).baseCents, market) * percent) / 100, market);
}

function at<T>(all: readonly T[], index: number): T {
  const found = all[index % all.length];
  if (found === undefined) throw new RangeError('nothing to choose from');
  return found;
}
