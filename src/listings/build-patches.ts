/** From a seller's words to the patches of one listing: each a whole attribute, with everything in it that was not asked to change. */

import type { ListingPlace, ListingState, SetAttribute, SetProblem } from './listing-state.ts';
import { setImages } from './set-images.ts';
import { isProblem, setOffer } from './set-offer.ts';
import { setStock } from './set-stock.ts';
import { setTexts } from './set-texts.ts';
import type { SetValues } from './set-values.ts';

export interface Patch {
  op: 'replace' | 'delete';
  path: string;
  value: readonly unknown[];
}

/** No patches: the listing has these values already. */
export function buildPatches(
  state: ListingState,
  values: SetValues,
  place: ListingPlace,
): { patches: Patch[] } | { problems: SetProblem[] } {
  const parts = [
    setOffer(state, values, place) ?? [],
    setStock(state, values, place) ?? [],
    setTexts(state, values, place),
    setImages(state, values, place),
  ].flat();
  const problems = parts.filter(isProblem);
  if (problems.length > 0) return { problems };
  return { patches: parts.flatMap((part) => (isProblem(part) ? [] : [toPatch(part, place)])) };
}

function toPatch({ name, entries }: SetAttribute, { marketplaceId }: ListingPlace): Patch {
  const path = `/attributes/${name}`;
  if (entries.length > 0) return { op: 'replace', path, value: entries };
  return { op: 'delete', path, value: [{ marketplace_id: marketplaceId }] };
}
