/** Declared cases as the sandbox replays them, each with the operation that a caller names for it. */

import { endpointOf } from '../../service/facts/merge.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { placeholdersOf } from '../../service/facts/path-template.ts';
import type { Compiled } from '../store/compiled.ts';
import type { DeclaredCase } from './declared-case.ts';
import { toWire } from './wire-values.ts';

interface Request {
  path: Record<string, string>;
  query: Record<string, string | string[]>;
  header: Record<string, string>;
  body?: unknown;
}

/**
 * Fits `ReplayCase` of the sandbox, which this folder does not import.
 * @param operation the one that is called: its path template and tokens count, not those of a user's file alone.
 */
export function toReplayCase(id: string, declared: DeclaredCase, operation: Operation) {
  const { idempotencyKey: key } = operation;
  const request: Request = { path: {}, query: {}, header: {} };
  for (const parameter of operation.parameters) {
    if (!Object.hasOwn(declared.parameters, parameter.name)) continue;
    const texts = toWire(parameter, declared.parameters[parameter.name]);
    const [text = ''] = texts;
    if (parameter.in !== 'query') request[parameter.in][parameter.name] = text;
    else if (texts.length > 0) request.query[parameter.name] = texts.length === 1 ? text : texts;
  }
  return {
    id,
    operationId: operation.name,
    method: operation.method,
    pathTemplate: operation.path,
    request: declared.body === undefined ? request : { ...request, body: declared.body },
    response: declared.response,
    mayAdd: key?.in === 'body' ? [key.name] : [],
    auth: operation.auth.kind,
  };
}

export interface ListedCase {
  /** Name of the added file. */
  file: string;
  operation: Operation;
  /** With path parameters under the operation's own names. */
  declared: DeclaredCase;
  replayed: ReturnType<typeof toReplayCase>;
}

/** @param operations those of the registry, the user's among them. */
export function listReplayCases(files: readonly Compiled[], operations: readonly Operation[]): ListedCase[] {
  const byEndpoint = new Map(operations.map((operation) => [endpointOf(operation), operation]));
  return files.flatMap((file) =>
    file.cases.flatMap((declared): ListedCase[] => {
      const draft = file.operations[declared.operation];
      const operation = draft && byEndpoint.get(endpointOf(draft));
      if (draft === undefined || operation === undefined) return [];
      const named = { ...declared, parameters: renamePath(declared.parameters, draft.path, operation.path) };
      const id = `${file.name}: ${declared.id}`;
      return [{ file: file.name, operation, declared: named, replayed: toReplayCase(id, named, operation) }];
    }),
  );
}

/**
 * False for a declared error about something missing: it would answer every request that no other case fits, with a
 * reproach that does not apply, and the request that it means is never sent.
 */
export function isWorthReplaying({ operation, declared }: ListedCase): boolean {
  if (declared.response.status < 400 || declared.kind === 'example') return true;
  const isGiven = ({ name, required }: Operation['parameters'][number]) =>
    !required || Object.hasOwn(declared.parameters, name);
  return (
    operation.parameters.every(isGiven) && (operation.body?.required !== true || declared.body !== undefined)
  );
}

/** A user's file may call a placeholder otherwise than the built-in operation does. */
function renamePath(
  parameters: DeclaredCase['parameters'],
  from: string,
  to: string,
): DeclaredCase['parameters'] {
  if (from === to) return parameters;
  const [mine, theirs] = [placeholdersOf(from), placeholdersOf(to)];
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [theirs[mine.indexOf(name)] ?? name, value]),
  );
}
