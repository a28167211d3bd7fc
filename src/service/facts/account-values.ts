/** Which parameters the account fills in, by their names. */

/** The account's member for a parameter of this name; undefined for every other name. */
export function accountValueOf(parameter: string): 'sellerId' | 'marketplaceId' | undefined {
  if (/^seller_?id$/i.test(parameter)) return 'sellerId';
  return /^marketplace_?ids?$/i.test(parameter) ? 'marketplaceId' : undefined;
}
