/** Declared values and those on the wire: the same text may stand for a number, a truth value or a list. */

import type { Parameter } from '../../service/facts/operation.ts';
import { SEPARATORS } from '../../service/facts/parameters.ts';

/** What a caller gives for a declared value. One that the parameter's type does not take stays as it is. */
export function fromWire(parameter: Parameter, value: unknown): unknown {
  const { schema, collectionFormat = 'csv' } = parameter;
  if (schema.type !== 'array') return scalarFrom(schema.type, value);
  const itemType = schema.items?.type;
  if (Array.isArray(value)) return value.map((item: unknown) => scalarFrom(itemType, item));
  if (typeof value === 'object' || value === null) return value;
  const texts = collectionFormat === 'multi' ? [value] : String(value).split(SEPARATORS[collectionFormat]);
  return texts.map((text) => scalarFrom(itemType, text));
}

function scalarFrom(type: Parameter['schema']['type'], value: unknown): unknown {
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  if (typeof value !== 'string') return value;
  if ((type === 'integer' || type === 'number') && /^-?\d{1,15}(\.\d{1,10})?$/.test(value))
    return Number(value);
  if (type === 'boolean' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  return value;
}

/** The texts under which a value arrives: one, or for `multi` one per element. */
export function toWire({ collectionFormat = 'csv' }: Parameter, value: unknown): string[] {
  if (!Array.isArray(value)) return [String(value)];
  const texts = value.map(String);
  return collectionFormat === 'multi' ? texts : [texts.join(SEPARATORS[collectionFormat])];
}
