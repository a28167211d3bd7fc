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

type Names = Readonly<Record<Language, string>>;
const names = (en: string, de: string, es: string): Names => ({ en, de, es });

interface Kind {
  code: string;
  productType: string;
  names: Names;
  cents: number;
}

const kind = (
  code: string,
  productType: string,
  cents: number,
  ...texts: [string, string, string]
): Kind => ({
  code,
  productType,
  cents,
  names: names(...texts),
});

const KINDS: readonly Kind[] = [
  kind('KETL', 'KETTLE', 3490, 'Pour-Over Kettle', 'Wasserkessel', 'Hervidor de goteo'),
  kind('BOWL', 'BOWL', 1290, 'Serving Bowl', 'Schüssel', 'Ensaladera'),
  kind('SHLF', 'SHELF', 8900, 'Wall Shelf', 'Wandregal', 'Repisa de pared'),
  kind('LAMP', 'LAMP', 5900, 'Reading Lamp', 'Leselampe', 'Lámpara de lectura'),
  kind('CUSH', 'PILLOW', 1990, 'Seat Cushion', 'Sitzkissen', 'Cojín de asiento'),
  kind('RUGX', 'RUG', 12900, 'Woven Rug', 'Webteppich', 'Alfombra tejida'),
  kind('BSKT', 'BASKET', 2450, 'Storage Basket', 'Aufbewahrungskorb', 'Cesta organizadora'),
  kind('MIRR', 'MIRROR', 7900, 'Round Mirror', 'Runder Spiegel', 'Espejo redondo'),
  kind('CLCK', 'CLOCK', 3150, 'Wall Clock', 'Wanduhr', 'Reloj de pared'),
  kind('PLNT', 'PLANTER', 1850, 'Planter', 'Übertopf', 'Maceta'),
  kind('STOL', 'STOOL', 6400, 'Step Stool', 'Tritthocker', 'Taburete'),
  kind('RACK', 'COAT_RACK', 14900, 'Coat Rack', 'Garderobenständer', 'Perchero'),
  kind('BORD', 'CUTTING_BOARD', 2290, 'Cutting Board', 'Schneidebrett', 'Tabla de cortar'),
  kind('JARX', 'STORAGE_JAR', 950, 'Storage Jar', 'Vorratsdose', 'Tarro hermético'),
  kind('HOLD', 'CANDLE_HOLDER', 1490, 'Candle Holder', 'Kerzenständer', 'Portavelas'),
  kind('DESK', 'DESK', 24900, 'Folding Desk', 'Klappschreibtisch', 'Escritorio plegable'),
];

const MATERIALS: readonly { code: string; names: Names }[] = [
  { code: 'OAK', names: names('Oak', 'Eiche', 'Roble') },
  { code: 'ASH', names: names('Ash', 'Esche', 'Fresno') },
  { code: 'STL', names: names('Brushed Steel', 'Edelstahl gebürstet', 'Acero cepillado') },
  { code: 'BLK', names: names('Black', 'Schwarz', 'Negro') },
  { code: 'GRN', names: names('Sage Green', 'Salbeigrün', 'Verde salvia') },
  { code: 'SND', names: names('Sand', 'Sand', 'Arena') },
  { code: 'BLU', names: names('Cobalt Blue', 'Kobaltblau', 'Azul cobalto') },
  { code: 'RED', names: names('Brick Red', 'Ziegelrot', 'Rojo ladrillo') },
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
  const what = at(KINDS, index);
  const material = at(MATERIALS, Math.floor(index / KINDS.length));
  const size = at(SIZES, Math.floor(index / (KINDS.length * MATERIALS.length)));
  const title = (language: Language): string =>
    `${BRAND} ${what.names[language]}, ${material.names[language]}, ${size.label}`;
  const markup = 1 + Math.floor(index / KINDS.length) / 25;
  return {
    sku: isNumbered(index)
      ? String(place * 37).padStart(6, '0')
      : `${what.code}-${material.code}-${size.code}`,
    asin: `B0SBW${String(place).padStart(5, '0')}`,
    productType: what.productType,
    titles: { en: title('en'), de: title('de'), es: title('es') },
    baseCents: Math.round((what.cents * markup * size.factor) / 100) * 100 - 10,
  };
}

function at<T>(all: readonly T[], index: number): T {
  const found = all[index % all.length];
  if (found === undefined) throw new RangeError('nothing to choose from');
  return found;
}
