/** Method and path of every built-in operation, to tell which of a user's operations are new. */

import { endpointOf } from '../../service/facts/merge.ts';
import { loadRegistry } from '../../service/registry/registry.ts';

export async function endpointsOf(): Promise<ReadonlySet<string>> {
  const { operations } = await loadRegistry();
  return new Set(operations.map(endpointOf));
}
