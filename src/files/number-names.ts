/** Names for several files that are saved at once under one name. */

import { splitEnding } from './endings.ts';
import { nameToSave } from './names.ts';

/** `label.pdf`, or `label-1.pdf`, `label-2.pdf` for two. @throws InputError for a name that no file may have */
export function numberNames(name: string, count: number): string[] {
  if (count < 2) return [name];
  const { base, ending } = splitEnding(nameToSave(name));
  return Array.from({ length: count }, (_, at) => `${base}-${at + 1}${ending}`);
}
