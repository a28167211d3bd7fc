/** The answer of getMarketplaceParticipations: the marketplaces in which a seller participates. */

import * as z from 'zod';
import { countryName, marketplaceById } from '../facts/marketplaces.ts';

/** One marketplace to choose; both texts are safe to show anywhere, whatever the service sent. */
export interface MarketplaceChoice {
  id: string;
  /** The English name of the country; the ID when the country is unknown. */
  country: string;
}

/** The maximum number of choices, about twice what the public service has. */
const MAX_MARKETPLACES = 50;

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
 * Returns the seller's marketplaces in the service's order. Those of the public service come first, because
 * others (test marketplaces, for example) may belong to the same country. Invalid entries are left out;
 * undefined when the whole answer is invalid.
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
  return [...all.filter(isPublic), ...all.filter((choice) => !isPublic(choice))].slice(0, MAX_MARKETPLACES);
}
