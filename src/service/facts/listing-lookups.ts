/** What to use to find out about listings: the one sentence that every text repeats. */

export const LISTING_LOOKUPS =
  'One SKU: getListingsItem; all listings: review_listings; an ASIN: catalog-items/getCatalogItem.';
