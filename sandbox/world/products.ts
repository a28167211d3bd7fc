/** The made-up seller's products: what each is called, what it costs, under which SKU and ASIN. */

import type { Language } from './markets.ts';

export interface Product {
  sku: string;
  asin: string;
  productType: string;
  /** By language; some hold an inch mark, some letters outside ASCII. */
  titles: Readonly<Record<Language, string>>;
  /** In US dollars. */
  baseCents: number;
}

/** How one thing is called in each language. */
type Names = readonly [en: string, de: string, es: string];

const KINDS: readonly (readonly [code: string, productType: string, cents: number, ...Names])[] = [
  ['KETL', 'KETTLE', 3490, 'Pour-Over Kettle', 'Wasserkessel', 'Hervidor de goteo'],
  ['BOWL', 'BOWL', 1290, 'Serving Bowl', 'Schüssel', 'Ensaladera'],
  ['SHLF', 'SHELF', 8900, 'Wall Shelf', 'Wandregal', 'Repisa de pared'],
  ['LAMP', 'LAMP', 5900, 'Reading Lamp', 'Leselampe', 'Lámpara de lectura'],
  ['CUSH', 'PILLOW', 1990, 'Seat Cushion', 'Sitzkissen', 'Cojín de asiento'],
  ['RUGX', 'RUG', 12900, 'Woven Rug', 'Webteppich', 'Alfombra tejida'],
  ['BSKT', 'BASKET', 2450, 'Storage Basket', 'Aufbewahrungskorb', 'Cesta organizadora'],
  ['MIRR', 'MIRROR', 7900, 'Round Mirror', 'Runder Spiegel', 'Espejo redondo'],
  ['CLCK', 'CLOCK', 3150, 'Wall Clock', 'Wanduhr', 'Reloj de pared'],
  ['PLNT', 'PLANTER', 1850, 'Planter', 'Übertopf', 'Maceta'],
  ['STOL', 'STOOL', 6400, 'Step Stool', 'Tritthocker', 'Taburete'],
  ['RACK', 'COAT_RACK', 14900, 'Coat Rack', 'Garderobenständer', 'Perchero'],
  ['BORD', 'CUTTING_BOARD', 2290, 'Cutting Board', 'Schneidebrett', 'Tabla de cortar'],
  ['JARX', 'STORAGE_JAR', 950, 'Storage Jar', 'Vorratsdose', 'Tarro hermético'],
  ['HOLD', 'CANDLE_HOLDER', 1490, 'Candle Holder', 'Kerzenständer', 'Portavelas'],
  ['DESK', 'DESK', 24900, 'Folding Desk', 'Klappschreibtisch', 'Escritorio plegable'],
];

const MATERIALS: readonly (readonly [code: string, ...Names])[] = [
  ['OAK', 'Oak', 'Eiche', 'Roble'],
  ['ASH', 'Ash', 'Esche', 'Fresno'],
  ['STL', 'Brushed Steel', 'Edelstahl gebürstet', 'Acero cepillado'],
  ['BLK', 'Black', 'Schwarz', 'Negro'],
  ['GRN', 'Sage Green', 'Salbeigrün', 'Verde salvia'],
  ['SND', 'Sand', 'Sand', 'Arena'],
  ['BLU', 'Cobalt Blue', 'Kobaltblau', 'Azul cobalto'],
  ['RED', 'Brick Red', 'Ziegelrot', 'Rojo ladrillo'],
];

const SIZES: readonly { code: string; label: string; factor: number }[] = [
  { code: 'S', label: '30 cm', factor: 1 },
  { code: 'L', label: '19"', factor: 1.6 },
];

const BRAND = 'Grünhalm';

/** Some sellers number their goods; the zeros in front are part of the SKU. */
const isNumbered = (index: number): boolean => index % 25 === 24;

/** @param index from 0; every index below 256 gives another product. */
export function buildProduct(index: number): Product {
  const place = index + 1;
  const [kind, productType, cents, ...nouns] = at(KINDS, index);
  const [material, ...adjectives] = at(MATERIALS, Math.floor(index / KINDS.length));
  const size = at(SIZES, Math.floor(index / (KINDS.length * MATERIALS.length)));
  const title = (language: 0 | 1 | 2): string =>
    `${BRAND} ${nouns[language]}, ${adjectives[language]}, ${size.label}`;
  const markup = 1 + Math.floor(index / KINDS.length) / 25;
  return {
    sku: isNumbered(index) ? String(place * 37).padStart(6, '0') : `${kind}-${material}-${size.code}`,
    asin: `B0SBW${String(place).padStart(5, '0')}`,
    productType,
    titles: { en: title(0), de: title(1), es: title(2) },
    baseCents: Math.round((cents * markup * size.factor) / 100) * 100 - 10,
  };
}

function at<T>(all: readonly T[], index: number): T {
  const found = all[index % all.length];
  if (found === undefined) throw new RangeError('nothing to choose from');
  return found;
}
