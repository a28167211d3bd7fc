/** Query parameters as the service reads them, and how it refuses those that it cannot use. */

import type * as z from 'zod';
import { type Answer, fail } from '../answer.ts';

/** A list sent as one value with commas, or under a repeated name. */
export const readList = (query: URLSearchParams, name: string): string[] =>
  query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .filter((value) => value !== '');

export const invalid = (details: string): Answer =>
  fail(400, { code: 'InvalidInput', message: 'Request has missing or invalid parameters.', details });

/** Everything that is wrong with a body. */
export const invalidBody = (error: z.ZodError): Answer =>
  invalid(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));

/** The first of these that is a value nobody knows, as a refusal. */
export function refuseOthers(
  query: URLSearchParams,
  name: string,
  known: readonly string[],
): Answer | undefined {
  const wrong = readList(query, name).filter((value) => !known.includes(value));
  return wrong.length > 0
    ? invalid(`${name}: ${wrong.join(', ')} is none of ${known.join(', ')}.`)
    : undefined;
}

/**
 * A parameter that the sandbox would pass over would make its answer wrong without a word: it is refused instead.
 * @returns the refusal; undefined when every name is one that the sandbox plays.
 */
export function refuseUnplayed(
  operation: string,
  query: URLSearchParams,
  played: readonly string[],
): Answer | undefined {
  const others = [...new Set(query.keys())].filter((name) => !played.includes(name));
  if (others.length === 0) return undefined;
  return invalid(
    `The sandbox does not play ${others.join(', ')} of ${operation}; it plays ${played.join(', ')}.`,
  );
}

/** Both: a name that is not played, and a value that is none of its choices. */
export function refuseUnknown(
  operation: string,
  query: URLSearchParams,
  { played, choices }: { played: readonly string[]; choices: Readonly<Record<string, readonly string[]>> },
): Answer | undefined {
  const unplayed = refuseUnplayed(operation, query, played);
  if (unplayed !== undefined) return unplayed;
  for (const [name, known] of Object.entries(choices)) {
    const wrong = refuseOthers(query, name, known);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Milliseconds of an ISO 8601 moment; undefined where the parameter is absent. @throws BadParameter */
export function readMoment(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const ms = /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw new BadParameter(`${name}: is not a moment in ISO 8601.`);
  return ms;
}

/** A whole number within bounds. @throws BadParameter */
export function readInteger(
  query: URLSearchParams,
  name: string,
  { least, most, otherwise }: { least: number; most: number; otherwise: number },
): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new BadParameter(`${name}: is a whole number from ${least} to ${most}.`);
}

/** What is wrong with one parameter; `answerQuery` makes it the answer. */
export class BadParameter extends Error {}

/** The answer, where a parameter that cannot be read is one too. */
export function answerQuery(answer: () => Answer): Answer {
  try {
    return answer();
  } catch (error) {
    if (error instanceof BadParameter) return invalid(error.message);
    throw error;
  }
}
