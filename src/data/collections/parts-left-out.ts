/** Tells which parts of each item an operation gives only when they are asked for, and were not. */

import { reviewed } from '../../service/facts/generated/reviewed.ts';
import type { Operation, Parameter } from '../../service/facts/operation.ts';
import { own, resolveSchema } from '../../service/facts/schema-parts.ts';

/** Under these names operations take the parts to give. */
const PARTS = 'includedData';
/** Of getInventorySummaries: without it there are totals only. */
const DETAILS = 'details';

/** @param given as the caller wrote them */
export function partsLeftOut(operation: Operation, given: Readonly<Record<string, unknown>>): string[] {
  const find = (name: string) => operation.parameters.find((parameter) => parameter.name === name);
  const [parts, details] = [find(PARTS), find(DETAILS)];
  return [
    ...(parts === undefined ? [] : listLeftOut(operation, parts, own(given, PARTS))),
    ...(details?.schema.type === 'boolean' && own(given, DETAILS) !== true
      ? ['Without details: true there are totals only.']
      : []),
    ...elementsLeftOut(operation),
  ];
}

/** What the service gives only against a restricted data token. */
function elementsLeftOut({ id, auth }: Operation): string[] {
  const elements = auth.kind === 'restricted' ? [] : (reviewed[id]?.personalData ?? []);
  if (elements.length === 0) return [];
  return [
    `${elements.join(', ')}: empty without a restricted data token; read_operation tokens/createRestrictedDataToken with these dataElements first, then collect again.`,
  ];
}

function listLeftOut({ defs = {} }: Operation, { name, schema }: Parameter, given: unknown): string[] {
  const items = resolveSchema(schema, defs)?.items;
  const values = (items && resolveSchema(items, defs))?.enum;
  if (values === undefined) return [];
  const asked = new Set(Array.isArray(given) ? given : typeof given === 'string' ? given.split(',') : []);
  const rest = values.filter((value) => !asked.has(value));
  if (rest.length === 0) return [];
  return asked.size === 0
    ? [`${name} was not given: of ${rest.join(', ')}, only what the service gives unasked is here.`]
    : [`Not asked for in ${name}: ${rest.join(', ')}.`];
}
