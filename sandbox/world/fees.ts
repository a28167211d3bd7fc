/** The fees of the made-up service: a share of the price, and for each unit that it ships an amount by its size. */

import type { Market } from './markets.ts';
import { feeCents, toStep } from './plain-values.ts';
import { cubicFeetOf } from './products.ts';

const REFERRAL_SHARE = 0.15;
/** Amounts are in US cents. */
const FULFILLMENT = { perUnit: 350, perCubicFoot: 400 } as const;

export const referralFeeCents = (priceCents: number, market: Market): number =>
  toStep(priceCents * REFERRAL_SHARE, market);

/** The service keeps a fifth of its share of a price that is refunded, up to a limit. */
const REFUND_SHARE = 0.2;
const MAX_REFUND_FEE_CENTS = 500;

export const refundFeeCents = (commissionCents: number, market: Market): number =>
  Math.min(toStep(commissionCents * REFUND_SHARE, market), feeCents(MAX_REFUND_FEE_CENTS, market));

export const unitFulfillmentFeeCents = (asin: string, market: Market): number =>
  feeCents(FULFILLMENT.perUnit + FULFILLMENT.perCubicFoot * cubicFeetOf(asin), market);
