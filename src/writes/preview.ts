/** What a person reads before a write: the request, what it changes, and what is probably wrong with it. */

import type { PreparedRequest } from '../client/client.ts';
import type { Operation } from '../service/operation.ts';
import { describeDifferences, describeValue, type Show } from './describe-difference.ts';
import type { Difference } from './difference.ts';
import type { Warning } from './warnings.ts';

export interface PreviewParts {
  operation: Operation;
  account: string;
  request: PreparedRequest;
  /** Against the current state; undefined where it could not be read, or there is none to read. */
  differences?: readonly Difference[];
  /** Why there are no differences to show, where a reader would expect them. */
  noDifferences?: string;
  warnings: readonly Warning[];
}

/** @param show makes foreign text safe for where the preview is shown. */
export function describePreview(parts: PreviewParts, show: Show): string {
  const { operation, account, request } = parts;
  const effect = operation.effect === 'delete' ? 'Delete' : 'Write';
  return [
    `${effect}: ${operation.name}, account ${account}`,
    ...changeLines(parts, show),
    ...warningLines(parts.warnings, show),
    ...filledInLines(request, show),
    // Our own address, percent-encoded: nothing in it needs delimiting.
    `Request: ${request.method} ${request.url}`,
  ].join('\n');
}

function filledInLines({ filledIn }: PreparedRequest, show: Show): string[] {
  const filled = Object.entries(filledIn).map(([name, value]) => `${name} = ${show(value)}`);
  return filled.length === 0 ? [] : [`Taken from the account: ${filled.join(', ')}`];
}

function changeLines({ differences, noDifferences, request }: PreviewParts, show: Show): string[] {
  if (differences?.length === 0) return ['Changes: none; the current state is already like this.'];
  if (differences !== undefined) {
    return [
      `Changes (${differences.length}), current state -> after the write:`,
      indent(describeDifferences(differences, show)),
    ];
  }
  const reason = noDifferences === undefined ? [] : [`The changes cannot be shown: ${noDifferences}`];
  return request.body === undefined ? reason : [...reason, `Body: ${describeValue(request.body, [], show)}`];
}

function warningLines(warnings: readonly Warning[], show: Show): string[] {
  if (warnings.length === 0) return [];
  return [
    'Probably wrong, though it can be sent:',
    ...warnings.map(({ path, message }) => `  ${path}: ${show(message)}`),
  ];
}

const indent = (text: string) => text.replace(/^/gm, '  ');
