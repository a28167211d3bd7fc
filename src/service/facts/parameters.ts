/** What holds for parameters of every operation: which the account fills in, which headers may be set, how lists are joined. */

/** The account's member for a parameter of this name; undefined for every other name. */
export function accountValueOf(parameter: string): 'sellerId' | 'marketplaceId' | undefined {
  if (/^seller_?id$/i.test(parameter)) return 'sellerId';
  return /^marketplace_?ids?$/i.test(parameter) ? 'marketplaceId' : undefined;
}

/** Lower case: those of the public definitions, and the two usual names of an idempotency key. */
const SETTABLE: ReadonlySet<string> = new Set([
  'accept-language',
  'amountdigitalsignature',
  'destaccountdigitalsignature',
  'idempotency-key',
  'locale',
  'x-amzn-fulfillment-service-id',
  'x-amzn-idempotency-token',
  'x-amzn-idempotencykey',
  'x-amzn-shipping-business-id',
  'x-idempotency-key',
]);

/**
 * The request headers that a call may set; every other one belongs to the client, the connection or whatever lies between.
 * A list of what is allowed: one of what is not could never name every header that some proxy obeys.
 */
export function isSettableHeader(name: string): boolean {
  return SETTABLE.has(name.toLowerCase());
}

/** What stands between the elements of a list that is sent as one text; `multi` has none, since each is sent by itself. */
export const SEPARATORS = { csv: ',', ssv: ' ', tsv: '\t', pipes: '|' } as const;
