/** Starts the system's Chromium, headless and quiet, for the browser tests and the images in docs/images. */

import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const paths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of the installed browser, undefined when there is none. */
export function findChromium(): string | undefined {
  return paths.find((place) => existsSync(place));
}

/** @throws Error when no Chromium is installed. `args` are added to the flags that keep it off the network. */
export function launchChromium(...args: string[]): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(`No Chromium at ${paths.join(', ')}`);
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      ...quiet,
      ...args,
    ],
  });
}
