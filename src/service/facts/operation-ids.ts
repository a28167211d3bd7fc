/**
 * Assigns IDs of public operations. The edition that adds an operation defines its ID, which never changes
 * later.
 */

import { groupBy } from '../../base/group-by.ts';
import type { Method } from './operation.ts';

/** The parts of an ID. */
export interface IdParts {
  /** The slug of the group. */
  slug: string;
  /** The edition, as in `DefinitionFile.edition`. */
  edition: number;
  name: string;
  version: string;
  method: Method;
}

/**
 * Returns `<group>/<name>`, with `@<version>` if the group had the name before or has it twice, and the
 * method if even that is not unique.
 */
export function idsOf(operations: readonly IdParts[]): string[] {
  const twins = groupBy(operations, bareIdOf);
  return operations.map((one) => idOf(one, twins.get(bareIdOf(one)) ?? []));
}

const bareIdOf = ({ slug, name }: IdParts) => `${slug}/${name}`;

function idOf(one: IdParts, twins: readonly IdParts[]): string {
  const bare = bareIdOf(one);
  const upToNow = twins.filter(({ edition }) => edition <= one.edition);
  if (upToNow.length === 1) return bare;
  const sameVersion = upToNow.filter(({ version }) => version === one.version);
  return sameVersion.length === 1 ? `${bare}@${one.version}` : `${bare}@${one.version}-${one.method}`;
}
