/** From a seller's words to the patches of one listing: each a whole attribute, with everything in it that was not asked to change. */

import { canonicalJson } from '../../../base/canonical-json.ts';
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

/** `patches` are what differs from what was read; `same` would write what was read once more. */
export function buildPatches(
  state: ListingState,
  values: SetValues,
  place: ListingPlace,
): { patches: Patch[]; same: Patch[] } | { problems: SetProblem[] } {
  const parts = [
    setOffer(state, values, place) ?? [],
    setStock(state, values, place) ?? [],
    setTexts(state, values, place),
    setImages(state, values, place),
  ].flat();
  const problems = parts.filter(isProblem);
  if (problems.length > 0) return { problems };
  const attributes = parts.flatMap((part) => (isProblem(part) ? [] : [part]));
  const isSame = ({ name, entries }: SetAttribute) =>
    canonicalJson(entries) === canonicalJson(state.attributes[name] ?? []);
  return {
    patches: attributes.filter((one) => !isSame(one)).map((one) => toPatch(one, place)),
    same: attributes.filter(isSame).map((one) => toPatch(one, place)),
  };
}

function toPatch({ name, entries }: SetAttribute, { marketplaceId }: ListingPlace): Patch {
  const path = `/attributes/${name}`;
  if (entries.length > 0) return { op: 'replace', path, value: entries };
  return { op: 'delete', path, value: [{ marketplace_id: marketplaceId }] };
}
