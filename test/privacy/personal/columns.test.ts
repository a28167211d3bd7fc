/** The reviewed list of the report types' columns, and what the rule says of each. */

import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { toName } from '../../../src/data/tables/sql-names.ts';
import { treatmentOfColumn, treatmentOfMember } from '../../../src/privacy/personal/members.ts';
import { reportType, reportTypes } from '../../../src/service/facts/report-types.ts';

interface Listed {
  types: readonly string[];
  column: string;
  said: string;
}

const listed = readList(readFileSync(new URL('columns.txt', import.meta.url), 'utf8'));
const expected = ({ said }: Listed) => (said === 'stays' ? undefined : said);

/** Blocks of report types, or a language, and, indented, `what is said: column | column`. */
function readList(list: string): Listed[] {
  let types: string[] = [];
  return list.split('\n').flatMap((line) => {
    if (/^[A-Z]/.test(line)) types = line.split(' ');
    if (line.startsWith('in ')) types = [];
    const [, said = '', columns = ''] = /^ {2}([a-z -]+): (.+)$/.exec(line) ?? [];
    return columns === '' ? [] : columns.split(' | ').map((column) => ({ types, column, said }));
  });
}

describe('the columns of the report types', () => {
  test('are reviewed for 60 types and more, all of them known', () => {
    const types = new Set(listed.flatMap((one) => one.types));
    expect([...types].filter((type) => reportType(type) === undefined)).toEqual([]);
    expect(types.size).toBeGreaterThan(60);
  });

  test('are what the list says, in the spelling of the report and of its table', () => {
    const wrong = listed.flatMap((one) => {
      const sources = one.types.length === 0 ? [{}] : one.types.map((type) => ({ reportType: type }));
      const found = sources.flatMap((source) => [
        treatmentOfColumn(source, one.column),
        treatmentOfColumn(source, toName(one.column)),
      ]);
      return found.every((treatment) => treatment === expected(one)) ? [] : [{ ...one, found }];
    });
    expect(wrong).toEqual([]);
  });

  test('of XML and JSON are personal as members too', () => {
    const wrong = listed
      .filter(({ column, said }) => /[.A-Z]/.test(column) && said !== 'stays')
      .filter((one) => {
        const [type = ''] = one.types;
        return treatmentOfMember({ reportType: type }, one.column.split('.'), true) !== expected(one);
      });
    expect(wrong).toEqual([]);
  });

  const restricted = reportTypes.filter((type) => type.restricted && type.format !== 'pdf');
  test.each(restricted.map(({ id }) => id))('%s, which is restricted, has something personal', (id) => {
    const own = listed.filter(
      ({ types, said }) => types.includes(id) && !['stays', 'free text'].includes(said),
    );
    expect(own).not.toEqual([]);
  });

  test('no town, region or country is masked', () => {
    const region = /(^|[-_ .])(city|state|country|region|jurisdiction|ort|bundesland|land|ville|ciudad)$/i;
    expect(listed.filter(({ column, said }) => said !== 'stays' && region.test(column))).toEqual([]);
  });
});

describe('a report that is not known, or a document without a type', () => {
  it.each([
    ['Customer Name', 'buyer name'],
    ['name', 'buyer name'],
    ['first_name', 'buyer name'],
    ['recipient', 'buyer name'],
    ['address', 'address'],
    ['Address 2', 'address'],
    ['ship_to_street', 'address'],
    ['ZIP', 'postcode'],
    ['E-Mail', 'e-mail'],
    ['customerEmail', 'e-mail'],
    ['Tel.', 'phone'],
    ['vat_number', 'tax number'],
    ['Gift Message', 'buyer text'],
    ['comments', 'free text'],
    ['buyer-citizen-id', 'tax number'],
    ['TC Kimlik No', 'tax number'],
    ['buyer-resident-registration-number', 'tax number'],
    ['Personal Customs Clearance Code', 'tax number'],
    ['buyer-rfc-number', 'tax number'],
    ['invoice-business-address', 'address'],
    ['Fatura Adresi', 'address'],
    ['ship-to-company', 'buyer name'],
  ] as const)('%s is masked as %s', (column, kind) => {
    expect(treatmentOfColumn({}, column)).toBe(kind);
    expect(treatmentOfColumn({ reportType: 'GET_SOMETHING_NEW' }, column)).toBe(kind);
  });

  it.each([
    'product-name',
    'item_name',
    'brand name',
    'asin',
    'sku',
    'seller-email',
    'ship-from-postal-code',
    'email-type',
    'phone_model',
    'is-gift',
    'order-status',
    'license-plate-number',
    'address-type',
    'vat-invoice-number',
    'county-tax',
    'carrier-phone-number',
    'customer-id',
    'number-of-recipients',
    'customer-order-id',
    'liczba dni',
    'headphones_form_factor',
  ])('%s stays', (column) => {
    expect(treatmentOfColumn({}, column)).toBeUndefined();
  });

  it('a plain name is that of a thing in a report that is known to hold no buyers', () => {
    expect(treatmentOfColumn({ reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA' }, 'name')).toBeUndefined();
    expect(treatmentOfColumn({ reportType: 'GET_FLAT_FILE_ORDER_REPORT_DATA_TAX' }, 'name')).toBe(
      'buyer name',
    );
  });

  it('a number of the operator’s orders to a vendor stays', () => {
    expect(
      treatmentOfColumn({ reportType: 'GET_VENDOR_SALES_REPORT' }, 'purchase-order-number'),
    ).toBeUndefined();
    expect(
      treatmentOfColumn({ operation: 'vendor-direct-fulfilment/getOrders' }, 'purchase_order_number'),
    ).toBe(undefined);
  });

  it('takes names of any length and of nothing but signs', () => {
    expect(treatmentOfColumn({}, `${'x '.repeat(100_000)}email`)).toBeUndefined();
    for (const column of ['', ' ', '---', '\u0000', '__proto__', 'constructor'])
      expect(treatmentOfColumn({}, column)).toBeUndefined();
  });
});
