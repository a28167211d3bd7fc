/** Replaces what opens the user's browser: it records the spawned program's addresses, and the test opens them. */

import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, vi } from 'vitest';

/** @param folder of the test's own */
export async function noteBrowser(folder: string) {
  const [bin, noted] = [join(folder, 'bin'), join(folder, 'opened')];
  await mkdir(bin, { recursive: true });
  const program = join(bin, 'xdg-open');
  await writeFile(program, `#!/bin/sh\nenv > '${noted}.env'\nprintf '%s\\n' "$1" >> '${noted}'\n`);
  await chmod(program, 0o755);
  const opened = async () =>
    (await readFile(noted, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  return {
    /** The search path for the environment of the program. */
    path: `${bin}${delimiter}${process.env.PATH ?? ''}`,
    opened,
    /** Returns what the browser got of the program's environment, once an address is there. */
    environment: () => readFile(`${noted}.env`, 'utf8'),
    /** The address number so many, once it is there: of a file that leads to the page. */
    async address(number = 1): Promise<string> {
      // No `expect.poll`, which tests that run side by side cannot share.
      await vi.waitFor(async () => expect((await opened()).length).toBeGreaterThanOrEqual(number), 40_000);
      return (await opened())[number - 1] ?? '';
    },
    /** Returns where the file of the address leads. */
    async target(number = 1): Promise<string> {
      const page = await readFile(new URL(await this.address(number)), 'utf8');
      return /url=([^"]+)/.exec(page)?.[1] ?? '';
    },
  };
}
