/** Which columns hold amounts, by a reviewed list of words in their names, and how an amount becomes a number. */

import { marketplaces } from '../../service/facts/marketplaces.ts';

/** Of money: never added up across currencies. */
const MONEY = new Set(
  `price prices amount amounts fee fees tax taxes vat total totals subtotal cost costs revenue sales discount discounts
  charge charges credit credits debit balance refund refunds rebate rebates commission commissions payment payments
  proceeds payout deposit principal surcharge reimbursement promotion earnings spend
  preis preise betrag gebühr gebühren steuer gesamt umsatz umsätze kosten rabatt guthaben
  prix montant frais taxe ventes precio importe tarifa tarifas impuesto ventas prezzo importo tariffa imposta vendite
  価格 金額 手数料 合計 税 売上 商品の売上 prijs kosten bedrag cena kwota opłata pris belopp avgift preço valor taxa fiyat
  fiyatı tutar ücret 价格 金额 费用 税费 总计 मूल्य कीमत السعر سعر المبلغ`.split(/\s+/),
);

/** Of things: they can be added up. */
const COUNTS = new Set(
  `quantity quantities qty units stock inventory available inbound reserved unfulfillable fulfillable sellable unsellable
  sessions views weight volume length width height percentage percent rate score clicks impressions orders days age
  menge anzahl bestand quantité cantidad unidades quantità quantita 数量 在庫 aantal ilość antal quantidade miktar adet 库存 मात्रा
  الكمية`.split(/\s+/),
);

/** Names with one of these are codes, texts or moments, whatever else stands in them. */
const NEVER = new Set(
  `id ids identifier identifiers sku asin fnsku ean upc isbn gtin code codes number nr phone fax postal zip date dates time timestamp type
  name names title description currency status state tracking url uri image channel condition reason address city
  country region office registration scheme jurisdiction authority unit uom label class category method service group source key reference ref model
  version year month week day start end created updated is has eligible designation marketplace`.split(/\s+/),
);

/** The same at the end of a name: `updated_at`, `order_no`. Elsewhere they link words: `days_of_supply_at_amazon`. */
const NEVER_LAST = new Set('at by from no'.split(' '));

const isNever = (words: readonly string[]): boolean =>
  NEVER_LAST.has(words.at(-1) ?? '') || words.some((word) => NEVER.has(word));

/** In names of codes and numbers that name something, in the other languages of the marketplaces. */
const IDENTIFIER =
  /(?:^|_)(?:nummer|nr|numero|número|numéro|numer|numara|numarası|codigo|código|codice|kod|kodu|plz|postleitzahl|cp|cap|telefon|telefone|telefono|teléfono|téléphone|identifiant|identyfikator|artikelnummer|bestellnummer)(?:_|$)|番号|コード|编号|编码|订单号|电话|邮编|電話|رقم|रमांक|nummer$/;

/** True for a heading of codes and numbers that nobody adds up, whatever digits they have. */
export function isIdentifierName(name: string): boolean {
  return isNever(name.split('_')) || IDENTIFIER.test(name) || TAX_NUMBER.test(name);
}

/** Digits alone of this length are a code: EAN, a number of an order, of a telephone. */
const CODE = /^\+?\d{8,}$/;

/**
 * True for a value of a column of amounts, whatever it is called. Codes are none: their zeros in front count, and they have
 * more digits than an amount without decimals has.
 */
export function isAmount(value: string): boolean {
  if (CODE.test(value) || value.startsWith('+')) return false;
  const plain = parseAmount(value, newDecimals(), undefined) ?? undefined;
  const other = plain === undefined ? plainAmount(value) : undefined;
  return (
    plain !== undefined ||
    (other !== undefined && parseAmount(other.text, newDecimals(), undefined) !== undefined)
  );
}

/** These count what follows or comes before: `number_of_items_shipped`, `unit_count`. */
const COUNTED = /^(?:total_)?(?:number|no)_of_|^unit_count$/;

/** A name that ends with one of these is an amount, whatever it is of: `product_price_unit_price_amount`, `city_tax`. */
const HEADS = new Set(
  `price prices amount amounts fee fees tax taxes vat total totals subtotal cost costs quantity quantities qty
  percentage percent units sessions views clicks`.split(/\s+/),
);

/** Yes or no, or what else the last word belongs to. */
const NEVER_BEFORE_HEADS = new Set('is has eligible of'.split(' '));

/** What an amount is for, or over how long: `estimated_fee_per_unit`, `storage_cost_next_month`. */
const BEHIND_HEADS = /_(?:per_[a-z]+|(?:next|last|this)_(?:day|week|month|year))$/;

/** The number under which somebody pays a tax, not how much. */
const TAX_NUMBER =
  /(?:^|_)(?:(?:buyer|customer|recipient|company|business)_(?:vat|tax)|(?:seller|supplier|merchant)_vat)$/;

/** @param name as `toName` makes it */
export function kindOfAmount(name: string): 'money' | 'count' | undefined {
  if (COUNTED.test(name)) return 'count';
  if (TAX_NUMBER.test(name)) return undefined;
  const words = name.replace(BEHIND_HEADS, '').split('_');
  const head = words.at(-1) ?? '';
  if (HEADS.has(head) && !words.some((word) => NEVER_BEFORE_HEADS.has(word))) {
    return MONEY.has(head) ? 'money' : 'count';
  }
  if (isNever(words)) return undefined;
  const isCount = words.some((word) => COUNTS.has(word));
  // A total is one of money unless the name says of what: `total_days_of_supply`.
  if (words.some((word) => MONEY.has(word) && !(isCount && word === 'total'))) return 'money';
  return isCount ? 'count' : undefined;
}

/** A name that says neither that its values are counted nor that they are codes, texts or moments. */
export function mayBeMoney(name: string): boolean {
  const kind = kindOfAmount(name);
  return kind === 'money' || (kind === undefined && !isNever(name.split('_')));
}

export const isMoneyName = (name: string) => kindOfAmount(name) === 'money';

/** True for the column that tells the currency of the amounts beside it. */
export function isCurrencyName(name: string): boolean {
  return /(?:^|_)(?:currency|währung|devise|monnaie|moneda|moeda|valuta|munteenheid|waluta|para_birimi)(?:s?_?(?:codes?|unit|iso|iso_code|name|symbol))?$|(?:^|_)(?:通貨(?:コード)?|币种|货币(?:代码)?|العملة|मुद्रा)$/.test(
    name,
  );
}

const OF_MARKETPLACES = new Set(marketplaces().map(({ currency }) => currency));
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** A column that holds nothing but codes of currencies tells them, whatever its name is, if one of a marketplace is among them. */
export const isCurrencyCode = (value: unknown) => typeof value === 'string' && CURRENCIES.has(value);
export const hasCurrencyOfMarketplace = (values: Iterable<string>) =>
  [...values].some((value) => OF_MARKETPLACES.has(value));

/** Picks the column whose name has the most first words in common; of equal ones the main one, else the shortest, which is about all. */
export function closestColumn(
  column: string,
  currencies: readonly string[],
  main?: string,
): string | undefined {
  const words = column.split('_');
  const common = (name: string) => {
    const others = name.split('_');
    const differs = words.findIndex((word, at) => word !== others[at]);
    return differs < 0 ? words.length : differs;
  };
  return [...currencies].sort(
    (one, other) =>
      common(other) - common(one) ||
      Number(other === main) - Number(one === main) ||
      one.length - other.length ||
      one.localeCompare(other),
  )[0];
}

export type Decimals = ReturnType<typeof newDecimals>;

/** What the values of a column, or of a whole document, say about the sign before the decimals. */
export function newDecimals() {
  return {
    /** A value that can only have a comma before its decimals: 12,50 or 1.234,56. */
    comma: false,
    /** A value that can only have a point there: 12.50 or 1,234.56. */
    point: false,
    /** A value such as 1.234, and whether it was read with a point before decimals. */
    loosePoint: false,
    /** A value such as 1,234. */
    looseComma: false,
    /** A value such as 1 234: neither point nor comma stands between its groups. */
    spaced: false,
    /** A value with more digits than a number keeps; it is no amount. */
    isTooLong: false,
  };
}

/** What stands before the decimals; undefined while nothing has shown it. */
export type DecimalSign = 'point' | 'comma' | undefined;

/** More significant digits than this are no amount: a number would not keep them. */
const MOST_DIGITS = 15;

const ZERO = 0x30;
const POINT = 0x2e;
const COMMA = 0x2c;

/**
 * The number; undefined for anything that is no amount, a text with needless zeros (007) for one. What is seen of the
 * sign is noted in `seen`. A text such as 1,234 is 1234 unless `sign` or what was seen before says otherwise, one such
 * as 1.234 is a bit more than one: `seen` tells that it was loose, and whoever reads the column decides in the end.
 */
export function parseAmount(text: string, seen: Decimals, sign: DecimalSign): number | undefined {
  const first = text.charCodeAt(0);
  const start = first === 0x2d || first === 0x2b ? 1 : 0;
  let points = 0;
  let commas = 0;
  let last = -1;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= 0x39) continue;
    if (code === POINT) points++;
    else if (code === COMMA) commas++;
    else return parseSpaced(text, seen, sign);
    last = at;
  }
  if (text.length === start) return undefined;
  if (text.length - start > MOST_DIGITS && !keepsDigits(text)) {
    seen.isTooLong = true;
    return undefined;
  }
  if (last < 0) return isPlain(text, start, text.length) ? Number(text) : undefined;
  return parseSigned(text, { start, points, commas, last }, seen, sign);
}

interface Signs {
  start: number;
  points: number;
  commas: number;
  /** Place of the last sign. */
  last: number;
}

/** Digits without needless zeros, few enough for a number. */
function isPlain(text: string, start: number, end: number): boolean {
  const digits = end - start;
  return digits > 0 && digits <= MOST_DIGITS && (digits === 1 || text.charCodeAt(start) !== ZERO);
}

/** Zeros at either end cost no digits. */
function keepsDigits(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  let start = 0;
  let end = digits.length;
  while (digits.charCodeAt(start) === ZERO) start++;
  while (end > start && digits.charCodeAt(end - 1) === ZERO) end--;
  return end - start <= MOST_DIGITS;
}

function parseSigned(text: string, signs: Signs, seen: Decimals, sign: DecimalSign): number | undefined {
  const { start, points, commas, last } = signs;
  const isPoint = text.charCodeAt(last) === POINT;
  const decimals = text.length - last - 1;
  if (points + commas === 1) {
    const whole = last - start;
    if (decimals === 0 || (whole > 0 && !isPlain(text, start, last))) return undefined;
    if (decimals === 3 && whole >= 1 && whole <= 3 && text.charCodeAt(start) !== ZERO) {
      return parseLoose(text, isPoint, seen, sign);
    }
    seen[isPoint ? 'point' : 'comma'] = true;
    return Number(isPoint ? text : text.replace(',', '.'));
  }
  const groupSign = isPoint ? (commas === 0 ? '.' : ',') : points === 0 ? ',' : '.';
  const isOnlyGroups = points === 0 || commas === 0;
  if (!isOnlyGroups && (isPoint ? points : commas) !== 1) return undefined;
  if (!isOnlyGroups && decimals === 0) return undefined;
  const grouped = isOnlyGroups ? text.slice(start) : text.slice(start, last);
  if (!isGrouped(grouped, groupSign)) return undefined;
  seen[groupSign === ',' ? 'point' : 'comma'] = true;
  const number = Number(
    `${grouped.replaceAll(groupSign, '')}${isOnlyGroups ? '' : `.${text.slice(last + 1)}`}`,
  );
  return text.startsWith('-') ? -number : number;
}

function parseLoose(text: string, isPoint: boolean, seen: Decimals, sign: DecimalSign): number {
  if (isPoint) {
    seen.loosePoint = true;
    return Number(sign === 'comma' ? text.replace('.', '') : text);
  }
  seen.looseComma = true;
  return Number(text.replace(',', sign === 'comma' ? '.' : ''));
}

function isGrouped(text: string, sign: string): boolean {
  const [head = '', ...groups] = text.split(sign);
  const digits = head.length + 3 * groups.length;
  const isHead = head.length >= 1 && head.length <= 3 && !head.startsWith('0');
  return isHead && digits <= MOST_DIGITS && groups.every((group) => group.length === 3);
}

/** Spaces and apostrophes between groups of three digits, as some languages write them. */
const GROUP_SPACES = /[ \u00A0\u202F'’]/;
const SPACED = /^[+-]?[1-9]\d{0,2}([ \u00A0\u202F'’])\d{3}(?:\1\d{3}){0,3}(?:[.,]\d{1,6})?$/;

function parseSpaced(text: string, seen: Decimals, sign: DecimalSign): number | undefined {
  const bare = text.trim();
  if (bare.length > 40 || bare === '') return undefined;
  if (!GROUP_SPACES.test(bare)) return bare === text ? undefined : parseAmount(bare, seen, sign);
  if (!SPACED.test(bare)) return undefined;
  if (!keepsDigits(bare)) {
    seen.isTooLong = true;
    return undefined;
  }
  const compact = bare.replace(/[ \u00A0\u202F'’]/g, '');
  seen.spaced = true;
  // Behind groups of their own, a sign can only stand before decimals.
  if (compact.includes(',')) seen.comma = true;
  else if (compact.includes('.')) seen.point = true;
  return Number(compact.replace(',', '.'));
}

/**
 * The sign before the decimals of a whole column, once all of it was seen; undefined where it cannot be known, so that
 * the column stays text.
 * @param all what was seen anywhere in the document
 */
export function decideSign(seen: Decimals, all: Decimals): DecimalSign {
  const sign = likelySign(seen, all);
  // Whoever puts spaces between groups puts no other sign there.
  const isGroup = sign === 'comma' ? seen.loosePoint : seen.looseComma;
  return seen.spaced && isGroup ? undefined : sign;
}

function likelySign(seen: Decimals, all: Decimals): DecimalSign {
  if (seen.comma && seen.point) return undefined;
  if (seen.comma) return 'comma';
  if (seen.point) return 'point';
  if (!seen.looseComma && !seen.loosePoint) return 'point';
  // All that there is are values such as 1.234: a bit more than one, or more than a thousand.
  return all.comma === all.point ? undefined : all.comma ? 'comma' : 'point';
}

// Amounts in the signs of other scripts, with a currency or a percent sign beside them, or a minus sign elsewhere.

/** Before or behind an amount: signs and codes of the currencies of the marketplaces, and percent signs. */
const BESIDE =
  /^(?:US\$|CA\$|A\$|C\$|S\$|R\$|MX\$|[$€£¥₹₺円元%٪]|kr\.?|zł|TL|Rs\.?|[A-Z]{3})(?=[\s\d.,-])|(?:[$€£¥₹₺円元%٪]|kr\.?|zł|TL|[A-Z]{3})$/;

const LETTERS = /^[A-Z]{3}$/;

/** `MAD4` is a warehouse and `SKU7` a product: three letters are a currency where a marketplace has it. */
const isCurrency = (code: string): boolean => marketplaces().some(({ currency }) => currency === code);

const PLAIN_SIGNS: Readonly<Record<string, string>> = { '٫': '.', '٬': '', '−': '-', '‐': '-', '–': '-' };

/** Digits of Arabic, Persian and Devanagari lie in runs of ten from these. */
const ZEROS = [0x660, 0x6f0, 0x966];

export interface MarkedAmount {
  text: string;
  /** The currency or percent sign; empty where there is none. */
  mark: string;
}

/** The amount in plain signs; undefined where it has them already or is no amount. */
export function plainAmount(given: string): MarkedAmount | undefined {
  if (given.length > 40 || !/\p{Nd}/u.test(given)) return undefined;
  const folded = given
    .normalize('NFKC')
    .replace(/[٠-٩۰-۹०-९]/g, (digit) => String(digitOf(digit)))
    .replace(/[٫٬−‐–]/g, (sign) => PLAIN_SIGNS[sign] ?? sign)
    .trim();
  const isBracketed = /^\(.*\)$/.test(folded);
  let text = isBracketed ? folded.slice(1, -1).trim() : folded;
  const isBehind = /\d\s?-$/.test(text);
  if (isBehind) text = text.slice(0, -1).trim();
  const hasMinus = text.startsWith('-');
  if (hasMinus) text = text.slice(1).trim();
  const mark = BESIDE.exec(text)?.[0] ?? '';
  if (LETTERS.test(mark) && !isCurrency(mark)) return undefined;
  if (mark !== '') text = text.replace(mark, '').trim();
  const isInner = text.startsWith('-');
  if (isInner) text = text.slice(1).trim();
  const signs = [isBracketed, isBehind, hasMinus, isInner].filter(Boolean).length;
  if (signs > 1 || !/^\d|^[.,]\d/.test(text)) return undefined;
  text = text.replace(/^(\d{1,2}(?:,\d\d)+,\d{3})(?=$|\.)/, (indian) => indian.replaceAll(',', ''));
  return { text: `${signs === 1 ? '-' : ''}${text}`, mark };
}

function digitOf(digit: string): number {
  const code = digit.charCodeAt(0);
  const zero = ZEROS.find((first) => code >= first && code < first + 10) ?? code;
  return code - zero;
}
