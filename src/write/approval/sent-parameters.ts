/** Describes every parameter that a write sends, each with its name and location on a line of its own. */

import { isJsonObject } from '../../base/json.ts';
import { formatPath } from '../../base/json-difference.ts';
import { showText } from '../../base/text/escape-text.ts';
import type { PreparedRequest } from '../../call/client-types.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { own } from '../../service/facts/schema-parts.ts';
import { describeMember, lineOf, wrapLine } from '../model/format/describe-difference.ts';
import type { TextLine } from '../model/format/fit-lines.ts';
import { isSellerKnown } from '../model/format/seller-lines.ts';

interface SentCall {
  operation: Operation;
  parameters: Readonly<Record<string, unknown>>;
  request: Pick<PreparedRequest, 'filledIn' | 'headers' | 'body' | 'owner'>;
  /** The names of parameters that are shown elsewhere. */
  told?: readonly string[];
}

/** Lists path, query and header parameters, other headers, and the idempotency key. */
export function parameterLines(sent: SentCall): TextLine[] {
  const { operation, parameters, request, told = [] } = sent;
  const named = operation.parameters.flatMap(({ name, in: place }) => {
    const given = own(parameters, name);
    const value = given ?? own(request.filledIn, name);
    const isElsewhere = told.includes(name) && !(name === 'sellerId' && isOther(value, request.owner));
    if (isElsewhere) return [];
    if (value === undefined || value === null) return [];
    const line = describeMember(`${place} ${formatPath([name], showText)}`, value, [name]);
    return [given === undefined ? wrapLine(line, '', ' (from the account)') : line];
  });
  return [...named, ...otherHeaders(sent), ...keyLine(sent)];
}

/** Returns true for another seller than the one that the question names. */
function isOther(sellerId: unknown, owner: PreparedRequest['owner']): boolean {
  return !isSellerKnown(owner) || sellerId !== owner.sellerId;
}

function otherHeaders({ operation, request }: SentCall): TextLine[] {
  const known = new Set(operation.parameters.map(({ name }) => name.toLowerCase()));
  return Object.entries(request.headers)
    .filter(([name, value]) => !known.has(name) && !(name === 'content-type' && value === 'application/json'))
    .map(([name, value]) => describeMember(`header ${formatPath([name], showText)}`, value, [name]));
}

function keyLine({ operation, parameters, request }: SentCall): TextLine[] {
  const where = operation.idempotencyKey;
  if (where === undefined) return [];
  const holder = where.in === 'header' ? parameters : request.body;
  if (!isJsonObject(holder) || (own(holder, where.name) ?? undefined) !== undefined) return [];
  return [
    lineOf(() => `${where.in} ${formatPath([where.name], showText)}: a new key, made when it is sent`, 1),
  ];
}
