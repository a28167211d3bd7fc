/** The request headers that a call may set; every other one belongs to the client, the connection or whatever lies between. */

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

/** A list of what is allowed: one of what is not could never name every header that some proxy obeys. */
export function isSettableHeader(name: string): boolean {
  return SETTABLE.has(name.toLowerCase());
}
