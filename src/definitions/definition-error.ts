/**
 * The error of an unusable definition file, with the position in it and the reason. `refuse` turns it into an
 * InputError that names the file.
 */

import { InputError } from '../base/errors.ts';
import { escapeText } from '../base/text/escape-text.ts';

/**
 * Thrown while a file is read; `place` is a JSON pointer (`#/paths/~1orders/get`), `line:column`, or empty.
 */
export class DefinitionError extends Error {
  readonly place: string;

  constructor(path: string, reason: string) {
    super(reason);
    this.place = path;
  }
}

/** The maximum characters shown of a position or a reason, because either may contain names from the file. */
const MAX_SHOWN_LENGTH = 500;

/** Builds the error for the user: file, position, reason. */
export function refuseDefinition(file: string, error: DefinitionError): InputError {
  const path = error.place === '' ? '' : `${show(error.place)}: `;
  return new InputError(
    `${escapeText(file)}: ${path}${show(error.message)}.`,
    'The file was refused as a whole and nothing was changed. Correct it and add it again.',
  );
}

function show(text: string): string {
  return escapeText(text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text);
}

/** Builds a pointer: `#/paths` and `/orders/{id}` give `#/paths/~1orders~1{id}`. */
export function pointerTo(base: string, ...tokens: readonly (string | number)[]): string {
  return tokens.reduce<string>((pointer, token) => `${pointer}/${escapeToken(String(token))}`, base);
}

function escapeToken(token: string): string {
  return /[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}
