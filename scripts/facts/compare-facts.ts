/** Compares two readings of one operation, and describes each difference in the words of those who call it. */

import { findDifferences, type JsonDifference } from '../../src/base/json-difference.ts';
import type { JsonSchema, Operation } from '../../src/service/facts/operation.ts';

/** @returns one clause for each difference, ours before theirs; none when they say the same */
export const compareFacts = (ours: Operation, theirs: Operation): string[] =>
  findDifferences(toComparable(ours), toComparable(theirs)).map(formatDifference);

/** Names the places of a schema's own members in the comparable form, so that no member of the service can be one of them. */
const [MEMBERS, VALUES, REQUIRED, ITEMS] = ['#members', '#values', '#required', '#items'];

function toComparable(operation: Operation) {
  const { name, version, idempotencyKey, deprecated, sandboxOnly, rate } = operation;
  const { paging, state, progress, refusals, previewMode, parameters, body, defs = {} } = operation;
  return {
    ...{
      name,
      version,
      idempotencyKey,
      deprecated,
      sandboxOnly,
      paging,
      state,
      progress,
      refusals,
      previewMode,
    },
    limit: rate && `${rate.requestsPerSecond} a second, burst ${rate.burst ?? 'not known'}`,
    parameter: Object.fromEntries(
      parameters.map(({ schema, name: parameter, ...rest }) => [parameter, { ...rest, ...schemaOf(schema) }]),
    ),
    body: body && { mustBeGiven: body.required, ...schemaOf(body.schema) },
    shape: Object.fromEntries(Object.entries(defs).map(([shape, schema]) => [shape, schemaOf(schema)])),
  };
}

/** Returns the schema with its values and required members by name, because their order says nothing. */
function schemaOf(schema: JsonSchema): Record<string, unknown> {
  const { properties = {}, items, enum: values, required = [], additionalProperties, ...plain } = schema;
  const byName = (names: readonly unknown[]) => Object.fromEntries(names.map((name) => [String(name), true]));
  return {
    ...plain,
    furtherMembers:
      typeof additionalProperties === 'object' ? schemaOf(additionalProperties) : additionalProperties,
    [REQUIRED]: byName(required),
    [VALUES]: values && byName(values),
    [MEMBERS]: Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, schemaOf(member)]),
    ),
    [ITEMS]: items && schemaOf(items),
  };
}

function formatDifference({ segments, kind, before, after }: JsonDifference): string {
  const names = segments.map(String);
  const last = names.pop() ?? '';
  const group = names.at(-1);
  if (group === REQUIRED) return `${formatPath([...names.slice(0, -1), MEMBERS, last])} ${REQUIREMENT[kind]}`;
  if (group === VALUES)
    return `${formatPath(names.slice(0, -1))} ${kind === 'added' ? `takes ${last} too` : `no longer takes ${last}`}`;
  const isNamed =
    group === MEMBERS || (names.length === 1 && ['parameter', 'shape'].includes(names[0] ?? ''));
  const path = formatPath([...names, last]);
  if (isNamed && kind !== 'changed') return `${path} is ${kind === 'added' ? 'new' : 'gone'}`;
  return `${path} ${format(before)}, now ${format(after)}`;
}

const REQUIREMENT = { added: 'is required', removed: 'may be left out', changed: 'is required' };

/** `parameter size maximum`, `body.status`, `shape Item.prices[]`. */
const formatPath = (names: readonly string[]): string =>
  names
    .join(' ')
    .replaceAll(` ${ITEMS}`, '[]')
    .replaceAll(` ${MEMBERS} `, '.')
    .replace(` ${VALUES}`, ' values');

const LONGEST = 80;

function format(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
