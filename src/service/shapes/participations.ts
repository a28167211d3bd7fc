/** The answer of getMarketplaceParticipations: the marketplaces in which a seller takes part. */

import * as z from 'zod';
import { countryName, marketplaceById } from '../facts/marketplaces.ts';

/** One marketplace to choose; both texts can be shown anywhere, whatever the service said. */
export interface MarketplaceChoice {
  id: string;
  /** Name of the country in English; the id where the country is not known. */
  country: string;
}

/** The most that is offered: the public service has about half of it. */
const MOST_MARKETPLACES = 50;

const participationSchema = z.looseObject({
  marketplace: z.looseObject({
    id: z.string().regex(/^[A-Za-z0-9]{1,20}$/),
    countryCode: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .optional()
      .catch(undefined),
  }),
  participation: z
    .looseObject({ isParticipating: z.boolean().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

const answerSchema = z.looseObject({ payload: z.array(z.unknown()) });

/**
 * Where the seller takes part, in the service's order, marketplaces of the public service first: others (test
 * marketplaces, say) may stand for the same country. Entries of another shape are left out; undefined when the whole is.
 */
export function parseParticipations(body: unknown): MarketplaceChoice[] | undefined {
  const answer = answerSchema.safeParse(body);
  if (!answer.success) return undefined;
  const found = new Map<string, MarketplaceChoice>();
  for (const entry of answer.data.payload) {
    const { data } = participationSchema.safeParse(entry);
    if (data === undefined || data.participation?.isParticipating === false) continue;
    const { id, countryCode } = data.marketplace;
    const named = countryCode === undefined ? id : countryName(countryCode);
    found.set(id, { id, country: marketplaceById(id)?.name ?? named });
  }
  const all = [...found.values()];
  const isPublic = ({ id }: MarketplaceChoice) => marketplaceById(id) !== undefined;
  return [...all.filter(isPublic), ...all.filter((choice) => !isPublic(choice))].slice(0, MOST_MARKETPLACES);
}
