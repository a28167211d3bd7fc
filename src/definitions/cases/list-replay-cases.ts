/** All cases of the added files, each with the operation that a caller would name for it. */

import { endpointOf } from '../../service/facts/merge.ts';
import type { Operation } from '../../service/facts/operation.ts';
import type { Compiled } from '../store/compiled.ts';
import type { DeclaredCase } from './declared-case.ts';
import { type CaseToReplay, toReplayCase } from './replay-cases.ts';

export interface ListedCase {
  /** Name of the added file. */
  file: string;
  operation: Operation;
  /** With path parameters under the operation's own names. */
  declared: DeclaredCase;
  replayed: CaseToReplay;
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

function placeholdersOf(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
}
