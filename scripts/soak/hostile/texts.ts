/** Hostile texts: pieces on which searches begin, repeated so that they begin everywhere and end nowhere. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import type { Chance } from './chance.ts';

const texts = z.tuple([z.string()], z.string());
const { pieces: PIECES, names } = z
  .strictObject({ pieces: texts, names: texts })
  .parse(parse(readFileSync(join(import.meta.dirname, 'pieces.yaml'), 'utf8')));

/** Of members. */
export const NAMES = names;

/** One to six pieces. */
export const unitOf = (chance: Chance): string => chance.some(PIECES, 6).join('');

export interface MadeText {
  text: string;
  /** How it was made, for the report of a case. */
  how: string;
}

/** About so many characters. */
export function textOf(chance: Chance, characters: number): MadeText {
  const unit = unitOf(chance);
  const count = Math.ceil(characters / unit.length);
  const shown = JSON.stringify(unit);
  const numbered = (make: (i: number) => string) => fill(characters, make);
  switch (chance.pick(['repeated', 'repeated', 'numbered', 'mixed', 'within'] as const)) {
    case 'repeated':
      return { text: unit.repeat(count), how: `${shown} repeated` };
    case 'numbered':
      return { text: numbered((i) => `${unit}${i}`), how: `${shown} with a number` };
    case 'mixed': {
      const units = chance.some(PIECES, 30);
      return { text: numbered(() => units[chance.between(0, units.length - 1)] ?? ''), how: 'mixed pieces' };
    }
    case 'within': {
      const [open, close] = [unitOf(chance), unitOf(chance)];
      const how = `${shown} repeated between ${JSON.stringify(open)} and ${JSON.stringify(close)}`;
      return { text: `${open}${unit.repeat(count)}${close}`, how };
    }
  }
}

function fill(characters: number, make: (i: number) => string): string {
  const parts: string[] = [];
  for (let length = 0, i = 0; length < characters; i += 1) {
    const part = make(i) || ' ';
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
}
