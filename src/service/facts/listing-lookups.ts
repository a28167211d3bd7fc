/** The one sentence on how to look up listings, which every text repeats. */

export const LISTING_LOOKUPS =
  'One SKU: getListingsItem; all listings: review_listings; an ASIN: catalog-items/getCatalogItem.';
