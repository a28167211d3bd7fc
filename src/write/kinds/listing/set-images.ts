/** The addresses of a listing's images: the main one, and the others in their order. */

import { isJsonObject } from '../../../base/json.ts';
import type { ListingPlace, ListingState, SetAttribute, SetProblem } from './listing-state.ts';
import { problem } from './set-offer.ts';
import { MOST_IMAGES, type SetValues } from './set-values.ts';

/** One attribute each, the main image first. */
export const IMAGES: readonly string[] = [
  'main_product_image_locator',
  ...Array.from({ length: MOST_IMAGES - 1 }, (_, at) => `other_product_image_locator_${at + 1}`),
];

/** `images` are all there are to be: those that it leaves out go. */
export function setImages(
  { attributes }: ListingState,
  { main_image: main, images }: SetValues,
  { marketplaceId }: ListingPlace,
): (SetAttribute | SetProblem)[] {
  if (main !== undefined && images !== undefined) {
    return [problem('main_image', 'is the first of images: give one of the two')];
  }
  if (main === undefined && images === undefined) return [];
  const wanted = images ?? (main === undefined ? [] : [main]);
  const places = images === undefined ? IMAGES.slice(0, 1) : IMAGES;
  return places.map((name, at) => {
    const entries = attributes[name] ?? [];
    const address = wanted[at];
    const [old] = entries.filter(isJsonObject);
    const next =
      address === undefined
        ? []
        : [{ ...(old ?? { marketplace_id: marketplaceId }), media_location: address }];
    return { name, entries: next };
  });
}
