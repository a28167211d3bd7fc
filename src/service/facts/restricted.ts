/** Which operations take another token than the seller's, as reviewed.yaml says, and when none is asked for. */

import { reviewed } from './generated/reviewed.ts';
import type { Operation } from './operation.ts';

/** What a restricted data token can be asked for that holds nothing but data that are masked: it is not asked for then. */
export interface MaskedOnly {
  /** Id of the operation that would answer. */
  operation: string;
  path: string;
  /** The data element; absent where it is the whole answer. */
  element?: string;
}

const ordersPath = '/orders/v0/orders';
const orderPath = `${ordersPath}/{orderId}`;

/** All GET. The names, addresses, e-mail and tax numbers of a buyer, and beside them at most the country of a tax number. */
export const maskedOnly: readonly MaskedOnly[] = [
  { operation: 'orders/getOrderBuyerInfo', path: `${orderPath}/buyerInfo` },
  { operation: 'orders/getOrders', path: ordersPath, element: 'buyerInfo' },
  { operation: 'orders/getOrders', path: ordersPath, element: 'buyerTaxInformation' },
  { operation: 'orders/getOrder', path: orderPath, element: 'buyerInfo' },
  { operation: 'orders/getOrder', path: orderPath, element: 'buyerTaxInformation' },
];

export function authOf(id: string): Operation['auth'] {
  const { scope, token } = reviewed[id] ?? {};
  if (scope !== undefined) return { kind: 'grantless', scope };
  return { kind: token ?? 'seller' };
}
