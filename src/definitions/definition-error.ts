/** A file cannot be used: where in it, and why. Turned into an InputError that names the file by `refuse`. */

import { InputError } from '../base/errors.ts';
import { escapeText } from '../base/text/escape-text.ts';

/** Thrown while a file is read; `place` is a JSON pointer (`#/paths/~1orders/get`), `line:column`, or empty. */
export class DefinitionError extends Error {
  readonly place: string;

  constructor(place: string, reason: string) {
    super(reason);
    this.place = place;
  }
}

/** Characters shown of a place or a reason: either may hold names of the file. */
const LONGEST_SHOWN = 500;

/** The error for a person: file, place, reason. */
export function refuse(file: string, error: DefinitionError): InputError {
  const place = error.place === '' ? '' : `${show(error.place)}: `;
  return new InputError(
    `${escapeText(file)}: ${place}${show(error.message)}.`,
    'The file was refused as a whole and nothing was changed. Correct it and add it again.',
  );
}

function show(text: string): string {
  return escapeText(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);
}

/** `#/paths` and `/orders/{id}` -> `#/paths/~1orders~1{id}`. Only put together when it is read, since few ever are. */
export function pointerTo(base: string, ...tokens: readonly (string | number)[]): string {
  return tokens.reduce<string>((pointer, token) => `${pointer}/${escapeToken(String(token))}`, base);
}

function escapeToken(token: string): string {
  return /[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}
