/** Starts the embedded sandbox of --sandbox, with the cases that the user's definitions declare. */

import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { startSandbox } from '../sandbox/start-sandbox.ts';
import type { Sandbox } from '../sandbox/types.ts';
import { loadDefinitions } from './open-registry.ts';

export async function openSandbox(config: Config, log?: Log): Promise<Sandbox> {
  const files = await loadDefinitions(config, log);
  const { accessTokenHeader } = config;
  if (files.every(({ cases }) => cases.length === 0)) return startSandbox({ accessTokenHeader });
  const [{ listReplayCases }, { openRegistry }] = await Promise.all([
    import('../definitions/list-replay-cases.ts'),
    import('./open-registry.ts'),
  ]);
  const { operations } = await openRegistry(config);
  const replay = listReplayCases(files, operations).map(({ replayed }) => replayed);
  return startSandbox({ accessTokenHeader, replay });
}
