/** Opens an address of ours in the person's browser. */

import { once } from 'node:events';
import { ConfigError } from '../base/errors.ts';

/** What starts a browser says within this time that there is none. */
const FAILS_WITHIN_MS = 2_000;

/** @throws ConfigError where there is none, or it cannot be started */
export async function open(url: string): Promise<void> {
  const { default: start } = await import('open');
  try {
    const opening = await start(url);
    if (opening.exitCode === null)
      await once(opening, 'exit', { signal: AbortSignal.timeout(FAILS_WITHIN_MS) }).catch(() => undefined);
    const { exitCode } = opening;
    if (exitCode !== null && exitCode !== 0) throw new Error(`what opens addresses ended with ${exitCode}`);
  } catch (error) {
    // The address stands in what a system says of a command that failed.
    const why =
      error instanceof Error && !error.message.includes(url) ? error.message : 'it cannot be started';
    throw new ConfigError(`No browser was opened: ${why}.`);
  }
}
