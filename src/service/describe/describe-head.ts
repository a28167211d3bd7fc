/** The lines of a description that stand before parameters and body: endpoint, limits, token, source. */

import { escapeInJson } from '../../text/escape-text.ts';
import { quoteName } from '../../text/quote-name.ts';
import { documentEntries } from '../document/document-groups.ts';
import { catalogItemV0, supplySourceWrite } from '../facts/documented-operations.ts';
import { membersAdded } from '../facts/merge.ts';
import type { Operation } from '../facts/operation.ts';
import { maskedOnly, personalDataElements } from '../facts/restricted.ts';

/** The tool of this server that calls the operation. */
export function toolOf(operation: Operation): 'read_operation' | 'write_operation' {
  return operation.effect === 'read' ? 'read_operation' : 'write_operation';
}

export function describeHead(operation: Operation): string[] {
  const { id, method, path, version, effect, withdrawn, rate, idempotencyKey } = operation;
  return [
    `${method} ${path}`,
    `${id} · ${groupOf(operation)}${version === undefined ? '' : ` · version ${quoteName(version)}`} · effect ${effect}${effect === 'request' ? ' (changes nothing, sent at once)' : ''} · call it with ${toolOf(operation)}`,
    ...(operation.previewMode === undefined
      ? []
      : [
          `With ${operation.previewMode.parameter}=${operation.previewMode.value} it is only checked: sent at once, nothing changes`,
        ]),
    ...(withdrawn === undefined ? [] : [`Withdrawn: ${withdrawn}`]),
    ...(operation.deprecated === true
      ? [`Deprecated, says ${whoDeprecates(operation)}${successorText(operation)}`]
      : []),
    ...(operation.sandboxOnly === true ? ["Answers only in the service's sandbox"] : []),
    rate === undefined
      ? 'Limit: not known'
      : `Limit: ${rate.requestsPerSecond} requests per second${rate.burst === undefined ? '' : `, burst ${rate.burst}`} (default)`,
    `Token: ${tokenOf(operation)}`,
    ...(idempotencyKey === undefined
      ? []
      : [
          `Idempotency key: ${idempotencyKey.in} ${quoteName(idempotencyKey.name)}, made by this server when left out`,
        ]),
    ...sourceLines(operation),
  ];
}

/** The title of a user's file, which may say anything, in quotes. */
function groupOf({ source, group }: Operation): string {
  return source === 'user' ? escapeInJson(JSON.stringify(group)) : group;
}

function successorText({ successor, withdrawn }: Operation): string {
  return successor === undefined || withdrawn !== undefined ? '' : `; use ${successor} instead`;
}

function whoDeprecates(operation: Operation): string {
  const byDocument = documentEntries().some(
    ({ group, name, deprecated }) => deprecated && group.name === operation.group && name === operation.name,
  );
  return byDocument ? 'the interface document' : 'the definition';
}

function tokenOf(operation: Operation): string {
  const { auth } = operation;
  if (auth.kind === 'grantless') return `grantless, of the application itself, scope ${auth.scope}`;
  if (auth.kind === 'restricted')
    return `a restricted data token, which the server gets ${whenBought(operation)}`;
  const elements = personalDataElements[operation.id];
  if (elements === undefined) return "the seller's access token";
  const which = elements.length === 0 ? '' : ` (${elements.join(', ')})`;
  return `the seller's access token; personal data${which} needs a restricted data token`;
}

function whenBought({ id }: Operation): string {
  const isMaskedOnly = maskedOnly.some(({ operation, element }) => operation === id && element === undefined);
  return isMaskedOnly
    ? 'with --personal-data=show alone: all that it returns is masked otherwise'
    : 'by itself';
}

function sourceLines(operation: Operation): string[] {
  const document = [catalogItemV0, supplySourceWrite()].find(({ id }) => id === operation.id);
  if (document === undefined || operation.source === 'document')
    return [`Source: ${sources[operation.source]}`];
  const added = membersAdded(document, operation);
  return [
    'Source: the interface document; required members, bounds and value sets are from the public definitions',
    ...(added.length === 0 ? [] : [`Not in the document, but in the definitions: ${added.join(', ')}`]),
  ];
}

const sources: Readonly<Record<Operation['source'], string>> = {
  document: 'the interface document',
  both: 'named in the interface document; these facts are from the public definitions',
  definitions: 'public definitions only; not in the interface document',
  user: 'a definition that you added',
};
