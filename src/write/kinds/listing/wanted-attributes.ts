/** Which attributes of many listings have to be known to change them: the others are not kept. */

import { isJsonObject } from '../../../base/json.ts';
import type { AskedListing } from './asked-items.ts';
import { IMAGES } from './set-images.ts';
import { OFFER } from './set-offer.ts';
import { STOCK } from './set-stock.ts';
import { TEXT_ATTRIBUTES } from './set-texts.ts';

const ALWAYS: readonly string[] = [...TEXT_ATTRIBUTES];

/** By the word of `set`; texts are always there. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['price', 'sale_price', 'sale_from', 'sale_to', 'minimum_price', 'maximum_price'].map((word) => [
      word,
      [OFFER],
    ]),
  ),
  quantity: [STOCK],
  handling_time: [STOCK],
  main_image: IMAGES,
  images: IMAGES,
};

/** Attributes that any of them is about, and those that tell what it is called and written in. */
export function attributesOf(listings: readonly AskedListing[]): Set<string> {
  const names = new Set(ALWAYS);
  for (const { wanted } of listings) {
    if ('values' in wanted)
      for (const word of Object.keys(wanted.values)) addAll(names, ATTRIBUTES[word] ?? []);
    else addAll(names, wanted.patches.map(attributeOfPatch));
  }
  return names;
}

const addAll = (names: Set<string>, more: readonly string[]) => {
  for (const name of more) names.add(name);
};

/** As a JSON pointer spells it. */
function attributeOfPatch(patch: unknown): string {
  const path = isJsonObject(patch) && typeof patch.path === 'string' ? patch.path : '';
  return path
    .replace(/^\/attributes\//, '')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}
