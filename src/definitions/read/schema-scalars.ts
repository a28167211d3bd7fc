/** The facts of a schema that are plain values: type, bounds, enum; what is not understood is left out, never guessed. */

import type { JsonSchema } from '../../service/facts/operation.ts';
import { hasHidden } from '../../text/escape-text.ts';
import { MAX_ENUM, MAX_ENUM_VALUE } from '../limits.ts';
import { isSafePattern } from './safe-pattern.ts';

const TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean'] as const;
/** Formats that only size a number say nothing about JSON. */
const DULL_FORMATS = new Set(['int32', 'int64', 'double', 'float']);
/** What a format is called: it stands in descriptions. A file of the service puts a pattern there, which is none. */
const FORMAT = /^[\w./+-]{1,40}$/;

/** Leaving a bound out can only accept more than the file does; the service stays the judge. */
export function readScalars(source: Readonly<Record<string, unknown>>): JsonSchema {
  const type = typeOf(source.type);
  const values = enumOf(source, type);
  const { format, pattern } = source;
  return {
    ...(type && { type }),
    ...(values && { enum: values }),
    ...(typeof format === 'string' && !DULL_FORMATS.has(format) && FORMAT.test(format) && { format }),
    ...(typeof pattern === 'string' && isSafePattern(pattern) && { pattern }),
    ...numbersOf(source),
    ...(type && isNullable(source) && { nullable: true }),
  };
}

function typeOf(type: unknown): JsonSchema['type'] {
  const names = (Array.isArray(type) ? type : [type]).filter((name) => name !== 'null');
  return names.length === 1 ? TYPES.find((known) => known === names[0]) : undefined;
}

function isNullable({ nullable, type, 'x-nullable': extension }: Readonly<Record<string, unknown>>): boolean {
  return nullable === true || extension === true || (Array.isArray(type) && type.includes('null'));
}

/** None where the list holds anything but plain values: an enum must never refuse what the file allows. */
function enumOf(source: Readonly<Record<string, unknown>>, type: JsonSchema['type']): JsonSchema['enum'] {
  const values: unknown[] | undefined = Array.isArray(source.enum)
    ? source.enum
    : source.const === undefined
      ? undefined
      : [source.const];
  if (values === undefined || values.length === 0 || isNullable(source)) return undefined;
  if (values.length > MAX_ENUM) return undefined;
  const plain = values.filter(isPlain).flatMap((value) => asType(value, type) ?? []);
  return plain.length === values.length ? plain : undefined;
}

/** A value as its author meant it: `enum: [1, 2]` of a string is "1" and "2". Undefined where it can never be of the type. */
function asType(value: string | number | boolean, type: JsonSchema['type']): typeof value | undefined {
  if (type === undefined || type === typeof value) return value;
  if (type === 'string') return String(value);
  if (type === 'boolean') return value === 'true' || value === 'false' ? value === 'true' : undefined;
  if (type === 'object' || type === 'array' || typeof value === 'boolean') return undefined;
  return value !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined;
}

function isPlain(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return value.length <= MAX_ENUM_VALUE && !hasHidden(value);
  return typeof value === 'number' || typeof value === 'boolean';
}

const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems'] as const;

function numbersOf(source: Readonly<Record<string, unknown>>): JsonSchema {
  const bounds = (['minimum', 'maximum'] as const).filter((key) => Number.isFinite(source[key]));
  const counts = COUNTS.filter((key) => Number.isSafeInteger(source[key]) && Number(source[key]) >= 0);
  const numbers = Object.fromEntries([...bounds, ...counts].map((key) => [key, Number(source[key])]));
  const multipleOf = Number(source.multipleOf);
  return { ...numbers, ...(typeof source.multipleOf === 'number' && multipleOf > 0 && { multipleOf }) };
}
