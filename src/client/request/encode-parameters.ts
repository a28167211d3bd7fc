/** Query and header parameters become text, arrays joined as each parameter says. */

import { toUSVString } from 'node:util';
import type { Problem } from '../../errors.ts';
import type { Parameter } from '../../service/facts/operation.ts';

type Scalar = string | number | boolean;

const SEPARATORS = { csv: ',', ssv: ' ', tsv: '\t', pipes: '|' } as const;

/** One parameter as the texts that are sent under its name: one, or for `multi` one per element. */
export function textsOf(parameter: Parameter, value: unknown): { texts: string[] } | { problem: Problem } {
  if (!Array.isArray(value))
    return isScalar(value) ? { texts: [String(value)] } : refuse(parameter, NOT_TEXT);
  if (!value.every(isScalar)) return refuse(parameter, NOT_TEXT);
  const texts = value.map(String);
  const format = parameter.collectionFormat ?? 'csv';
  if (texts.length === 0) return parameter.required ? refuse(parameter, 'must not be empty') : { texts: [] };
  if (format === 'multi') return { texts };
  const separator = SEPARATORS[format];
  const broken = texts.findIndex((text) => text.includes(separator));
  if (broken === -1) return { texts: [texts.join(separator)] };
  const message = `holds ${JSON.stringify(separator)}, which would be read as two values`;
  return { problem: { path: `${parameter.name}.${broken}`, message } };
}

const NOT_TEXT = 'must be text, a number, true or false, or a list of these';

function refuse(parameter: Parameter, message: string): { problem: Problem } {
  return { problem: { path: parameter.name, message } };
}

function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** `a=1&b=2`, percent-encoded (a space is `%20`, which every service reads); empty for no pairs. */
export function encodeQuery(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

function encode(text: string): string {
  return encodeURIComponent(toUSVString(text));
}
