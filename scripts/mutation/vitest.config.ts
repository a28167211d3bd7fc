/** How vitest runs under Stryker: the tests of one folder, in one process, quick ones first. */

import { defineConfig } from 'vitest/config';
import { FOLDER_VARIABLE, findFolder, listLeftOut } from './folders.ts';
import { QuickFirstSequencer } from './sequencer.ts';

export default defineConfig({
  test: {
    include: [...findFolder(process.env[FOLDER_VARIABLE] ?? '').tests],
    // Those of full size take minutes, and are no rules of their own.
    exclude: [...listLeftOut(), '**/*.full.test.ts'],
    setupFiles: ['scripts/mutation/setup.ts'],
    // No test imports what the tables' worker runs: only worker-here.ts leads there, so every test may judge it.
    forceRerunTriggers: ['**/src/data/tables/worker-thread.ts', '**/src/data/tables/worker/**'],
    globalSetup: ['test/helpers/whole-run.ts'],
    isolate: false,
    runner: 'scripts/mutation/quick-first-runner.ts',
    sequence: { sequencer: QuickFirstSequencer },
    // Stryker ends tests that hang; a busy machine must neither stop the first run nor kill a mutant.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    retry: 1,
    restoreMocks: true,
  },
});
