/** Marketplaces that a call names by country become ids, before anything else looks at the call; what is doubtful is told. */

import type { Problem } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Segments } from '../../base/json-difference.ts';
import { findMarketplace } from '../../service/facts/find-marketplace.ts';
import {
  isMarketplaceName,
  openMarketplaceName,
  takesText,
} from '../../service/facts/marketplace-members.ts';
import { type Marketplace, marketplaceLabel } from '../../service/facts/marketplaces.ts';
import type { JsonSchema, Operation } from '../../service/facts/operation.ts';
import { REGION_NAMES, regionOf } from '../../service/facts/regions.ts';
import { own, resolveSchema } from '../../service/facts/schema-parts.ts';

/** One marketplace of a call. */
export interface SentMarketplace {
  /** The path to it: the name of a parameter, or `body` and the members down to it. */
  segments: Segments;
  /** The caller's form. */
  given: string;
  /** The form that is sent. */
  id: string;
  /** Why it may not be what was meant, as a sentence; the call goes on. Holds the caller's text, quoted. */
  warning?: string;
}

/** Parameters and body are the very same objects where nothing in them had to be replaced. */
export function resolveMarketplaces(
  operation: Operation,
  call: { parameters: Readonly<Record<string, unknown>>; body?: unknown },
  baseUrl: string,
) {
  const search: Search = { operation, baseUrl, marketplaces: [], problems: [] };
  const parameters = resolveParameters(call.parameters, search);
  const body = resolveInside(call.body, operation.body?.schema, ['body'], search);
  return { parameters, body, marketplaces: search.marketplaces, problems: search.problems };
}

interface Search {
  operation: Operation;
  baseUrl: string;
  marketplaces: SentMarketplace[];
  problems: Problem[];
}

function resolveParameters(given: Readonly<Record<string, unknown>>, search: Search) {
  const { parameters, defs = {} } = search.operation;
  let resolved: Record<string, unknown> | undefined;
  for (const { name, schema } of parameters) {
    const value = own(given, name);
    if (value === undefined || !isMarketplaceName(name) || !takesText(schema, defs)) continue;
    const sent = resolveValue(value, [name], search);
    if (sent !== value) resolved = { ...(resolved ?? given), [name]: sent };
  }
  return resolved ?? given;
}

/** Walks value and definition side by side. */
function resolveInside(
  value: unknown,
  schema: JsonSchema | undefined,
  segments: Segments,
  search: Search,
): unknown {
  const defs = search.operation.defs ?? {};
  const shape = schema && resolveSchema(schema, defs);
  if (Array.isArray(value)) {
    return changed(
      value,
      value.map((item, i) => resolveInside(item, shape?.items, [...segments, i], search)),
    );
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    const declared = own(shape?.properties, name);
    const path = [...segments, name];
    // The names of a map are values too, and say nothing of what they hold.
    const holds =
      declared === undefined
        ? name === openMarketplaceName(search.operation)
        : isMarketplaceName(name) && takesText(declared, defs);
    const inner = declared ?? restOf(shape);
    return [name, holds ? resolveValue(member, path, search) : resolveInside(member, inner, path, search)];
  });
  return members.every(([name, member]) => member === value[name]) ? value : toObject(members);
}

function restOf(shape: JsonSchema | undefined): JsonSchema | undefined {
  return typeof shape?.additionalProperties === 'object' ? shape.additionalProperties : undefined;
}

/** Defines every name as its own member, also `__proto__`. */
const toObject = (members: readonly [string, unknown][]): JsonObject => Object.fromEntries(members);

function changed(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return after.every((item, i) => item === before[i]) ? before : after;
}

/** A text or a list of texts; anything else is for the check of shapes. */
function resolveValue(value: unknown, segments: Segments, search: Search): unknown {
  if (typeof value === 'string') return resolveText(value, segments, search);
  if (!Array.isArray(value)) return value;
  return changed(
    value,
    value.map((item: unknown, i) =>
      typeof item === 'string' ? resolveText(item, [...segments, i], search) : item,
    ),
  );
}

function resolveText(given: string, segments: Segments, search: Search): string {
  // An empty value is for the service to judge.
  if (given.trim() === '') return given;
  const found = findMarketplace(given);
  if (found.kind === 'refused') {
    search.problems.push({ path: segments.join('.'), message: found.problem });
    return given;
  }
  const sent =
    found.kind === 'known'
      ? { id: found.marketplace.id, ...regionWarning(found.marketplace, search.baseUrl) }
      : { id: given, warning: found.warning };
  search.marketplaces.push({ segments, given, ...sent });
  return sent.id;
}

function regionWarning({ id, region }: Marketplace, baseUrl: string): { warning?: string } {
  const own = regionOf(baseUrl);
  if (own === undefined || own === region) return {};
  const warning = `${marketplaceLabel(id)} belongs to the region ${REGION_NAMES[region]}, but this account's address is that of ${REGION_NAMES[own]}, which may refuse it.`;
  return { warning };
}
