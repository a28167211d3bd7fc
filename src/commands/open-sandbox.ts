/** Starts the embedded sandbox of --sandbox, with the cases that the user's definitions declare. */

import type { Config } from '../config.ts';
import { startSandbox } from '../sandbox/start-sandbox.ts';
import type { Sandbox } from '../sandbox/types.ts';

export async function openSandbox(config: Config): Promise<Sandbox> {
  return startSandbox({ accessTokenHeader: config.accessTokenHeader });
}
