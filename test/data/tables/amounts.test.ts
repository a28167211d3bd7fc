/** Amounts as countries write them, held against what was written: a column becomes exactly that, or stays text. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DecimalSign,
  isCurrencyName,
  isMoneyName,
  kindOfAmount,
  newDecimals,
  parseAmount,
  plainAmount,
} from '../../../src/data/tables/amounts.ts';
import {
  type ColumnValues,
  joinDecimals,
  newColumn,
  readText,
  settleColumn,
} from '../../../src/data/tables/worker/column-values.ts';
import { marketplaces } from '../../../src/service/facts/marketplaces.ts';

const noDate = () => undefined;

/** Columns of one document, read as `load-rows.ts` does: once, and again where the whole says otherwise. */
function readColumns(columns: readonly (readonly string[])[]) {
  const first = columns.map((texts) => {
    const column = newColumn('price');
    return { column, values: readAll(column, texts), texts };
  });
  const all = joinDecimals(first.map(({ column }) => column));
  return first.map(({ column, values, texts }) => {
    const settled = settleColumn(column, all);
    return { kind: settled.column.kind, values: settled.again ? readAll(settled.column, texts) : values };
  });
}

const readAll = (column: ColumnValues, texts: readonly string[]) =>
  texts.map((text) => readText(column, text, noDate));

const readOne = (...texts: string[]) => readColumns([texts])[0];

describe('a sign behind groups of their own stands before decimals, and says so of the whole column', () => {
  it.each([
    [
      ['1 234,567', '2,345'],
      [1234.567, 2.345],
    ],
    [
      ['1\u202F234,56', '12,50'],
      [1234.56, 12.5],
    ],
    [
      ['1’234.567', '2.345'],
      [1234.567, 2.345],
    ],
    [
      ["1'234.56", '2,345.5'],
      [1234.56, 2345.5],
    ],
    [
      ['1 234', '12,50'],
      [1234, 12.5],
    ],
  ])('%j', (texts, amounts) => {
    expect(readOne(...texts)).toEqual({ kind: 'amount', values: amounts });
  });

  it.each([
    [['1 234,56', '12.50']],
    [["1'234.56", '12,50']],
    [['1 234', '2,345']],
    [['1 234', '2.345']],
    [['1 234,5', '2.345']],
    [['1 234.5', '2,345']],
    [['1 234’567']],
    [['007 123']],
    [['1 234,5', '1.5']],
  ])('%j stays text', (texts) => {
    expect(readOne(...texts)).toEqual({ kind: 'text', values: texts });
  });

  it('for other columns of the document too', () => {
    const [, loose] = readColumns([['1 234,50'], ['2,345', '1.234']]);
    expect(loose).toEqual({ kind: 'amount', values: [2.345, 1234] });
  });
});

/** A text that a format wrote, and the amount that it means. */
interface Written {
  text: string;
  amount: number;
}

const LOCALES =
  `ar-EG bg-BG bn-BD ca-ES cs-CZ da-DK de-AT de-CH de-DE de-LI el-GR en-AU en-CA en-GB en-IE en-IN en-SG en-US
  en-ZA es-AR es-CL es-CO es-ES es-MX es-PE et-EE fa-IR fi-FI fr-BE fr-CA fr-CH fr-FR fr-LU gu-IN he-IL hi-IN hr-HR hu-HU
  id-ID it-CH it-IT ja-JP ko-KR lt-LT lv-LV ms-MY nb-NO ne-NP nl-BE nl-NL pl-PL pt-BR pt-PT ro-RO ru-RU sk-SK sl-SI sr-RS
  sv-SE ta-IN th-TH tr-TR uk-UA vi-VN zh-CN zh-TW`.split(/\s+/);

const cents = fc.oneof(
  // These amounts look like thousands where they have three decimals, and the other way round.
  fc.integer({ min: 1_000, max: 999_999 }),
  fc.integer({ min: -99_999, max: 99_999 }),
  fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
);
/** The amount is in thousandths where it has three decimals. */
const amount = fc.tuple(cents, fc.constantFrom(0, 2, 3)).map(([whole, decimals]) => ({
  value: Number(`${whole}e-${decimals}`),
  decimals,
}));
const columns = fc.array(fc.array(amount, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 2 });

type Format = (value: number, decimals: number) => string;

function expectExactOrText(sheet: readonly (readonly Written[])[]) {
  const read = readColumns(sheet.map((column) => column.map(({ text }) => text)));
  for (const [at, { kind, values }] of read.entries()) {
    const written = sheet[at] ?? [];
    expect(values).toEqual(
      kind === 'amount' ? written.map((one) => one.amount) : written.map(({ text }) => text),
    );
  }
  return read.filter(({ kind }) => kind === 'amount').length;
}

const write = (format: Format, { value, decimals }: { value: number; decimals: number }): Written => ({
  text: format(value, decimals),
  // Too few decimals hide the sign of a negative amount that rounds to zero.
  amount: value === 0 ? 0 : value,
});

it('whatever country a document is written in, each of its columns is exactly what was written, or text', () => {
  let amounts = 0;
  const formats = new Map(
    LOCALES.flatMap((locale) =>
      [0, 2, 3].map((decimals) => [
        `${locale} ${decimals}`,
        new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: 3 }),
      ]),
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom(...LOCALES), columns, (locale, sheet) => {
      const format: Format = (value, decimals) =>
        formats.get(`${locale} ${decimals}`)?.format(value === 0 ? 0 : value) ?? '';
      amounts += expectExactOrText(sheet.map((column) => column.map((one) => write(format, one))));
    }),
    { numRuns: 1_000 },
  );
  // Staying text is no way out.
  expect(amounts).toBeGreaterThan(300);
});

const SIGNS = [',', '.', ' ', '\u00A0', '\u202F', "'", '’', ''];

/** @param indian 12,34,567 */
function grouped(digits: string, sign: string, indian: boolean, least: number): string {
  if (digits.length < least) return digits;
  const head = digits.slice(0, -3);
  const rest = indian ? head.replace(/\B(?=(\d{2})+$)/g, sign) : head.replace(/\B(?=(\d{3})+$)/g, sign);
  return head === '' ? digits : `${rest}${sign}${digits.slice(-3)}`;
}

it('whatever signs stand between groups and before decimals, in any column of the document', () => {
  const format = fc
    .record({
      sign: fc.constantFrom(...SIGNS),
      decimal: fc.constantFrom(',', '.'),
      indian: fc.boolean(),
      least: fc.constantFrom(4, 5),
    })
    .filter(({ sign, decimal }) => sign !== decimal);
  fc.assert(
    fc.property(format, columns, ({ sign, decimal, indian, least }, sheet) => {
      const toText: Format = (value, decimals) => {
        const [whole = '', behind = ''] = Math.abs(value).toFixed(decimals).split('.');
        const minus = value < 0 ? '-' : '';
        return `${minus}${grouped(whole, sign, indian, least)}${behind === '' ? '' : `${decimal}${behind}`}`;
      };
      expectExactOrText(sheet.map((column) => column.map((one) => write(toText, one))));
    }),
    { numRuns: 1_000 },
  );
});

it('groups of their own decide alone, whatever the other columns of the document look like', () => {
  const thousands = fc.integer({ min: 1_000, max: 999_999_999 }).map((value) => ({ value, decimals: 0 }));
  fc.assert(
    fc.property(
      fc.constantFrom(...SIGNS.slice(2, -1)),
      fc.constantFrom(',', '.'),
      thousands,
      fc.array(amount, { maxLength: 3 }),
      fc.array(fc.constantFrom('12.50', '12,50', '1,234,567', '1.234,5', '0,125', '1.234', '2,345'), {
        maxLength: 2,
      }),
      (sign, decimal, first, others, beside) => {
        const toText: Format = (value, decimals) => {
          const [whole = '', behind = ''] = Math.abs(value).toFixed(decimals).split('.');
          return `${value < 0 ? '-' : ''}${grouped(whole, sign, false, 4)}${behind && `${decimal}${behind}`}`;
        };
        const written = [first, ...others].map((one) => write(toText, one));
        const [read] = readColumns([written.map(({ text }) => text), ...beside.map((text) => [text])]);
        expect(read?.values).toEqual(written.map((one) => (read?.kind === 'amount' ? one.amount : one.text)));
      },
    ),
    { numRuns: 1_000 },
  );
});

it.each([
  ['number_of_items', 'count'],
  ['total', 'money'],
  ['shipping_tax', 'money'],
  ['price_amount', 'money'],
  ['preis', 'money'],
  ['quantity', 'count'],
  ['afn_fulfillable_quantity', 'count'],
  ['sales_by_date_ordered_product_sales_amount', 'money'],
  ['marketplace_withheld_tax', 'money'],
  ['estimated_referral_fee_per_unit', 'money'],
  ['estimated_storage_cost_next_month', 'money'],
  ['reference_price', 'money'],
  ['order_quantity', 'count'],
  ['order_id', undefined],
  ['unit_of_price', undefined],
  ['type_of_fee', undefined],
  ['is_reduced_price', undefined],
  ['price_per_unit_currency', undefined],
  ['fee_type', undefined],
  ['tax_id', undefined],
  ['buyer_phone_number', undefined],
  ['ship_postal_code', undefined],
  ['price_designation', undefined],
  ['total_currency_code', undefined],
  ['title', undefined],
  ['unit_count', 'count'],
  ['quantity_shipped', 'count'],
  ['afn_total_quantity', 'count'],
  ['sessions', 'count'],
  ['item_price', 'money'],
  ['ordered_product_sales', 'money'],
  ['city_tax', 'money'],
  ['product_price_unit_price_amount', 'money'],
  ['estimated_fee_per_unit', 'money'],
  ['storage_cost_next_month', 'money'],
  ['cost_next_month_end', undefined],
  ['fees_refunded', 'money'],
  ['seller_vat', undefined],
  ['my_buyer_tax', undefined],
  ['is_fee', undefined],
  ['price_date', undefined],
  ['price_per_unit_name', undefined],
  ['sales_channel', undefined],
  ['sku', undefined],
  ['color', undefined],
  ['days_of_supply_at_amazon_fulfillment_network', 'count'],
  ['total_days_of_supply_including_units_from_open_shipments', 'count'],
  ['inventory_supply_at_fba', 'count'],
  ['fba_minimum_inventory_level', 'count'],
  ['total_number_of_orders', 'count'],
  ['unit_session_percentage', 'count'],
  ['no_sale_last_6_months', undefined],
  ['item_price_at', undefined],
  ['units_updated_by', undefined],
  ['order_no', undefined],
  ['valid_from', undefined],
])('%s holds %s', (name, kind) => {
  expect(kindOfAmount(name)).toBe(kind);
  expect(isMoneyName(name)).toBe(kind === 'money');
});

it('a currency is told by the end of a name', () => {
  const names =
    'currency item_currency price_currency_code currency_unit currency_iso_code währungscode moeda waluta';
  for (const name of [...names.split(' '), '通貨', '通貨コード']) {
    expect(isCurrencyName(name)).toBe(true);
  }
  for (const name of [
    'currency_of',
    'mycurrency',
    'currency_code_2',
    'price',
    'currency_rate',
    'currency_conversion_fee',
  ]) {
    expect(isCurrencyName(name)).toBe(false);
  }
});

it.each<[string, number | undefined, string, DecimalSign?]>([
  ['+5', 5, ''],
  ['-19', -19, ''],
  ['0', 0, ''],
  ['+', undefined, ''],
  ['007', undefined, ''],
  ['123456789012345', 123_456_789_012_345, ''],
  ['1234567890123456', undefined, 'isTooLong'],
  ['100000000000000000', undefined, ''],
  ['12345678901.23456', undefined, 'isTooLong'],
  ['0.00000000000000001', 1e-17, 'point'],
  ['1.50000000000000000', 1.5, 'point'],
  ['.5', 0.5, 'point'],
  ['5.', undefined, ''],
  ['00.5', undefined, ''],
  ['0,125', 0.125, 'comma'],
  ['1234,567', 1_234.567, 'comma'],
  ['123,456', 123_456, 'looseComma'],
  ['1,234', 1.234, 'looseComma', 'comma'],
  ['1.234', 1.234, 'loosePoint'],
  ['1.234', 1_234, 'loosePoint', 'comma'],
  ['-1,234,567', -1_234_567, 'point'],
  ['+1.234.567', 1_234_567, 'comma'],
  ['1,234.5', 1_234.5, 'point'],
  ['-1.234,5', -1_234.5, 'comma'],
  ['1,234.', undefined, ''],
  ['1.2,34.5', undefined, ''],
  ['1,2.3,4', undefined, ''],
  ['12,34,567', undefined, ''],
  ['1234,567.5', undefined, ''],
  ['0,123,456', undefined, ''],
  [',123,456', undefined, ''],
  ['1,234,56', undefined, ''],
  ['123,456,789,012,345', 123_456_789_012_345, 'point'],
  ['1,000,000,000,000,000', undefined, ''],
  ['1,234,567,890,123,456', undefined, 'isTooLong'],
  ['1 234', 1_234, 'spaced'],
  ["12'345.5", 12_345.5, 'spaced point'],
  ['+1 234 567,5', 1_234_567.5, 'spaced comma'],
  ['1 234’567', undefined, ''],
  ['1 23', undefined, ''],
  ['1 234 567 890 123.456', undefined, 'isTooLong'],
  [' 5 ', 5, ''],
  [' ', undefined, ''],
  ['5 EUR', undefined, ''],
  [`${' '.repeat(40)}5`, 5, ''],
  [`1 234.${'5'.repeat(7)}`, undefined, ''],
])('%s is %d, and shows: %s', (text, amount, shown, sign) => {
  const seen = newDecimals();
  expect(parseAmount(text, seen, sign)).toBe(amount);
  const seenNames = Object.entries(seen).flatMap(([name, isSeen]) => (isSeen ? [name] : []));
  expect(seenNames.sort()).toEqual(shown.split(' ').filter(Boolean).sort());
});

it('takes three letters beside digits for a currency where a marketplace has it, and for a code everywhere else', () => {
  const codes = new Set(marketplaces().map(({ currency }) => currency));
  const letters = fc.string({
    unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
    minLength: 3,
    maxLength: 3,
  });
  fc.assert(
    fc.property(
      fc.oneof(letters, fc.constantFrom(...codes, 'MAD', 'SKU', 'FTW')),
      fc.nat(99_999),
      (code, n) => {
        for (const text of [`${code}${n}`, `${code} ${n}`, `${n} ${code}`, `-${code}${n}`])
          expect(plainAmount(text)?.mark, text).toBe(codes.has(code) ? code : undefined);
      },
    ),
  );
});
