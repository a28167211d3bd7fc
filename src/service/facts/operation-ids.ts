/** Ids of public operations: given once, by the edition that brought the operation, and never changed by a later one. */

import { groupBy } from '../../base/group-by.ts';
import type { Method } from './operation.ts';

/** What an id is made of. */
export interface Named {
  /** Slug of the group. */
  slug: string;
  /** See `DefinitionFile.edition`. */
  edition: number;
  name: string;
  version: string;
  method: Method;
}

/**
 * `<group>/<name>`, with `@<version>` where the group held the name before or holds it twice, and the method where even
 * that is not unique.
 */
export function idsOf(operations: readonly Named[]): string[] {
  const twins = groupBy(operations, bareIdOf);
  return operations.map((one) => idOf(one, twins.get(bareIdOf(one)) ?? []));
}

const bareIdOf = ({ slug, name }: Named) => `${slug}/${name}`;

function idOf(one: Named, twins: readonly Named[]): string {
  const bare = bareIdOf(one);
  const upToNow = twins.filter(({ edition }) => edition <= one.edition);
  if (upToNow.length === 1) return bare;
  const sameVersion = upToNow.filter(({ version }) => version === one.version);
  return sameVersion.length === 1 ? `${bare}@${one.version}` : `${bare}@${one.version}-${one.method}`;
}
