/** The fees of the made-up service: a share of the price, and a fixed amount for each unit that it ships. */

import type { Market } from './markets.ts';
import { feeCents, toStep } from './plain-values.ts';

const REFERRAL_SHARE = 0.15;
/** Amounts are in US cents. */
const FULFILLMENT_CENTS = 398;

export const referralFeeCents = (priceCents: number, market: Market): number =>
  toStep(priceCents * REFERRAL_SHARE, market);

export const unitFulfillmentFeeCents = (market: Market): number => feeCents(FULFILLMENT_CENTS, market);
