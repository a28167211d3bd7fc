/** A desktop pays nothing for the server: what only that loads is one chunk, which no start reads and no desktop bundle holds. */

import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { findDesktopChunks } from '../../scripts/package/desktop-part.ts';
import { LAUNCH } from '../helpers/launch.ts';

/** Words that only its parts have: of jose, of the counters, and our own. */
const OF_SERVER = ['JWSSignatureVerificationFailed', 'collectDefaultMetrics', 'The token has ended.'];

it('keeps the parts of the server in chunks that a desktop does not have', async () => {
  const dist = dirname(LAUNCH.program);
  const desktop = await findDesktopChunks(dist);
  const built = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.mjs'));
  const left = built.filter((name) => !desktop.has(name.replaceAll('\\', '/')));
  expect(left.some((name) => /serve-http-/.test(name))).toBe(true);
  // Everything else is there, whatever is loaded late.
  expect(built.length - left.length).toBeGreaterThan(250);
  const textOf = async (names: readonly string[]) =>
    (await Promise.all(names.map((name) => readFile(join(dist, name), 'utf8')))).join('\n');
  const [withServer, without] = await Promise.all([textOf(left), textOf([...desktop])]);
  for (const word of OF_SERVER)
    expect({ word, server: withServer.includes(word) }).toEqual({ word, server: true });
  for (const word of OF_SERVER) expect(without).not.toContain(word);
});
