/** What of one operation differs between two readings of it, in the words of those who call it. */

import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema, Operation, Parameter } from '../../src/service/facts/operation.ts';

const PLAIN = [
  ...(['name', 'version', 'idempotencyKey', 'deprecated', 'sandboxOnly'] as const),
  ...(['paging', 'state', 'progress', 'refusals', 'previewMode'] as const),
];

/** One clause for each difference, ours before theirs; empty when they say the same. */
export function compareFacts(ours: Operation, theirs: Operation): string[] {
  const isRequired = (side: Operation) => side.body?.required;
  return [
    ...PLAIN.flatMap((member) => told(member, ours[member], theirs[member])),
    ...told('limit', limitOf(ours), limitOf(theirs)),
    ...byName(
      ours.parameters.map((one) => [one.name, one]),
      theirs.parameters.map((one) => [one.name, one]),
      'parameter',
      compareParameters,
    ),
    ...told('body required', isRequired(ours), isRequired(theirs)),
    ...compareShapes(ours.body?.schema ?? {}, theirs.body?.schema ?? {}, 'body'),
    ...byName(Object.entries(ours.defs ?? {}), Object.entries(theirs.defs ?? {}), 'shape', compareShapes),
  ];
}

const limitOf = ({ rate }: Operation): string | undefined =>
  rate === undefined ? undefined : `${rate.requestsPerSecond} a second, burst ${rate.burst ?? 'not known'}`;

function compareParameters(ours: Parameter, theirs: Parameter, at: string): string[] {
  return [
    ...told(`${at} in`, ours.in, theirs.in),
    ...told(`${at} required`, ours.required, theirs.required),
    ...told(`${at} collectionFormat`, ours.collectionFormat, theirs.collectionFormat),
    ...compareShapes(ours.schema, theirs.schema, at),
  ];
}

/** Members of a shape, and values of an enum, are told one by one: they are what callers meet. */
function compareShapes(ours: JsonSchema, theirs: JsonSchema, at: string): string[] {
  const { properties, required = [], items, enum: values, additionalProperties: more, ...plain } = ours;
  const {
    properties: theirProperties,
    required: theirRequired = [],
    items: theirItems,
    enum: theirValues,
    additionalProperties: theirMore,
    ...theirPlain
  } = theirs;
  const names = new Set([...Object.keys(plain), ...Object.keys(theirPlain)]);
  return [
    ...[...names].flatMap((name) => told(`${at} ${name}`, Object(plain)[name], Object(theirPlain)[name])),
    ...compareValues(values, theirValues, at),
    ...theirRequired.filter((name) => !required.includes(name)).map((name) => `${at}.${name} is required`),
    ...required
      .filter((name) => !theirRequired.includes(name))
      .map((name) => `${at}.${name} may be left out`),
    ...byName(
      Object.entries(properties ?? {}),
      Object.entries(theirProperties ?? {}),
      `${at}.`,
      compareShapes,
    ),
    ...(items === undefined && theirItems === undefined
      ? []
      : compareShapes(items ?? {}, theirItems ?? {}, `${at}[]`)),
    ...(isShape(more) && isShape(theirMore)
      ? compareShapes(more, theirMore, `${at}.*`)
      : told(`${at} further members`, more, theirMore)),
  ];
}

const isShape = (value: unknown): value is JsonSchema => typeof value === 'object';

/** Without an enum any value is taken. */
function compareValues(ours: JsonSchema['enum'], theirs: JsonSchema['enum'], at: string): string[] {
  if (ours === undefined || theirs === undefined) return told(`${at} values`, ours, theirs);
  const added = theirs.filter((value) => !ours.includes(value));
  const gone = ours.filter((value) => !theirs.includes(value));
  return [
    ...(added.length === 0 ? [] : [`${at} takes ${added.join(', ')} too`]),
    ...(gone.length === 0 ? [] : [`${at} no longer takes ${gone.join(', ')}`]),
  ];
}

/** @param what ends in a point where it is the place of members */
function byName<T>(
  ours: readonly (readonly [string, T])[],
  theirs: readonly (readonly [string, T])[],
  what: string,
  compare: (ours: T, theirs: T, at: string) => string[],
): string[] {
  const [mine, others] = [new Map(ours), new Map(theirs)];
  const label = (name: string) => (what.endsWith('.') ? `${what}${name}` : `${what} ${name}`);
  return [...new Set([...mine.keys(), ...others.keys()])].flatMap((name) => {
    const [one, other] = [mine.get(name), others.get(name)];
    if (one === undefined) return [`${label(name)} is new`];
    if (other === undefined) return [`${label(name)} is gone`];
    return compare(one, other, label(name));
  });
}

function told(what: string, ours: unknown, theirs: unknown): string[] {
  return isDeepStrictEqual(ours, theirs) ? [] : [`${what} ${show(ours)}, now ${show(theirs)}`];
}

const LONGEST = 80;

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
