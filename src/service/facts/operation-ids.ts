/** Ids of public operations: given once, by the edition that brought the operation, and never changed by a later one. */

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
  const twins = new Map<string, Named[]>();
  for (const one of operations) {
    const bare = `${one.slug}/${one.name}`;
    const same = twins.get(bare);
    if (same === undefined) twins.set(bare, [one]);
    else same.push(one);
  }
  return operations.map((one) => idOf(one, twins.get(`${one.slug}/${one.name}`) ?? []));
}

function idOf(one: Named, twins: readonly Named[]): string {
  const bare = `${one.slug}/${one.name}`;
  const upToNow = twins.filter(({ edition }) => edition <= one.edition);
  if (upToNow.length === 1) return bare;
  const sameVersion = upToNow.filter(({ version }) => version === one.version);
  return sameVersion.length === 1 ? `${bare}@${one.version}` : `${bare}@${one.version}-${one.method}`;
}
