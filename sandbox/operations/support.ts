/** Cases that the seller has with the support are recorded: searched, read, and what was written in each. */

import * as z from 'zod';
import { type Call, known, ok, readBody } from '../answer.ts';
import recorded from '../recorded/support-cases.json' with { type: 'json' };
import type { Played } from '../router.ts';
import { render } from '../template.ts';
import type { World } from '../world/world.ts';
import { findPageStart, fits, readInteger } from './query.ts';

/** Other filters and orders are refused rather than passed over. */
const searchSchema = z.object({
  marketplaceId: z.string().optional(),
  caseFilters: z
    .strictObject({
      caseStatuses: z.array(z.string()).default([]),
      subjectKeywords: z.string().default(''),
    })
    .prefault({}),
  sortField: z.literal('CREATION_DATE').optional(),
  sortOrder: z.enum(['ASC', 'DESC']).default('DESC'),
  maxResults: z.int().min(1).max(50).default(20),
  nextToken: z.string().optional(),
});

const casesSchema = z.array(
  z.object({
    shown: z.looseObject({
      caseId: z.string(),
      status: z.string(),
      subject: z.string(),
      createdDate: z.string(),
    }),
    contacts: z.array(z.unknown()),
  }),
);

/** Cases hold texts as people write them, with what buyers told in them. */
export function playSupport(world: World): Played {
  const all = (now: number) => {
    const order = world.orders().find(({ status }) => status === 'Shipped');
    const sku = world.rows(world.markets[0]?.id ?? '')[0]?.sku ?? '';
    const { email = '', phone = '' } = order?.buyer ?? {};
    return casesSchema.parse(render(recorded, [{ sku, order: order?.id ?? '', email, phone, now }]));
  };
  const find = ({ now, params: { caseId = '' } }: Call) =>
    known(
      all(now).find(({ shown }) => shown.caseId === caseId),
      'Case',
      caseId,
    );
  return {
    'support/listCases': (call) => {
      const { nextToken, ...search } = readBody(searchSchema, call.body ?? {});
      const query = new URLSearchParams(nextToken === undefined ? {} : { nextToken });
      if (nextToken === undefined) query.set('search', JSON.stringify(search));
      const pageStart = findPageStart({ ...call, query });
      const first = readBody(searchSchema, JSON.parse(pageStart.query.get('search') ?? '{}'));
      const { caseStatuses, subjectKeywords } = first.caseFilters;
      const found = all(call.now)
        .map(({ shown }) => shown)
        .filter(
          (one) =>
            fits(caseStatuses, one.status) &&
            one.subject.toLowerCase().includes(subjectKeywords.toLowerCase()),
        )
        .toSorted((one, other) => one.createdDate.localeCompare(other.createdDate));
      const sorted = first.sortOrder === 'ASC' ? found : found.reverse();
      const { items, next } = pageStart.cut(sorted, search.maxResults);
      return ok({ cases: items, ...next });
    },
    'support/getCase': (call) => ok(find(call).shown),
    'support/listContacts': (call) => {
      const { query, cut } = findPageStart(call);
      const { contacts } = find(call);
      const sorted = query.get('sortOrder') === 'DESC' ? contacts.toReversed() : contacts;
      const { items, next } = cut(sorted, readInteger(query, 'maxResults', { most: 50, otherwise: 20 }));
      return ok({ contacts: items, ...next });
    },
  };
}
