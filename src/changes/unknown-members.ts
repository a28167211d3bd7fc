/** Members of a body that its definition does not name: sent all the same, and told, since most are misspelt. */

import { closest, distance } from 'fastest-levenshtein';
import { isJsonObject } from '../json.ts';
import { formatPath, type Segments } from '../json-difference.ts';
import type { JsonSchema, Operation } from '../service/facts/operation.ts';
import { type Defs, own, resolveSchema } from '../service/facts/schema-parts.ts';
import type { Warning } from './change.ts';

/** Told at most: a body of another kind is one mistake, not thousands. */
const MOST_TOLD = 20;
/** Characters of a name that is compared with others. */
const LONGEST_COMPARED = 100;

export function warnAboutUnknown({ body, defs = {} }: Operation, sent: unknown): Warning[] {
  if (body === undefined) return [];
  const found: Warning[] = [];
  visit(body.schema, sent, [], defs, found);
  return found;
}

function visit(schema: JsonSchema, value: unknown, segments: Segments, defs: Defs, found: Warning[]): void {
  if (found.length >= MOST_TOLD) return;
  const { properties, additionalProperties, items } = resolveSchema(schema, defs);
  if (Array.isArray(value)) {
    if (items !== undefined)
      for (const [at, one] of value.entries()) visit(items, one, [...segments, at], defs, found);
    return;
  }
  if (!isJsonObject(value)) return;
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  for (const [name, member] of Object.entries(value)) {
    const inner = own(properties, name);
    const place = [...segments, name];
    if (inner !== undefined) visit(inner, member, place, defs, found);
    else if (typeof additionalProperties === 'object')
      visit(additionalProperties, member, place, defs, found);
    else if (properties !== undefined && !isOpen && found.length < MOST_TOLD) {
      found.push({
        path: formatPath(place),
        segments: place,
        message: unknown(name, Object.keys(properties)),
      });
    }
  }
}

function unknown(name: string, known: readonly string[]): string {
  const short = name.slice(0, LONGEST_COMPARED).toLowerCase();
  const near =
    known.length === 0
      ? undefined
      : closest(
          short,
          known.map((one) => one.toLowerCase()),
        );
  const meant = known.find((one) => one.toLowerCase() === near);
  const isNear = near !== undefined && distance(short, near) <= Math.max(2, short.length / 3);
  return `is not a member that the definition names${isNear && meant !== undefined ? `; did you mean ${JSON.stringify(meant)}?` : ''}`;
}
