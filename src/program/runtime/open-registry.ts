/** Opens the registry of operations, including those of the user's definitions. */

import type { Config } from '../../base/config.ts';
import { commandLine } from '../../base/invocation.ts';
import type { Log } from '../../base/log.ts';
import type { CompiledDefinition } from '../../definitions/store/compiled.ts';
import { loadRegistry, type Registry } from '../../service/registry/registry.ts';

/** Opens the registry; a damaged definition is reported and left out. */
export async function openRegistry(config: Config, log?: Log): Promise<Registry> {
  const files = await loadDefinitions(config, log);
  if (files.length === 0) return loadRegistry();
  const { buildUserOperations } = await import('../../definitions/store/user-operations.ts');
  return loadRegistry(buildUserOperations(files));
}

/** Loads the definitions; the code for them is not loaded when the user has none. */
async function loadDefinitions(config: Config, log?: Log): Promise<readonly CompiledDefinition[]> {
  const { findDefinitionsFolder } = await import('../../definitions/store/data-folder.ts');
  const folder = await findDefinitionsFolder(config);
  const { existsSync } = await import('node:fs');
  if (!existsSync(folder)) return [];
  const { createDefinitionStore } = await import('../../definitions/store/store.ts');
  const { files, damaged } = await createDefinitionStore(folder).load();
  for (const { name, reason } of damaged) {
    log?.warn(
      `The definition ${name} is left out: ${reason}. Add it again with \`${commandLine('definitions add')}\`.`,
    );
  }
  return files;
}
