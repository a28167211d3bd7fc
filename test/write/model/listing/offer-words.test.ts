/** Offers in words: what is sent stands there as it is, and its moments in the marketplace's local time too. */

import { describe, expect, it } from 'vitest';
import { marketplaces } from '../../../../src/service/facts/marketplaces.ts';
import { memberParts } from '../../../../src/write/model/listing/offer-words.ts';

const sale = (marketplace_id: string, start_at: string, end_at: string) => ({
  marketplace_id,
  currency: 'EUR',
  discounted_price: [{ schedule: [{ value_with_tax: 15, start_at, end_at }] }],
});
const told = (before: object | undefined, after: object | undefined) =>
  memberParts('purchasable_offer', before, after)?.join('; ');

describe('the moments of a sale', () => {
  it('stand there as sent, then in local time with its zone once', () => {
    expect(told(undefined, sale('A1PA6795UKMFR9', '2026-11-30T23:00:00Z', '2026-12-24T23:00:00Z'))).toContain(
      'sale price: none -> 15.00 EUR (2026-11-30T23:00:00Z to 2026-12-24T23:00:00Z, in Europe/Berlin 2026-12-01 00:00 to 2026-12-25 00:00)',
    );
  });

  it('stand there once where they are days, or local already', () => {
    expect(told(sale('A1PA6795UKMFR9', '2026-12-01', '2026-12-24T23:00:00+01:00'), undefined)).toContain(
      'sale price: 15.00 EUR (2026-12-01 to 2026-12-24T23:00:00+01:00) -> removed',
    );
  });

  it.each(marketplaces().map(({ name, ...one }) => [name, one] as const))(
    '%s has its zone',
    (_name, { id, timeZone }) => {
      const words = told(undefined, sale(id, '2026-11-30T23:37:11Z', '2026-12-24'));
      const local = new Date('2026-11-30T23:37:11Z').toLocaleTimeString('en-GB', { timeZone });
      expect(words).toMatch(/\(2026-11-30T23:37:11Z to 2026-12-24(, in|\))/);
      if (timeZone !== 'Europe/London' && timeZone !== 'Europe/Dublin')
        expect(words).toContain(`in ${timeZone} 20`);
      expect(words).toContain(local);
    },
  );

  it('an offer has a beginning of its own', () => {
    const offer = { marketplace_id: 'A1VC38T7YXB528', start_at: { value: '2026-12-01T00:00:00Z' } };
    expect(told(undefined, offer)).toContain(
      'offered from: none -> 2026-12-01T00:00:00Z, in Asia/Tokyo 2026-12-01 09:00',
    );
  });
});
