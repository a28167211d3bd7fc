/** Finds one operation by what a caller calls it, and says what to write instead when that is not exact. */

import { distance } from 'fastest-levenshtein';
import { InputError } from '../../errors.ts';
import { knownEntries } from '../facts/known-entries.ts';
import type { Operation } from '../facts/operation.ts';

const nearestShown = 5;

/**
 * By id (`orders/getOrder`), by `name@version`, or by a bare name that only one operation has.
 * A name that a user's definition shares with a built-in operation means the built-in one.
 * @throws InputError when nothing or more than one operation is meant; the hint lists the candidates.
 */
export function findOperation(operations: readonly Operation[], idOrName: string): Operation {
  const wanted = idOrName.trim();
  const exact = operations.find((operation) => operation.id === wanted);
  if (exact !== undefined) return exact;
  const all = operations.filter((operation) => isMeant(operation, wanted));
  const builtIn = all.filter((operation) => operation.source !== 'user');
  const candidates = builtIn.length > 0 ? builtIn : all;
  const [first, second] = candidates;
  if (first === undefined) throw unknownOperation(operations, wanted);
  if (second !== undefined) throw ambiguousOperation(candidates, wanted);
  return first;
}

function isMeant(operation: Operation, wanted: string): boolean {
  const tail = operation.id.slice(operation.id.indexOf('/') + 1);
  return (
    operation.name === wanted ||
    tail === wanted ||
    operation.id.startsWith(`${wanted}@`) ||
    tail.startsWith(`${wanted}-`)
  );
}

function ambiguousOperation(candidates: readonly Operation[], wanted: string): InputError {
  return new InputError(
    `${quote(wanted)} names ${candidates.length} operations`,
    `Give the id of the one you mean: ${candidates.map(describeCandidate).join('; ')}.`,
  );
}

/** `shipping/getRates@v2 (v2, POST /shipping/v2/shipments/rates)`. */
function describeCandidate(operation: Operation): string {
  const withdrawn = operation.withdrawn === undefined ? '' : ', withdrawn';
  const version = operation.version === undefined ? '' : `${operation.version}, `;
  return `${operation.id} (${version}${operation.method} ${operation.path}${withdrawn})`;
}

function unknownOperation(operations: readonly Operation[], wanted: string): InputError {
  const known = knownEntries.find((entry) => entry.id === wanted || entry.name === wanted);
  if (known !== undefined) {
    return new InputError(`${known.id} is known by name only and cannot be called: ${known.reason}`);
  }
  const nearest = nearestOperations(operations, wanted);
  return new InputError(
    `there is no operation ${quote(wanted)}`,
    `Did you mean ${nearest.join(', ')}? list_known_operations finds operations by words.`,
  );
}

/** Ids whose name or id is closest to what was written, nearest first. */
function nearestOperations(operations: readonly Operation[], wanted: string): string[] {
  const text = wanted.slice(0, 100).toLowerCase();
  const name = text.slice(text.indexOf('/') + 1);
  return operations
    .map(({ id, name: own }) => ({
      id,
      far: Math.min(distance(own.toLowerCase(), name), distance(id.toLowerCase(), text)),
    }))
    .sort((one, other) => one.far - other.far)
    .slice(0, nearestShown)
    .map(({ id }) => id);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
