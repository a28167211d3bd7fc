/** Starts the embedded sandbox of --sandbox, with the cases that the user's definitions declare. */

import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { startSandbox } from '../sandbox/start-sandbox.ts';
import type { Sandbox } from '../sandbox/types.ts';
import { loadDefinitions, openRegistry } from './open-registry.ts';

export async function openSandbox(config: Config, log?: Log): Promise<Sandbox> {
  const files = await loadDefinitions(config, log);
  const { accessTokenHeader } = config;
  if (files.every(({ cases }) => cases.length === 0)) return startSandbox({ accessTokenHeader });
  const { isWorthReplaying, listReplayCases } = await import('../definitions/cases/list-replay-cases.ts');
  const { operations } = await openRegistry(config);
  const listed = listReplayCases(files, operations).filter(isWorthReplaying);
  const replay = listed.map(({ replayed }) => replayed);
  return startSandbox({ accessTokenHeader, replay });
}
