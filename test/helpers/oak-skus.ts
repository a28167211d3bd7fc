/** Listings of the sandbox's seller, whichever they are. */

import type { Session } from './sessions.ts';

export async function oakSkus(session: Session, number: number): Promise<string[]> {
  await session.call('collect_data', {
    operation: 'searchListingsItems',
    parameters: { includedData: ['summaries', 'offers'] },
  });
  const { structured } = await session.call('query_data', {
    sql: `SELECT item_sku FROM listings_items_offers WHERE item_sku LIKE '%-OAK-%' LIMIT ${number}`,
  });
  return [...JSON.stringify(structured).matchAll(/"([A-Z]+-OAK-[A-Z\d]+)"/g)].map(([, sku = '']) => sku);
}
