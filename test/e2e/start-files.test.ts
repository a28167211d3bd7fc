/** How much of the program a start reads: what is loaded before tools/list is waited for by every host at every start. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countLoaded } from '../../scripts/bench/loaded-files.ts';
import { homeEnvironment } from '../helpers/outside-service.ts';
import { startRawServer } from '../helpers/raw-server.ts';

/** The command line, the start, zod and the SDK as it is, in the chunks that the bundler makes. Of the bytes 30,000 are the list of tools. */
const MAX_FILES = 28;
const MAX_BYTES = 415_000;

it('reads few files, and few bytes, before tools/list is answered', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'seller-start-files-'));
  const coverage = join(folder, 'coverage');
  const server = startRawServer([], { ...homeEnvironment(folder), NODE_V8_COVERAGE: coverage });
  await server.initialize();
  await server.request('tools/list');
  await server.stop();
  const { files, bytes } = await countLoaded(coverage);
  await rm(folder, { recursive: true, force: true });
  // The lower bound shows that the files were counted at all.
  expect(bytes).toBeGreaterThan(MAX_BYTES / 2);
  expect(files).toBeLessThanOrEqual(MAX_FILES);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
});
