/** The request of a write in which marks were used, as the assistant sees it and the journal keeps it: the marks, where the person sees the values. */

import { isJsonObject, toObject } from '../../base/json.ts';
import { showText } from '../../base/text/escape-text.ts';
import type { PreparedRequest } from '../../call/client-types.ts';
import { hider } from '../../privacy/personal/hide-values.ts';
import type { Replaced } from '../../privacy/personal/personal-data.ts';
import { holdsMarks } from '../../privacy/personal/resolve.ts';
import type { Operation } from '../../service/facts/operation.ts';
import type { ServiceArguments } from './resolve-arguments.ts';

/**
 * The request as it was asked for, everything else of it as it is sent; an address with a value in it by its placeholders.
 * @param given as they came, with their marks
 */
export function showRequest(
  request: PreparedRequest,
  operation: Operation,
  { given, replaced }: { given: ServiceArguments; replaced: readonly Replaced[] },
): PreparedRequest {
  if (replaced.length === 0) return request;
  const hide = hider(replaced);
  return {
    ...request,
    ...(holdsMarks(given.parameters) ? { url: `${request.owner.baseUrl}${operation.path}` } : {}),
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(hide(value))]),
    ),
    parameters: toObject(hide(overlay(request.parameters, given.parameters))),
    ...(request.body === undefined ? {} : { body: hide(overlay(request.body, given.body)) }),
  };
}

/** The same for a body that was merged from the arguments and what was there: by the values themselves. */
export function showMerged(
  request: PreparedRequest,
  operation: Operation,
  replaced: readonly Replaced[],
): PreparedRequest {
  if (replaced.length === 0) return request;
  const hide = hider(replaced);
  return {
    ...request,
    url: `${request.owner.baseUrl}${operation.path}`,
    parameters: toObject(hide(request.parameters)),
    body: hide(request.body),
  };
}

/** Where a mark was given, the mark: what was made of the rest of the arguments stays. */
function overlay(sent: unknown, given: unknown): unknown {
  if (typeof given === 'string') return holdsMarks(given) ? given : sent;
  if (Array.isArray(sent) && Array.isArray(given)) return sent.map((item, at) => overlay(item, given[at]));
  if (!isJsonObject(sent) || !isJsonObject(given)) return sent;
  return Object.fromEntries(
    Object.entries(sent).map(([name, member]) => [
      name,
      overlay(member, Object.hasOwn(given, name) ? given[name] : undefined),
    ]),
  );
}

/** How many are told, and how long each, so that the question stays one that a person reads. */
const MOST_TOLD = 20;
const LONGEST_TOLD = 100;

/** For the question to the person: what the assistant saw instead. */
export function legendOf(replaced: readonly Replaced[]): string[] {
  if (replaced.length === 0) return [];
  const told = replaced
    .slice(0, MOST_TOLD)
    .map(({ mark, original }) => `  ${mark} is ${showText(original, LONGEST_TOLD)}`);
  const rest = replaced.length - told.length;
  return [
    'Personal data that is sent, and that the assistant sees only as marks:',
    ...told,
    ...(rest > 0 ? [`  ... and ${rest} more`] : []),
  ];
}
