/** Which reading operation of the same file shows what a write changes, or how far the work it started has come. */

import type { OperationDraft } from '../../src/definitions/read/operation-draft.ts';
import { endpointOf } from '../../src/service/facts/merge.ts';
import type { Parameter, RelatedRead, RelatedReadValue } from '../../src/service/facts/operation.ts';
import { resolveSchema, type SchemaDefs } from '../../src/service/facts/schema-parts.ts';
import { type Answer, lastOf } from './answer-members.ts';

/** A write or a reading operation, with what its definition says of its answers. */
export interface Known {
  id: string;
  draft: OperationDraft;
  answers: readonly Answer[];
  defs: SchemaDefs;
}

export interface Readings {
  state?: RelatedRead;
  progress?: RelatedRead;
}

/** Parameters that the account fills in, so that a reading operation may need them although the write takes none. */
const FILLED_IN = /^(sellerId|marketplaceIds?)$/i;

/** @param readers the reading operations (GET) of the file. */
export function findReadings(write: Known, readers: readonly Known[]): Readings {
  const members = idsIn(write.answers);
  const started = startedWork(write, readers, members);
  const created = createdThing(write, readers, members);
  const isAccepted = write.answers.every(({ status }) => status === 202);
  const state = sameThing(write, readers) ?? (isAccepted && started === undefined ? undefined : created);
  const progress = started ?? (isAccepted ? created : undefined);
  return { ...(state && { state }), ...(progress && { progress }) };
}

/** Finds the reader with the longest path that the write's path begins with: `/orders/{orderId}/cancel` changes `/orders/{orderId}`. */
function sameThing(write: Known, readers: readonly Known[]): RelatedRead | undefined {
  const own = endpointPath(write);
  const fitting = readers
    .filter((one) => own === endpointPath(one) || own.startsWith(`${endpointPath(one)}/`))
    .filter((one) => endpointPath(one).includes('{}'))
    .sort((one, other) => endpointPath(other).length - endpointPath(one).length);
  return firstOf(fitting, (reader) => fill(reader, (name, place) => ownValue(write, name, place)));
}

type Ids = ReadonlyMap<string, string>;

/** Name of a member -> its path, for members outside of lists. */
function idsIn(answers: readonly Answer[]): Ids {
  const paths = answers
    .flatMap(({ members }) => members)
    .map(({ path }) => path)
    .filter((path) => !path.includes('[]'));
  return new Map(paths.map((path) => [lastOf(path), path]));
}

/** A collection's item by the id that the answer tells: `POST /feeds` and `GET /feeds/{feedId}`. */
function createdThing(write: Known, readers: readonly Known[], ids: Ids): RelatedRead | undefined {
  const reader = readers.find((one) => endpointPath(one) === `${endpointPath(write)}/{}`);
  return reader && fillFromAnswer(write, reader, ids);
}

/** Work with an id of its own, whatever it works on. */
function startedWork(write: Known, readers: readonly Known[], ids: Ids): RelatedRead | undefined {
  const reader = readers.find((one) => /^(operation|transaction)Id$/.test(placeholders(one).join()));
  if (reader === undefined || endpointPath(reader) === `${endpointPath(write)}/{}`) return undefined;
  return ids.has(placeholders(reader).join()) ? fillFromAnswer(write, reader, ids) : undefined;
}

function fillFromAnswer(write: Known, reader: Known, ids: Ids): RelatedRead | undefined {
  const last = placeholders(reader).at(-1);
  return fill(reader, (name, place) => {
    const path = name === last ? ids.get(name) : undefined;
    return path === undefined ? ownValue(write, name, place) : { from: 'answer', name: path };
  });
}

function firstOf<T, R>(list: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of list) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The reading with all that it needs; undefined where something would be missing. */
function fill(
  { id, draft }: Known,
  sourceOf: (name: string, place: string) => RelatedReadValue | undefined,
): RelatedRead | undefined {
  const parameters: Record<string, RelatedReadValue> = {};
  for (const parameter of draft.parameters.filter(matters)) {
    const value = sourceOf(parameter.name, parameter.in);
    if (value !== undefined) parameters[parameter.name] = value;
    else if (parameter.required && !FILLED_IN.test(parameter.name)) return undefined;
  }
  return { operation: id, parameters };
}

/** Headers say whose thing is meant; of the optional rest only what the account fills in does. */
function matters({ name, in: place, required }: Parameter): boolean {
  return required || place === 'header' || FILLED_IN.test(name);
}

/** A parameter of the write with the same name; beside the path also a member at the top of its body. */
function ownValue({ draft, defs }: Known, name: string, place: string): RelatedReadValue | undefined {
  if (draft.parameters.some((one) => one.name === name)) return { from: 'parameter', name };
  const body = draft.body === undefined ? {} : resolveSchema(draft.body.schema, defs);
  if (place !== 'path' && Object.hasOwn(body.properties ?? {}, name)) return { from: 'body', name };
  return undefined;
}

function endpointPath({ draft }: Known): string {
  return endpointOf({ method: 'GET', path: draft.path }).slice('GET '.length);
}

function placeholders({ draft }: Known): string[] {
  return [...draft.path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
}
