import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { findPhones } from '../../../src/privacy/personal/phones.ts';

const found = (text: string) => Array.from(findPhones(text), ({ start, end }) => text.slice(start, end));

const NUMBERS: readonly (readonly [string, string])[] = [
  ['call +49 30 1234567 now', '+49 30 1234567'],
  ['tel 030 1234567', '030 1234567'],
  ['Ruf 0171/1234567 an', '0171/1234567'],
  ['unter 0171-1234567 erreichbar', '0171-1234567'],
  ['us (555) 123-4567 x', '(555) 123-4567'],
  ['x 415-555-2671 y', '415-555-2671'],
  ['x +1 (415) 555-2671', '+1 (415) 555-2671'],
  ['x +44 20 7946 0958 y', '+44 20 7946 0958'],
  ['x +33 6 12 34 56 78 y', '+33 6 12 34 56 78'],
  ['am 06 12 34 56 78 ok', '06 12 34 56 78'],
  ['jp 080-1234-5678 x', '080-1234-5678'],
  ['x 0049 171 1234567', '0049 171 1234567'],
  ['an 01711234567 bitte', '01711234567'],
  ['Berlin 10115 0171 1234567 x', '0171 1234567'],
  ['0171 1234567 10115 Berlin', '0171 1234567'],
  ['Tel.: 612345678 x', '612345678'],
  ['TEL.(030)1234567', '(030)1234567'],
  ['Tel (030) 12345-67 x', '(030) 12345-67'],
  ['mobile number is 9876543210 x', '9876543210'],
  ['please call me on 612 345 678', '612 345 678'],
  ['電話 0312345678 に', '0312345678'],
  ['☎ 612 345 678 x', '612 345 678'],
  ['+491711234567', '+491711234567'],
  ['au 06.12.34.56.78 svp', '06.12.34.56.78'],
  ['ligar (11) 91234-5678 ok', '(11) 91234-5678'],
  ['電話は０９０－１２３４－５６７８です', '０９０－１２３４－５６７８'],
  ['رقمي ٠٥٠ ١٢٣ ٤٥٦٧', '٠٥٠ ١٢٣ ٤٥٦٧'],
  ['x +49 (0) 171 / 12 34 567.', '+49 (0) 171 / 12 34 567'],
  ['x +1 234567', '+1 234567'],
  ['x +123456789012345 y', '+123456789012345'],
  ['x (+49) 30 1234567', '+49) 30 1234567'],
  ['x (11) 9123-456 y', '(11) 9123-456'],
  ['x (0123) 123-4567 y', '(0123) 123-4567'],
  ['x (012) 345 6789 y', '(012) 345 6789'],
  ['x 1-415-555-2671 y', '1-415-555-2671'],
  ['x 004917112345 y', '004917112345'],
  ['x 0043 123456 y', '0043 123456'],
  ['x 030 123456 y', '030 123456'],
  ['x 030 123456789 y', '030 123456789'],
  ['x 0401234567 y', '0401234567'],
  ['x 08012345678 y', '08012345678'],
  ['x 015012345675 y', '015012345675'],
  ['tel 1234567 x', '1234567'],
  ['tel 4006381333932 x', '4006381333932'],
  ['tel 123456785 x', '123456785'],
  ['Phone is: 612345678 x', '612345678'],
  ['Handynummer an 612345678 x', '612345678'],
  ['tel 0171 1234567, EAN 4006381333931', '0171 1234567'],
  [`${'1 '.repeat(21)}030 1234567 x`, '030 1234567'],
  ['x 0171\u20131234567 y', '0171\u20131234567'],
  ['x 0171\u00a01234567 y', '0171\u00a01234567'],
  ['x 0171\u20101234567 y', '0171\u20101234567'],
];

it.each(NUMBERS)('a telephone number as people write it is found: %s', (text, number) => {
  expect(found(text)).toEqual([number]);
});

it.each([
  'order 028-1234567-1234567 and 302-8237465-1928374 please',
  'EAN 4006381333931, UPC 012345678905 and 9781234567897 ok',
  'ISBN 978-3-16-148410-0 x',
  'tracking 1Z999AA10123456784 or TBA123456789000 x',
  'parcel 00340434161094022115 x, 003404341610940221, 12345678901234',
  'price 1.234.567,89 EUR or USD 1,234.56 and 12.50',
  'on 2026-11-22 10:15, 2026-11-22T10:15:00Z, 2026/11/22 12:00 - 2026/11/23',
  'am 12.11.2026 um 10, called 2026-11-22 x',
  'on 06.12.26, 06.12.2026 and 06.12.26 12.30',
  'B000123456 x and ASIN B0C1234567, SKU 0123-4567-89-AB',
  '100000 - 200000 pieces, order 1234567890, hotel 1234567 x',
  'id 550e8400-e29b-41d4-a716-446655440000',
  '0.1234567 of 10 x 20 x 30 cm, 10115 Berlin, Zip 94103-1234',
  'IP 192.168.100.200, port 8080, version 10.0.19045.3570',
  'x +0 171 1234567 y',
  'x 0171\u00011234567 y',
  'x +1 23456 y',
  'x +1234567890123456 y',
  'x (0123) 12345-6789 y',
  'x 0171-12345-67890 y',
  'x 030 12345 y',
  'x 0030 12345 y',
  'x 0003 1234567890 y',
  'x 00491711234 y',
  'x 03012345678 y',
  'x 0171123456 y',
  'x 0171123456789 y',
  'x 015012345674 y',
  'x 115-555-2671 y',
  'x 415 555-26711 y',
  'x 2-415-555-2671 y',
  'tel 123456 y',
  'tel 4006381333931 x',
  'tel 96385074 and call 012345678905 and fax 00012345678905 x',
  'tel 978-3-16-148410-0 x',
  'tel 12345.6789 and tel 123.456.789 x',
  'telx 1234567, hotel: 1234567, Tel. x 1234567 y',
  'tel no 12 34',
  'tel ..... 1234567 x',
  'tel 12.11.2026 10',
  'tel 2026-11-22 x, tel 2026/11/22 x, tel 2026.11.22 x and tel 22-11-2026 x',
  'x030 1234567 and 030 1234567x and a-030 1234567 and _030 1234567',
  'x/030 1234567, x#030 1234567, 1.030 1234567 and 1:030 1234567',
  '030 1234567-a and 030 1234567:1 and 030 1234567,1',
])('ids, articles, parcels, prices and dates are none: %s', (text) => {
  expect(found(text)).toEqual([]);
});

it('blanks of any kind, brackets, points, slashes and dashes stand within a number, and no other character', () => {
  const all = Array.from({ length: 0xff00 }, (_, code) => String.fromCharCode(code));
  const within = all.filter((one) => found(`x 0171 12${one}3456 y`)[0]?.endsWith(`12${one}3456`));
  const digits = all.filter((one) => /^[0-9\u0660-\u0669]$/.test(one));
  const others = within.filter((one) => !digits.includes(one));
  expect(others.join('')).toBe(all.filter((one) => /^[\s()./\u2010-\u2015-]$/.test(one)).join(''));
});

it('only what is written for abroad counts in a value that may be an id', () => {
  expect([...findPhones('0171 1234567', { onlyInternational: true })]).toEqual([]);
  expect([...findPhones('+49 171 1234567', { onlyInternational: true })]).toHaveLength(1);
});

it('places are in order, do not overlap and lie within the text, and long rows of digits take no time', () => {
  const texts = fc.string({ unit: fc.constantFrom(...'0123456789+() .-/ab'), maxLength: 120 });
  fc.assert(
    fc.property(texts, (text) => {
      let done = 0;
      for (const { start, end } of findPhones(text)) {
        expect(start).toBeGreaterThanOrEqual(done);
        expect(end).toBeGreaterThan(start);
        done = end;
      }
      expect(done).toBeLessThanOrEqual(text.length);
    }),
  );
  expect(found('0 '.repeat(200_000))).toEqual([]);
});

it('each is found among others, in plain and in wide characters', () => {
  const widened = (text: string) =>
    text.replace(/[!-~]/g, (plain) => String.fromCharCode(plain.charCodeAt(0) + 0xfee0));
  const parts = fc.record({ number: fc.constantFrom(...NUMBERS), isWide: fc.boolean() });
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 8 }), (all) => {
      const text = all
        .map(({ number: [said], isWide }) => `in ${isWide ? widened(said) : said} or `)
        .join('');
      expect(found(text)).toEqual(all.map(({ number: [, is], isWide }) => (isWide ? widened(is) : is)));
    }),
  );
});
