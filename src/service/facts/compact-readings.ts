/**
 * Encodes and decodes the facts file's notation of read operations for a write, and of refusals in an answer.
 *
 * - a reading: the operation's ID, then its parameters: `orderId` for the write's own parameter of that name,
 *   or `reportId=answer:reportId`, `sku=body:item.sku`, `id=parameter:orderId`, `included=constant:ALL`.
 * - refusals: members, separated by spaces: `errors` when it is not empty, `status=INVALID`,
 *   `responses[].status.statusCode>` for an HTTP status.
 */

import type { RefusalSign, RelatedRead, RelatedReadValue } from './operation.ts';

/**
 * Decodes a reading.
 * @throws Error when the text is not in the notation.
 */
export function decodeReading(text: string): RelatedRead {
  const [operation = '', ...values] = text.split(' ');
  return { operation, parameters: Object.fromEntries(values.map(decodeValue)) };
}

function decodeValue(text: string): [string, RelatedReadValue] {
  const [name = '', source] = text.split('=');
  if (source === undefined) return [name, { from: 'parameter', name }];
  const [from, path = ''] = source.split(':');
  if (from !== 'parameter' && from !== 'body' && from !== 'answer' && from !== 'constant')
    throw new Error(`not a source of a parameter: ${text}`);
  return [name, { from, name: path }];
}

export function encodeReading({ operation, parameters }: RelatedRead): string {
  const values = Object.entries(parameters).map(([name, value]) =>
    value.from === 'parameter' && value.name === name ? name : `${name}=${value.from}:${value.name}`,
  );
  return [operation, ...values].join(' ');
}

export function decodeRefusals(text: string): RefusalSign[] {
  return text.split(' ').map((sign): RefusalSign => {
    const [member = '', values] = sign.split('=');
    if (values !== undefined) return { member, when: values.split('|') };
    return sign.endsWith('>')
      ? { member: sign.slice(0, -1), when: 'status' }
      : { member: sign, when: 'filled' };
  });
}

export function encodeRefusals(refusals: readonly RefusalSign[]): string {
  const one = ({ member, when }: RefusalSign) => {
    if (when === 'filled') return member;
    return when === 'status' ? `${member}>` : `${member}=${when.join('|')}`;
  };
  return refusals.map(one).join(' ');
}
