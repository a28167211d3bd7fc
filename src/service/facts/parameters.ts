/**
 * The common rules for parameters: values from the account, settable headers, list separators, and parameters
 * of a page request.
 */

import type { Operation } from './operation.ts';

/** Returns the account's member for a parameter of this name; undefined for every other name. */
export function accountValueOf(parameter: string): 'sellerId' | 'marketplaceId' | undefined {
  if (/^seller_?id$/i.test(parameter)) return 'sellerId';
  return /^marketplace_?ids?$/i.test(parameter) ? 'marketplaceId' : undefined;
}

/**
 * The settable headers in lower case: those of the public definitions, and the two usual names of an
 * idempotency key.
 */
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
 * Returns true for headers that a call may set. It is an allowlist, because a denylist could never name every
 * header that some proxy obeys.
 */
export function isSettableHeader(name: string): boolean {
  return SETTABLE.has(name.toLowerCase());
}

/**
 * The separators of a list that is sent as one text; `multi` has none, because each element is sent by
 * itself.
 */
export const SEPARATORS = { csv: ',', ssv: ' ', tsv: '\t', pipes: '|' } as const;

/** Builds the parameters of a page by its token or offset from those of the first page. */
export function parametersOfPage(
  { paging, parameters }: Pick<Operation, 'paging' | 'parameters'>,
  first: Readonly<Record<string, unknown>>,
  token: unknown,
): Record<string, unknown> {
  if (paging === undefined || paging.input.in === 'body') return { ...first };
  const isSent = (name: string) =>
    paging.alone !== true || parameters.some((one) => one.name === name && one.required);
  const sent = Object.entries(first).filter(([name]) => isSent(name));
  return { ...Object.fromEntries(sent), ...paging.with, [paging.input.name]: token };
}
