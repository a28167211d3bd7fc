/** A file cannot be used: where in it, and why. Turned into an InputError that names the file by `refuse`. */

import { InputError } from '../errors.ts';

/** Thrown while a file is read; `place` is a JSON pointer (`#/paths/~1orders/get`), `line:column`, or empty. */
export class DefinitionError extends Error {
  readonly place: string;

  constructor(place: string, reason: string) {
    super(reason);
    this.place = place;
  }
}

/** The error for a person: file, place, reason. */
export function refuse(file: string, error: DefinitionError): InputError {
  const place = error.place === '' ? '' : `${error.place}: `;
  return new InputError(
    `${file}: ${place}${error.message}.`,
    'The file was refused as a whole and nothing was changed. Correct it and add it again.',
  );
}

/** `#/paths` and `/orders/{id}` -> `#/paths/~1orders~1{id}`. */
export function pointerTo(base: string, ...tokens: readonly (string | number)[]): string {
  return [base, ...tokens.map((token) => String(token).replaceAll('~', '~0').replaceAll('/', '~1'))].join(
    '/',
  );
}
