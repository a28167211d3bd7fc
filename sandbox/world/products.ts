/** The made-up seller's products: what each is called, what it costs, under which SKU and ASIN. */

import type { Words } from './markets.ts';

export interface Product {
  sku: string;
  asin: string;
  productType: string;
  /** In the words of a language; some hold an inch mark, some letters outside ASCII. */
  title(words: Words): string;
  /** In US dollars. */
  baseCents: number;
}

/** What each is called says languages.yaml, in this order; what it costs, in US cents. */
const KINDS: readonly (readonly [code: string, productType: string, cents: number])[] = [
  ['KETL', 'KETTLE', 3490],
  ['BOWL', 'BOWL', 1290],
  ['SHLF', 'SHELF', 8900],
  ['LAMP', 'LAMP', 5900],
  ['CUSH', 'PILLOW', 1990],
  ['RUGX', 'RUG', 12900],
  ['BSKT', 'BASKET', 2450],
  ['MIRR', 'MIRROR', 7900],
  ['CLCK', 'CLOCK', 3150],
  ['PLNT', 'PLANTER', 1850],
  ['STOL', 'STOOL', 6400],
  ['RACK', 'COAT_RACK', 14900],
  ['BORD', 'CUTTING_BOARD', 2290],
  ['JARX', 'STORAGE_JAR', 950],
  ['HOLD', 'CANDLE_HOLDER', 1490],
  ['DESK', 'DESK', 24900],
];

/** The same for materials and colors. */
const MATERIALS = ['OAK', 'ASH', 'STL', 'BLK', 'GRN', 'SND', 'BLU', 'RED'] as const;

const SIZES: readonly { code: string; label: string; factor: number }[] = [
  { code: 'S', label: '30 cm', factor: 1 },
  { code: 'L', label: '19"', factor: 1.6 },
];

/** Some sellers number their goods; the zeros in front are part of the SKU. */
const isNumbered = (index: number): boolean => index % 25 === 24;

/** @param index from 0; every index below 256 gives another product. */
export function buildProduct(index: number): Product {
  const place = index + 1;
  const [kind, productType, cents] = at(KINDS, index);
  const ofMaterial = Math.floor(index / KINDS.length);
  const material = at(MATERIALS, ofMaterial);
  const size = at(SIZES, Math.floor(index / (KINDS.length * MATERIALS.length)));
  const markup = 1 + Math.floor(index / KINDS.length) / 25;
  return {
    sku: isNumbered(index) ? String(place * 37).padStart(6, '0') : `${kind}-${material}-${size.code}`,
    asin: `B0SBW${String(place).padStart(5, '0')}`,
    productType,
    title: ({ brand, nouns, materials }) =>
      `${brand} ${at(nouns, index)}, ${at(materials, ofMaterial)}, ${size.label}`,
    baseCents: Math.round((cents * markup * size.factor) / 100) * 100 - 10,
  };
}

function at<T>(all: readonly T[], index: number): T {
  const found = all[index % all.length];
  if (found === undefined) throw new RangeError('nothing to choose from');
  return found;
}
