/** Finds columns of amounts by a reviewed list of words in their names, and parses amounts into numbers. */

import { marketplaces } from '../../service/facts/marketplaces.ts';

/** Words for money, which is never added up across currencies. */
const MONEY_WORDS = new Set(
  `price prices amount amounts fee fees tax taxes vat total totals subtotal cost costs revenue sales discount discounts
  charge charges credit credits debit balance refund refunds rebate rebates commission commissions payment payments
  proceeds payout deposit principal surcharge reimbursement promotion earnings spend
  preis preise betrag gebühr gebühren steuer gesamt umsatz umsätze kosten rabatt guthaben
  prix montant frais taxe ventes precio importe tarifa tarifas impuesto ventas prezzo importo tariffa imposta vendite
  価格 金額 手数料 合計 税 売上 商品の売上 prijs kosten bedrag cena kwota opłata pris belopp avgift preço valor taxa fiyat
  fiyatı tutar ücret 价格 金额 费用 税费 总计 मूल्य कीमत السعر سعر المبلغ`.split(/\s+/),
);

/** Words for countable things, which can be added up. */
const COUNT_WORDS = new Set(
  `quantity quantities qty units stock inventory available inbound reserved unfulfillable fulfillable sellable unsellable
  sessions views weight volume length width height percentage percent rate score clicks impressions orders days age
  menge anzahl bestand quantité cantidad unidades quantità quantita 数量 在庫 aantal ilość antal quantidade miktar adet 库存 मात्रा
  الكمية`.split(/\s+/),
);

/** Words that make a name one of codes, texts or moments, regardless of its other words. */
const NO_AMOUNT_WORDS = new Set(
  `id ids identifier identifiers sku asin fnsku ean upc isbn gtin code codes number nr phone fax postal zip date dates time timestamp type
  name names title description currency status state tracking url uri image channel condition reason address city
  country region office registration scheme jurisdiction authority unit uom label class category method service group source key reference ref model
  version year month week day start end created updated is has eligible designation marketplace`.split(/\s+/),
);

/**
 * Words that do the same only at the end of a name: `updated_at`, `order_no`. Elsewhere they link words:
 * `days_of_supply_at_amazon`.
 */
const NO_AMOUNT_LAST_WORDS = new Set('at by from no'.split(' '));

const isNever = (words: readonly string[]): boolean =>
  NO_AMOUNT_LAST_WORDS.has(words.at(-1) ?? '') || words.some((word) => NO_AMOUNT_WORDS.has(word));

/** Matches names of codes and identifying numbers in the other languages of the marketplaces. */
const IDENTIFIER =
  /(?:^|_)(?:nummer|nr|numero|número|numéro|numer|numara|numarası|codigo|código|codice|kod|kodu|plz|postleitzahl|cp|cap|telefon|telefone|telefono|teléfono|téléphone|identifiant|identyfikator|artikelnummer|bestellnummer)(?:_|$)|番号|コード|编号|编码|订单号|电话|邮编|電話|رقم|रमांक|nummer$/;

/** Returns true for a heading of codes and numbers that are never added up. */
export function isIdentifierName(name: string): boolean {
  return isNever(name.split('_')) || IDENTIFIER.test(name) || TAX_NUMBER.test(name);
}

/** Matches plain digits long enough for a code: EAN, order number, telephone number. */
const CODE = /^\+?\d{8,}$/;

/**
 * Returns true for a value of a column of amounts, regardless of its name. Codes are excluded: their leading
 * zeros count, and they have more digits than an amount without decimals.
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

/** Matches names that count the thing after or before: `number_of_items_shipped`, `unit_count`. */
const COUNTED = /^(?:total_)?(?:number|no)_of_|^unit_count$/;

/**
 * Final words that make a name an amount, regardless of the words before: `product_price_unit_price_amount`,
 * `city_tax`.
 */
const AMOUNT_HEADS = new Set(
  `price prices amount amounts fee fees tax taxes vat total totals subtotal cost costs quantity quantities qty
  percentage percent units sessions views clicks`.split(/\s+/),
);

/** Words that make it a truth value, or attach the last word to something else. */
const NEVER_BEFORE_HEADS = new Set('is has eligible of'.split(' '));

/** Matches the purpose or period of an amount: `estimated_fee_per_unit`, `storage_cost_next_month`. */
const AFTER_HEADS = /_(?:per_[a-z]+|(?:next|last|this)_(?:day|week|month|year))$/;

/** Matches tax identification numbers, which are no amounts. */
const TAX_NUMBER =
  /(?:^|_)(?:(?:buyer|customer|recipient|company|business)_(?:vat|tax)|(?:seller|supplier|merchant)_vat)$/;

/** @param name a name as `toName` builds it */
export function kindOfAmount(name: string): 'money' | 'count' | undefined {
  if (COUNTED.test(name)) return 'count';
  if (TAX_NUMBER.test(name)) return undefined;
  const words = name.replace(AFTER_HEADS, '').split('_');
  const head = words.at(-1) ?? '';
  if (AMOUNT_HEADS.has(head) && !words.some((word) => NEVER_BEFORE_HEADS.has(word))) {
    return MONEY_WORDS.has(head) ? 'money' : 'count';
  }
  if (isNever(words)) return undefined;
  const isCount = words.some((word) => COUNT_WORDS.has(word));
  // A total is money unless the name states its unit: `total_days_of_supply`.
  if (words.some((word) => MONEY_WORDS.has(word) && !(isCount && word === 'total'))) return 'money';
  return isCount ? 'count' : undefined;
}

/** Returns true unless the name shows that its values are counts, codes, texts or moments. */
export function mayBeMoney(name: string): boolean {
  const kind = kindOfAmount(name);
  return kind === 'money' || (kind === undefined && !isNever(name.split('_')));
}

export const isMoneyName = (name: string) => kindOfAmount(name) === 'money';

/** Returns true for the column with the currency of the amounts beside it. */
export function isCurrencyName(name: string): boolean {
  return /(?:^|_)(?:currency|währung|devise|monnaie|moneda|moeda|valuta|munteenheid|waluta|para_birimi)(?:s?_?(?:codes?|unit|iso|iso_code|name|symbol))?$|(?:^|_)(?:通貨(?:コード)?|币种|货币(?:代码)?|العملة|मुद्रा)$/.test(
    name,
  );
}

const MARKETPLACE_CURRENCIES = new Set(marketplaces().map(({ currency }) => currency));
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/**
 * Returns true for a currency code. A column with only such codes is one of currencies, regardless of its
 * name, if one of a marketplace is among them.
 */
export const isCurrencyCode = (value: unknown) => typeof value === 'string' && CURRENCIES.has(value);
export const hasCurrencyOfMarketplace = (values: Iterable<string>) =>
  [...values].some((value) => MARKETPLACE_CURRENCIES.has(value));

/**
 * Picks the column whose name shares the most first words; of equal ones the main one, else the shortest,
 * which is the most general.
 */
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

/** Evidence from the values of a column or document about the sign before the decimals. */
export function newDecimals() {
  return {
    /** True after a value that can only have a comma before its decimals: 12,50 or 1.234,56. */
    comma: false,
    /** True after a value that can only have a point there: 12.50 or 1,234.56. */
    point: false,
    /** True after a value such as 1.234, which is ambiguous. */
    loosePoint: false,
    /** True after a value such as 1,234. */
    looseComma: false,
    /** True after a value such as 1 234, with neither point nor comma between its groups. */
    spaced: false,
    /** True after a value with more digits than a number can store; it is no amount. */
    isTooLong: false,
  };
}

/** The sign before the decimals; undefined until a value has shown it. */
export type DecimalSign = 'point' | 'comma' | undefined;

/** A number cannot store more significant digits, so a longer value is no amount. */
const MAX_DIGITS = 15;

const ZERO = 0x30;
const POINT = 0x2e;
const COMMA = 0x2c;

/**
 * Parses an amount; returns undefined for anything else, such as a text with needless zeros (007). It records
 * evidence of the sign in `seen`. A text such as 1,234 is 1234, and 1.234 is a bit more than one, unless
 * `sign` or earlier values show otherwise. `seen` records that it was ambiguous, and the reader of the column
 * decides in the end.
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
  if (text.length - start > MAX_DIGITS && !fitsDigits(text)) {
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
  /** The index of the last sign. */
  last: number;
}

/** Returns true for digits without needless zeros, few enough for a number. */
function isPlain(text: string, start: number, end: number): boolean {
  const digits = end - start;
  return digits > 0 && digits <= MAX_DIGITS && (digits === 1 || text.charCodeAt(start) !== ZERO);
}

/** Returns true if a number can store the digits; zeros at either end do not count. */
function fitsDigits(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  let start = 0;
  let end = digits.length;
  while (digits.charCodeAt(start) === ZERO) start++;
  while (end > start && digits.charCodeAt(end - 1) === ZERO) end--;
  return end - start <= MAX_DIGITS;
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
  return isHead && digits <= MAX_DIGITS && groups.every((group) => group.length === 3);
}

/** Spaces and apostrophes between groups of three digits, as some languages write them. */
const GROUP_SPACES = /[ \u00A0\u202F'’]/;
const SPACED = /^[+-]?[1-9]\d{0,2}([ \u00A0\u202F'’])\d{3}(?:\1\d{3}){0,3}(?:[.,]\d{1,6})?$/;

function parseSpaced(text: string, seen: Decimals, sign: DecimalSign): number | undefined {
  const bare = text.trim();
  if (bare.length > 40 || bare === '') return undefined;
  if (!GROUP_SPACES.test(bare)) return bare === text ? undefined : parseAmount(bare, seen, sign);
  if (!SPACED.test(bare)) return undefined;
  if (!fitsDigits(bare)) {
    seen.isTooLong = true;
    return undefined;
  }
  const compact = bare.replace(/[ \u00A0\u202F'’]/g, '');
  seen.spaced = true;
  // After groups with spaces, a sign can only precede decimals.
  if (compact.includes(',')) seen.comma = true;
  else if (compact.includes('.')) seen.point = true;
  return Number(compact.replace(',', '.'));
}

/**
 * Returns the sign before the decimals of a whole column; undefined if it is ambiguous, so that the column
 * stays text.
 * @param all the evidence from the whole document
 */
export function decideSign(seen: Decimals, all: Decimals): DecimalSign {
  const sign = likelySign(seen, all);
  // A writer that puts spaces between groups uses no other sign there.
  const isGroup = sign === 'comma' ? seen.loosePoint : seen.looseComma;
  return seen.spaced && isGroup ? undefined : sign;
}

function likelySign(seen: Decimals, all: Decimals): DecimalSign {
  if (seen.comma && seen.point) return undefined;
  if (seen.comma) return 'comma';
  if (seen.point) return 'point';
  if (!seen.looseComma && !seen.loosePoint) return 'point';
  // All values are like 1.234: a bit more than one, or more than a thousand.
  return all.comma === all.point ? undefined : all.comma ? 'comma' : 'point';
}

// This part parses amounts in other scripts, with a currency or percent sign, or with a minus sign elsewhere.

/** Matches currency signs, currency codes of the marketplaces and percent signs before or after an amount. */
const MARK_BESIDE =
  /^(?:US\$|CA\$|A\$|C\$|S\$|R\$|MX\$|[$€£¥₹₺円元%٪]|kr\.?|zł|TL|Rs\.?|[A-Z]{3})(?=[\s\d.,-])|(?:[$€£¥₹₺円元%٪]|kr\.?|zł|TL|[A-Z]{3})$/;

const LETTERS = /^[A-Z]{3}$/;

/** Returns true for a currency of a marketplace, because `MAD4` is a warehouse and `SKU7` a product. */
const isCurrency = (code: string): boolean => marketplaces().some(({ currency }) => currency === code);

const PLAIN_SIGNS: Readonly<Record<string, string>> = { '٫': '.', '٬': '', '−': '-', '‐': '-', '–': '-' };

/** The zeros of Arabic, Persian and Devanagari, each followed by its other nine digits. */
const ZEROS = [0x660, 0x6f0, 0x966];

export interface MarkedAmount {
  text: string;
  /** The currency or percent sign; empty if there is none. */
  mark: string;
}

/** Returns the amount in plain signs; undefined if it has them already or is no amount. */
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
  const mark = MARK_BESIDE.exec(text)?.[0] ?? '';
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
