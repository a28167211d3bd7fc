/** Which facts of one operation differ between two readings of it, in few words. */

import { isDeepStrictEqual } from 'node:util';
import type { Operation, Parameter } from '../../src/service/facts/operation.ts';

const PLAIN = [
  ...(['name', 'version', 'rate', 'idempotencyKey', 'deprecated', 'sandboxOnly'] as const),
  ...(['paging', 'state', 'progress', 'refusals', 'previewMode'] as const),
];

/** One clause for each fact, ours before theirs; empty when they say the same. */
export function compareFacts(ours: Operation, theirs: Operation): string[] {
  return [
    ...PLAIN.flatMap((member) =>
      isDeepStrictEqual(ours[member], theirs[member])
        ? []
        : [`${member} ${show(ours[member])}, now ${show(theirs[member])}`],
    ),
    ...named('parameter', byName(ours.parameters), byName(theirs.parameters)),
    ...(isDeepStrictEqual(ours.body, theirs.body) ? [] : ['the body']),
    ...named('shape', ours.defs ?? {}, theirs.defs ?? {}),
  ];
}

function byName(parameters: readonly Parameter[]): Record<string, Parameter> {
  return Object.fromEntries(parameters.map((one) => [`${one.in} ${one.name}`, one]));
}

function named(
  what: string,
  ours: Readonly<Record<string, unknown>>,
  theirs: Readonly<Record<string, unknown>>,
) {
  const names = Object.keys({ ...ours, ...theirs });
  return names.flatMap((name) => {
    if (!Object.hasOwn(theirs, name)) return [`${what} ${name} is gone`];
    if (!Object.hasOwn(ours, name)) return [`${what} ${name} is new`];
    return isDeepStrictEqual(ours[name], theirs[name]) ? [] : [`${what} ${name} is another`];
  });
}

const LONGEST = 80;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'none';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
