/** Promotions of the seller's products: coupons, deals and discounts, each with the products that it is for. */

import { type Call, known, ok } from '../answer.ts';
import type { Played } from '../router.ts';
import type { ListingRow } from '../world/listing-row.ts';
import { DAY_MS, isoSeconds } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import {
  findPlace,
  fits,
  isWithin,
  readFilledList,
  readInteger,
  readList,
  readSpan,
  refuseChoices,
  refuseUnplayed,
} from './query.ts';

interface Promotion {
  marketplaceId: string;
  rows: readonly ListingRow[];
  start: number;
  end: number;
  updated: number;
  issues: readonly object[];
  /** As a search shows it. */
  shown: {
    [member: string]: unknown;
    promotionId: string;
    promotionType: string;
    status: string;
    selection: { selectionId: string; revisionId: number; type: string };
  };
}

const COUPON = { discount: { type: 'PERCENTAGE_OFF', percentOff: 15 }, stacking: 'NOT_ALLOWED' };
const FAILED = {
  code: 'PRICE_TOO_HIGH',
  message: 'The discounted price is above the lowest price of the last 30 days.',
  severity: 'ERROR',
};

/** Days from now to its beginning and end, and what it is. */
const PLANS = [
  { title: 'Autumn coupon', type: 'COUPON', status: 'RUNNING', from: -10, to: 20, couponType: 'STANDARD' },
  { title: 'Weekend deal', type: 'DEAL', status: 'UPCOMING', from: 5, to: 7 },
  { title: 'Clearance', type: 'PRICE_DISCOUNT', status: 'FAILED', from: 1, to: 30 },
  { title: 'Buy two, save 15 percent', type: 'BASKET_BUILDING', status: 'RUNNING', from: -40, to: 50 },
  { title: 'Summer deal', type: 'DEAL', status: 'EXPIRED', from: -120, to: -90 },
] as const;

/** Products of each. */
const COUNT = 3;

export function playPromotions(world: World): Played {
  let made: readonly Promotion[] | undefined;
  const all = (now: number) => {
    made ??= world.markets.flatMap(({ id }) => plan(id, world.rows(id), now));
    return made;
  };
  const find = ({ now, params: { promotionId = '' } }: Call) =>
    known(
      all(now).find(({ shown }) => shown.promotionId === promotionId),
      'Promotion',
      promotionId,
    );
  return {
    'promotions/searchPromotions': (call) => {
      refuseUnplayed(call);
      refuseChoices(call);
      const { query, cut } = findPlace(call);
      const marketplaces = readFilledList(query, 'marketplaceIds');
      const wanted = (name: string) => readList(query, name);
      const spans = [readSpan(query, 'startDate'), readSpan(query, 'endDate'), readSpan(query, 'updateDate')];
      const found = all(call.now).filter(
        ({ marketplaceId, rows, shown, ...at }) =>
          marketplaces.includes(marketplaceId) &&
          fits(wanted('statuses'), shown.status) &&
          fits(wanted('promotionTypes'), shown.promotionType) &&
          fits(wanted('skus'), ...rows.map(({ sku }) => sku)) &&
          fits(wanted('asins'), ...rows.map(({ asin }) => asin)) &&
          [at.start, at.end, at.updated].every(
            (moment, i) => spans[i] === undefined || isWithin(spans[i], moment),
          ),
      );
      const { items, next } = cut(found, readInteger(query, 'limit', { most: 100, otherwise: 20 }));
      const included = wanted('includedData');
      const promotions = items.map(({ shown, issues }) => ({
        ...shown,
        ...(included.includes('ISSUES') && { issues }),
      }));
      return ok({ totalResults: found.length, pagination: next, promotions });
    },
    'promotions/getPromotion': (call) => {
      const { shown, issues } = find(call);
      return ok({ ...shown, ...(readList(call.query, 'includedData').includes('ISSUES') && { issues }) });
    },
    'promotions/getSelection': (call) => {
      const { rows, shown } = find(call);
      const { selection } = shown;
      if (call.params.selectionId !== selection.selectionId)
        known(undefined, 'Selection', call.params.selectionId);
      const { query, cut } = findPlace(call);
      const { items, next } = cut(rows, readInteger(query, 'limit', { most: 100, otherwise: 20 }));
      const selectionDetails = { items: items.map(({ asin, sku }) => ({ asin, sku })), pagination: next };
      return ok({ selection: { ...selection, selectionDetails } });
    },
  };
}

function plan(marketplaceId: string, rows: readonly ListingRow[], now: number): Promotion[] {
  return PLANS.map(({ title, type, status, from, to, ...more }, at): Promotion => {
    const [start, end, updated] = [from, to, Math.min(from, 0) - 3].map((days) => now + days * DAY_MS);
    const id = `sbx-promotion-${marketplaceId}-${at + 1}`;
    return {
      marketplaceId,
      rows: rows.slice(at * COUNT, at * COUNT + COUNT),
      start: start ?? now,
      end: end ?? now,
      updated: updated ?? now,
      issues: status === 'FAILED' ? [FAILED] : [],
      shown: {
        promotionId: id,
        marketplaceId,
        promotionTitle: title,
        promotionType: type,
        status,
        schedule: { startDate: isoSeconds(start ?? now), endDate: isoSeconds(end ?? now) },
        createdDate: isoSeconds(updated ?? now),
        lastUpdatedDate: isoSeconds(updated ?? now),
        selection: { selectionId: `${id}-products`, revisionId: 1, type: 'ITEMS' },
        budget: { type: 'UNITS', value: 500 },
        benefit: COUPON,
        ...more,
      } as const,
    };
  });
}
