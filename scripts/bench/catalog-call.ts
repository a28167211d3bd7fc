/** The call that is measured most: one lookup in the catalog, the same through every program. */

import { healthy } from '../../sandbox/fixtures/recorded-listings.ts';
import type { Session } from './session.ts';

/** An ordinary item that the sandbox knows. */
const ASIN = healthy.asin;

export function callCatalog(session: Session, MarketplaceId: string): Promise<boolean> {
  return session.call('get_catalog_item', { asin: ASIN, MarketplaceId });
}
