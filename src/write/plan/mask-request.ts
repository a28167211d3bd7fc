/**
 * Renders the request of a write with placeholders for the assistant and the journal: they see placeholders
 * where the user sees the values.
 */

import { isJsonObject, toObject } from '../../base/json.ts';
import { showText } from '../../base/text/escape-text.ts';
import type { PreparedRequest } from '../../call/client-types.ts';
import { createValueHider } from '../../privacy/personal/hide-values.ts';
import type { ReplacedPlaceholder } from '../../privacy/personal/personal-data.ts';
import { containsPlaceholders } from '../../privacy/personal/unmask.ts';
import type { Operation } from '../../service/facts/operation.ts';
import type { ServiceArguments } from './resolve-arguments.ts';

/**
 * Shows the request with the given placeholders and everything else as it is sent. An address with a value in
 * it becomes its path template.
 * @param given the arguments with their placeholders
 */
export function maskRequest(
  request: PreparedRequest,
  operation: Operation,
  { given, replaced }: { given: ServiceArguments; replaced: readonly ReplacedPlaceholder[] },
): PreparedRequest {
  if (replaced.length === 0) return request;
  const hide = createValueHider(replaced);
  return {
    ...request,
    ...(containsPlaceholders(given.parameters) ? { url: `${request.owner.baseUrl}${operation.path}` } : {}),
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(hide(value))]),
    ),
    parameters: toObject(hide(overlay(request.parameters, given.parameters))),
    ...(request.body === undefined ? {} : { body: hide(overlay(request.body, given.body)) }),
  };
}

/** Masks a body that was merged from the arguments and the current state, by the values themselves. */
export function maskMergedRequest(
  request: PreparedRequest,
  operation: Operation,
  replaced: readonly ReplacedPlaceholder[],
): PreparedRequest {
  if (replaced.length === 0) return request;
  const hide = createValueHider(replaced);
  return {
    ...request,
    url: `${request.owner.baseUrl}${operation.path}`,
    parameters: toObject(hide(request.parameters)),
    body: hide(request.body),
  };
}

/** Lays the given placeholders over the sent value; the rest of the sent value stays. */
function overlay(sent: unknown, given: unknown): unknown {
  if (typeof given === 'string') return containsPlaceholders(given) ? given : sent;
  if (Array.isArray(sent) && Array.isArray(given)) return sent.map((item, at) => overlay(item, given[at]));
  if (!isJsonObject(sent) || !isJsonObject(given)) return sent;
  return Object.fromEntries(
    Object.entries(sent).map(([name, member]) => [
      name,
      overlay(member, Object.hasOwn(given, name) ? given[name] : undefined),
    ]),
  );
}

/** The limits on the number and the length of the originals, so that the question stays readable. */
const MAX_LISTED = 20;
const MAX_LISTED_LENGTH = 100;

/** Renders the legend of the question: what each placeholder stands for. */
export function legendOf(replaced: readonly ReplacedPlaceholder[]): string[] {
  if (replaced.length === 0) return [];
  const listed = replaced
    .slice(0, MAX_LISTED)
    .map(({ mark, original }) => `  ${mark} is ${showText(original, MAX_LISTED_LENGTH)}`);
  const rest = replaced.length - listed.length;
  return [
    'Personal data that is sent, and that the assistant sees only as marks:',
    ...listed,
    ...(rest > 0 ? [`  ... and ${rest} more`] : []),
  ];
}
