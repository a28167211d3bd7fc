/**
 * Builds the smallest useful example call of an operation: the required inputs, and reviewed important ones.
 */

import { withInnerAddresses } from '../facts/inner-requests.ts';
import type { JsonSchema, Operation, Parameter } from '../facts/operation.ts';
import { accountValueOf } from '../facts/parameters.ts';
import { nameOfRef, own, resolveSchema, type SchemaDefs } from '../facts/schema-parts.ts';
import { exampleSeeds } from './generated/example-seeds.ts';

/** The reviewed additions to the required inputs of an example. */
export interface ExampleSeed {
  /** Values that supplement or replace the required parameters. */
  parameters?: Readonly<Record<string, unknown>>;
  /** The whole body. */
  body?: unknown;
}

export interface ExampleCall {
  operation: string;
  parameters: Record<string, unknown>;
  body?: unknown;
}

/** The maximum length of an example with optional members. */
const MAX_BODY_LENGTH = 700;
/**
 * The maximum length of the required members, which no operation of the service exceeds. For a user's
 * operation that does, the example body is empty.
 */
const MAX_REQUIRED_LENGTH = 1_500;
const MAX_PARAMETERS = 20;

/** Builds an example with every required member at any depth, so that the call is valid as it is. */
export function buildExample(operation: Operation): ExampleCall {
  const { id, parameters, body, defs = {} } = operation;
  const seed = own(exampleSeeds, id);
  const given = parameters.filter((parameter) => isToBeGiven(operation, parameter)).slice(0, MAX_PARAMETERS);
  const samples = given.map(({ name, schema }) => [name, sampleWhole(schema, name, defs)] as const);
  return {
    operation: id,
    parameters: { ...Object.fromEntries(samples), ...seed?.parameters },
    ...(body && { body: seed?.body ?? withInnerAddresses(id, sampleWhole(body.schema, 'body', defs)) }),
  };
}

/**
 * Returns true for parameters that the caller must give; the account fills in its own values, and this server
 * makes the idempotency key.
 */
export function isToBeGiven({ idempotencyKey }: Operation, { name, required }: Parameter): boolean {
  const isKey = idempotencyKey?.in === 'header' && idempotencyKey.name === name;
  return required && !isKey && accountValueOf(name) === undefined;
}

/** Builds a sample with as many optional members as fit. */
function sampleWhole(schema: JsonSchema, name: string, defs: SchemaDefs): unknown {
  const samples = [8, 2, 1, 0].map((optional) =>
    sample(schema, name, { defs, optional, above: [], left: { values: MAX_VALUES } }),
  );
  const sized = samples.map((value) => ({ value, length: JSON.stringify(value).length }));
  const [short] = sized.filter(({ length }) => length <= MAX_BODY_LENGTH);
  const required = sized.at(-1);
  if (short !== undefined) return short.value;
  return required !== undefined && required.length <= MAX_REQUIRED_LENGTH ? required.value : {};
}

interface Sampling {
  defs: SchemaDefs;
  /** The number of deeper levels that may show optional members. */
  optional: number;
  /** The named shapes around this one; a shape that contains itself ends there. */
  above: readonly string[];
  /** The number of values that the whole example may still use. */
  left: { values: number };
}

/**
 * The maximum number of values, far more than the service needs, because shapes of a user's file can require
 * each other endlessly.
 */
const MAX_VALUES = 300;

function sample(schema: JsonSchema, name: string, scope: Sampling): unknown {
  const { defs, above, left } = scope;
  left.values -= 1;
  if (left.values < 0) return {};
  const shape = resolveSchema(schema, defs);
  const inside = {
    ...scope,
    optional: scope.optional - 1,
    above: [...above, schema.$ref === undefined ? '' : nameOfRef(schema.$ref)],
  };
  if (shape.enum !== undefined) return shape.enum[0];
  if (shape.type === 'array') return sampleArray(shape, name, inside);
  if (shape.type === 'object') return sampleObject(shape, inside);
  if (shape.type === 'integer' || shape.type === 'number') return exampleNumber(name, shape);
  return shape.type === 'boolean' ? true : exampleText(name, shape);
}

function sampleArray({ items = {}, minItems = 1 }: JsonSchema, name: string, scope: Sampling): unknown[] {
  if (isEndless(items, scope)) return [];
  return Array.from({ length: Math.min(Math.max(minItems, 1), MAX_ITEMS) }, () => sample(items, name, scope));
}

const MAX_ITEMS = 5;

function sampleObject(shape: JsonSchema, scope: Sampling): Record<string, unknown> {
  const members = shape.properties ?? {};
  const names = [...new Set([...(shape.required ?? []), ...optionalMembers(shape, scope)])];
  return Object.fromEntries(
    names.map((name) => [name, sample(own(members, name) ?? {}, name, scope)] as const),
  );
}

/**
 * Returns optional members that are only meaningful together. If nothing is required, it returns one member,
 * or both of a pair of values.
 */
function optionalMembers(shape: JsonSchema, scope: Sampling): string[] {
  const members = Object.entries(shape.properties ?? {});
  if (scope.optional < 0) return [];
  const together = belongTogether(members.map(([name]) => name));
  if (together.length > 0 || shape.required !== undefined) return together;
  const isPair = members.length === 2 && members.every(([, member]) => isScalar(member, scope.defs));
  const open = members.filter(([, member]) => !isEndless(member, scope)).map(([name]) => name);
  return isPair ? open : open.slice(0, 1);
}

/** Recognizes an amount with its currency, and the sides of a package. */
function belongTogether(names: readonly string[]): string[] {
  const money = names.filter((name) => /^(currency(code|amount)?|amount|value)$/i.test(name));
  if (money.length > 1 && money.some((name) => /^currency/i.test(name))) return money;
  const sides = names.filter((name) => /^(length|width|height|unit)$/i.test(name));
  return sides.length === 4 ? sides : [];
}

function isScalar(schema: JsonSchema, defs: SchemaDefs): boolean {
  const { type } = resolveSchema(schema, defs);
  return type !== 'object' && type !== 'array';
}

/**
 * Returns true for a shape that contains itself. It must be optional, because otherwise nothing could ever be
 * sent.
 */
function isEndless(schema: JsonSchema, { above, defs }: Sampling): boolean {
  const inner = schema.$ref === undefined ? resolveSchema(schema, defs).items : schema;
  return inner?.$ref !== undefined && above.includes(nameOfRef(inner.$ref));
}

// Texts and numbers of an example are plausible for the member's name and valid for its bounds and pattern.

/** Returns the first valid text, or a placeholder (`<sku>`) when the name suggests none. */
function exampleText(name: string, schema: JsonSchema): string {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  const allows = pattern === undefined ? undefined : new RegExp(pattern);
  const placeholder = `<${name}>`;
  const candidates = [...byFormat(name, schema.format), ...byName(name), placeholder, ...shaped];
  const found = candidates.find(
    (text) => text.length >= minLength && text.length <= maxLength && (allows?.test(text) ?? true),
  );
  return found ?? placeholder.padEnd(Math.min(minLength, MAX_PADDING), 'x').slice(0, maxLength);
}

const MAX_PADDING = 150;

function exampleNumber(name: string, schema: JsonSchema): number {
  const { type, minimum, maximum, multipleOf } = schema;
  const usual = isMoney(name) && type === 'number' ? 19.99 : /offset/i.test(name) ? 0 : 1;
  if (multipleOf !== undefined) return multipleOf;
  return Math.min(Math.max(usual, minimum ?? usual), maximum ?? Number.POSITIVE_INFINITY);
}

function byFormat(name: string, format: string | undefined): string[] {
  const day = /end|until|before|to$/i.test(name) ? '2026-01-31' : '2026-01-01';
  if (format === 'date-time') return [`${day}T00:00:00Z`];
  return format === 'date' ? [day] : [];
}

function byName(name: string): string[] {
  return namesAndTexts.flatMap(([pattern, text]) => (pattern.test(name) ? [text] : []));
}

function isMoney(name: string): boolean {
  return /amount$|price$|cost$/i.test(name);
}

const namesAndTexts: readonly (readonly [RegExp, string])[] = [
  [/marketplaces?(_?ids?)?$/i, 'ATVPDKIKX0DER'],
  [/country(_?code)?$/i, 'US'],
  [/currency(_?code)?$/i, 'USD'],
  [/asins?(list|set)?$/i, 'B0EXAMPLE1'],
  [/locale$/i, 'en_US'],
  [/amount$|price$|cost$/i, '19.99'],
  [/^notificationTypes?$/, 'ORDER_CHANGE'],
  [/^payloadVersion$/, '1.0'],
  [/^sortBy$/, 'MENTIONS'],
];

const uuid = '1234abcd-1234-abcd-5678-1234abcd5678';

/** Texts for patterns and bounds of codes: capitals, a UUID, a plan's ID, a currency, digits. */
const shaped: readonly string[] = ['EXAMPLE', 'EXAMPLE001', uuid, `wf${uuid}`, 'USD', 'US', '1', '00'];
