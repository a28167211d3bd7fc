/** Texts and numbers for an example call: something true to the member's name that its bounds and pattern accept. */

import type { JsonSchema } from '../facts/operation.ts';

/** The first that fits; a placeholder (`<sku>`) where the name says no more than that it is text. */
export function exampleText(name: string, schema: JsonSchema): string {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  const allows = pattern === undefined ? undefined : new RegExp(pattern);
  const placeholder = `<${name}>`;
  const candidates = [...byFormat(name, schema.format), ...byName(name), placeholder, ...shaped];
  const found = candidates.find(
    (text) => text.length >= minLength && text.length <= maxLength && (allows?.test(text) ?? true),
  );
  return found ?? placeholder.padEnd(Math.min(minLength, longestPadding), 'x').slice(0, maxLength);
}

const longestPadding = 150;

export function exampleNumber(name: string, schema: JsonSchema): number {
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

/** For patterns and bounds that tell the form of a code: capitals, a UUID, a plan's id, a currency, digits. */
const shaped: readonly string[] = ['EXAMPLE', 'EXAMPLE001', uuid, `wf${uuid}`, 'USD', 'US', '1', '00'];
