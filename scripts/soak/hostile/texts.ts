/** Hostile texts: pieces on which searches begin, repeated so that they begin everywhere and end nowhere. */

import type { Chance } from './chance.ts';

const PIECES = [
  ...['a', 'Z', '0', '9', '7 ', ' ', '  ', '\n', '\t', '.', '-', '_', '@', '+', '(', ')', '/', ':', ',', ';'],
  ...[
    '"',
    "'",
    '\\',
    '«',
    '»',
    '<',
    '>',
    '&',
    '%',
    '#',
    '=',
    '{',
    '}',
    '[',
    ']',
    '|',
    '?',
    '!',
    '*',
    '$',
    '^',
  ],
  ...[
    'ü',
    'ß',
    'é',
    'e\u0301',
    '山',
    '田',
    'ก',
    '😀',
    '\ud83d',
    '\u202e',
    '\u200b',
    '\u00a0',
    '\u2028',
    '\ufeff',
  ],
  ...[
    'a@b.de',
    'a.',
    '@a.',
    '(0)-',
    '+49 ',
    '0049',
    '555-',
    '%20',
    '%2B',
    '%',
    '&amp;',
    '&#',
    '</a>',
    '<a>x ',
    '<address>',
    ' b="',
    '<!--',
  ],
  ...[
    '{"a":',
    '{"a":1}',
    '"[{',
    '[[',
    '\\"',
    '\\u00',
    '{"BuyerName":"',
    '«buyer name ',
    '«buyer name 12345678»',
    '12345678»',
  ],
  ...[
    'Atza|',
    'Bearer ',
    '"access_token":"',
    'client_secret=',
    'amzn1.oa2-cs.',
    'refresh_token',
    '-----BEGIN ',
  ],
  ...[
    'https://',
    'https://a.de/b?X-Amz-Signature=',
    'data:application/pdf;base64,',
    'JVBERi0',
    'H4sI',
    'AAAA',
  ],
  ...[
    'Hauptstraße ',
    'Erika ',
    'Mustermann',
    'Mr. ',
    'Str. ',
    '10115 Berlin',
    'O',
    'Dr',
    'c/o ',
    '2026-11-01T',
    'Z',
  ],
] as const;

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
