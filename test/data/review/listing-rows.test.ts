/** A listing as a row of one marketplace: nothing in it is another marketplace's. */

import { expect, it } from 'vitest';
import { flattenListing } from '../../../src/data/review/listing-rows.ts';

const DE = { id: 'A1PA6795UKMFR9', name: 'Germany' };
const FR = 'A13V1IB3VIYZZH';
const offer = (
  marketplaceId: string | undefined,
  amount: string,
  currencyCode: string,
  offerType = 'B2C',
) => ({
  marketplaceId,
  offerType,
  price: { amount, currencyCode },
});
const rowOf = (item: object) => flattenListing({ sku: 'LAMP-1', ...item }, DE, 0)?.row;

it.each([
  ['its own, behind that of another', [offer(FR, '9.00', 'GBP'), offer(DE.id, '20.00', 'EUR')], 20, 'EUR'],
  ['none where only another has one', [offer(FR, '9.00', 'GBP')], null, null],
  ['one that names no marketplace', [offer(undefined, '7.50', 'EUR')], 7.5, 'EUR'],
  ['what everybody pays', [offer(DE.id, '18.00', 'EUR', 'B2B'), offer(DE.id, '20.00', 'EUR')], 20, 'EUR'],
  ['what businesses pay where nobody else can buy', [offer(DE.id, '18.00', 'EUR', 'B2B')], 18, 'EUR'],
  ['none where the amount is empty', [offer(DE.id, '', 'EUR')], null, 'EUR'],
])('the price is %s', (_what, offers, price, currency) => {
  expect(rowOf({ offers })).toMatchObject({ price, currency });
});

it('summary and issues are those of the marketplace', () => {
  const row = rowOf({
    summaries: [
      { marketplaceId: FR, itemName: 'Lampe', status: ['BUYABLE'] },
      { marketplaceId: DE.id, itemName: 'Leselampe', status: [] },
    ],
    issues: [
      { code: '1', severity: 'ERROR', message: 'x', marketplaceIds: [FR] },
      { code: '2', severity: 'WARNING', message: 'x' },
    ],
  });
  expect(row).toMatchObject({ title: 'Leselampe', buyable: 0, errors: 0, warnings: 1, issues: 1 });
});
