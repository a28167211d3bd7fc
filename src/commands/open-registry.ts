/** Opens the registry of operations, with those that the user's definitions add. */

import type { Config } from '../config.ts';
import { loadRegistry, type Registry } from '../service/registry.ts';

export async function openRegistry(_config: Config): Promise<Registry> {
  return loadRegistry();
}
