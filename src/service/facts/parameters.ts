/** What holds for parameters of every operation: which the account fills in, which headers may be set, how lists are joined, which go with a page token. */

import type { Operation } from './operation.ts';

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

/** The parameters that ask for a page by its token or offset, made of those that ask for the first page. */
export function parametersOfPage(
  { paging, parameters }: Pick<Operation, 'paging' | 'parameters'>,
  first: Readonly<Record<string, unknown>>,
  token: unknown,
): Record<string, unknown> {
  if (paging === undefined || paging.input.in === 'body') return { ...first };
  const isSent = (name: string) =>
    paging.alone !== true || parameters.some((one) => one.name === name && one.required);
  const kept = Object.entries(first).filter(([name]) => isSent(name));
  return { ...Object.fromEntries(kept), ...paging.with, [paging.input.name]: token };
}
