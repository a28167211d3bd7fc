/** Plain days become the moments at which they begin and end in the marketplace of the call, where that is known to be right. */

import { isDay, momentOfDay } from '../../base/text/local-time.ts';
import { dayParameters } from '../../service/facts/days.ts';
import { marketplaceById, marketplaceName } from '../../service/facts/marketplaces.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { own } from '../../service/facts/schema-parts.ts';

/** One day of a call, as a sentence says it. */
export interface SentDay {
  parameter: string;
  given: string;
  /** ISO 8601, UTC. */
  sent: string;
  /** `Germany (Europe/Berlin)` */
  of: string;
}

/** @param marketplaceId whose days are meant; without one, days go as they were given */
export function resolveDays(
  { id }: Pick<Operation, 'id'>,
  given: Readonly<Record<string, unknown>>,
  marketplaceId: string | undefined,
): { parameters: Readonly<Record<string, unknown>>; days: SentDay[] } {
  const marketplace = marketplaceId === undefined ? undefined : marketplaceById(marketplaceId);
  const days: SentDay[] = [];
  if (marketplace === undefined) return { parameters: given, days };
  const { id: ownId, timeZone } = marketplace;
  let parameters = given;
  for (const [parameter, end] of Object.entries(dayParameters(id))) {
    const value = own(given, parameter);
    if (typeof value !== 'string' || !isDay(value)) continue;
    const sent = momentOfDay(value, timeZone, end);
    parameters = { ...parameters, [parameter]: sent };
    days.push({ parameter, given: value, sent, of: `${marketplaceName(ownId)} (${timeZone})` });
  }
  return { parameters, days };
}
