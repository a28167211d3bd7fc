/** All cases of the added files, each with the operation that a caller would name for it. */

import { endpointOf } from '../service/merge.ts';
import type { Operation } from '../service/operation.ts';
import type { Compiled } from './compiled.ts';
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
