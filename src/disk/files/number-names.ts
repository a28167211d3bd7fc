/** Names for several files that are saved at once under one name. */

import { splitEnding } from './endings.ts';
import { MAX_NAME_BYTES } from './limits.ts';
import { nameToSave } from './names.ts';

/**
 * `label.pdf`, or `label-1.pdf`, `label-2.pdf` for two; a long one gives up characters for its number, since a name that
 * was taken before the call must do for all that comes of it.
 * @throws InputError for a name that no file may have
 */
export function numberNames(name: string, count: number): string[] {
  if (count < 2) return [name];
  const { base, ending } = splitEnding(nameToSave(name));
  return Array.from({ length: count }, (_, at) => withRoom(base, `-${at + 1}${ending}`));
}

function withRoom(base: string, end: string): string {
  const characters = Array.from(base);
  while (characters.length > 1 && Buffer.byteLength(characters.join('') + end, 'utf8') > MAX_NAME_BYTES) {
    characters.pop();
  }
  return `${characters.join('')}${end}`;
}
