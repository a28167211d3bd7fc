/** Promotions of the seller's products are recorded: coupons, deals and discounts, each with the products that it is for. */

import * as z from 'zod';
import { type Call, known, ok } from '../answer.ts';
import recorded from '../recorded/promotions.json' with { type: 'json' };
import type { Played } from '../router.ts';
import { render } from '../template.ts';
import type { World } from '../world/world.ts';
import {
  findPageStart,
  fits,
  isWithin,
  readFilledList,
  readInteger,
  readList,
  readSpan,
  refuseChoices,
  refuseUnplayed,
} from './query.ts';

const promotionsSchema = z.array(
  z.object({
    issues: z.array(z.unknown()),
    shown: z.looseObject({
      promotionId: z.string(),
      marketplaceId: z.string(),
      promotionType: z.string(),
      status: z.string(),
      schedule: z.object({ startDate: z.string(), endDate: z.string() }),
      lastUpdatedDate: z.string(),
      selection: z.looseObject({ selectionId: z.string() }),
    }),
  }),
);

/** Each has so many products. */
const COUNT = 3;

export function playPromotions(world: World): Played {
  const all = (now: number) =>
    world.markets.flatMap(({ id: marketplaceId }) =>
      promotionsSchema
        .parse(render(recorded, [{ marketplaceId, now }]))
        .map((one, at) => ({ ...one, rows: world.rows(marketplaceId).slice(at * COUNT, (at + 1) * COUNT) })),
    );
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
      const { query, cut } = findPageStart(call);
      const marketplaces = readFilledList(query, 'marketplaceIds');
      const wanted = (name: string) => readList(query, name);
      const isInSpan = (name: string, moment: string) => isWithin(readSpan(query, name), Date.parse(moment));
      const found = all(call.now).filter(
        ({ rows, shown }) =>
          marketplaces.includes(shown.marketplaceId) &&
          fits(wanted('statuses'), shown.status) &&
          fits(wanted('promotionTypes'), shown.promotionType) &&
          fits(wanted('skus'), ...rows.map(({ sku }) => sku)) &&
          fits(wanted('asins'), ...rows.map(({ asin }) => asin)) &&
          isInSpan('startDate', shown.schedule.startDate) &&
          isInSpan('endDate', shown.schedule.endDate) &&
          isInSpan('updateDate', shown.lastUpdatedDate),
      );
      const { items, next } = cut(found, readInteger(query, 'limit', { most: 100, otherwise: 20 }));
      const promotions = items.map((one) => withIssues(one, wanted('includedData')));
      return ok({ totalResults: found.length, pagination: next, promotions });
    },
    'promotions/getPromotion': (call) => ok(withIssues(find(call), readList(call.query, 'includedData'))),
    'promotions/getSelection': (call) => {
      const { rows, shown } = find(call);
      const { selection } = shown;
      const { selectionId } = call.params;
      known(selection.selectionId === selectionId ? selection : undefined, 'Selection', selectionId);
      const { query, cut } = findPageStart(call);
      const { items, next } = cut(rows, readInteger(query, 'limit', { most: 100, otherwise: 20 }));
      const selectionDetails = { items: items.map(({ asin, sku }) => ({ asin, sku })), pagination: next };
      return ok({ selection: { ...selection, selectionDetails } });
    },
  };
}

const withIssues = ({ shown, issues }: { shown: object; issues: unknown }, included: readonly string[]) => ({
  ...shown,
  ...(included.includes('ISSUES') && { issues }),
});
