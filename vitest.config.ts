import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { RunReporter } from './test/helpers/run-reporter.ts';

/** Seconds long, of the size of the attack they stand for, or slow by design: only `npm run test:all` runs them. */
const FULL = 'test/**/*.full.test.ts';

/** These change what a module or the process is for as long as they run, so nothing may share a process with them. */
const ALONE = [
  'test/call/request/fits-plainly.test.ts',
  'test/store/files/other-systems.test.ts',
  'test/program/hosts/config-file.test.ts',
  'test/program/hosts/lock.test.ts',
  'test/write/records/journal/journal-file.test.ts',
  'test/write/worlds/worlds.test.ts',
];

/** A store that does not answer within a quarter of a second counts as away, so nothing else runs beside these. */
const STORE = [
  'test/call/pacing/shared-limiter.test.ts',
  'test/call/tokens/tokens-of-replicas.test.ts',
  'test/e2e/agency-example.test.ts',
  'test/e2e/replicas.test.ts',
  'test/program/people/replicas-of-people.test.ts',
  'test/replicas/shared-store.test.ts',
  'test/write/approval/shared-codes.test.ts',
  'test/write/approval/shared-approvals.test.ts',
  'test/write/records/writes-of-replicas.test.ts',
  'test/write/run/batches/batch-table.test.ts',
  'test/write/run/batches/failover.test.ts',
  'test/write/run/batches/processes.test.ts',
  'test/write/run/batches/store-killed.full.test.ts',
];

/**
 * Node reads these files itself, since nothing in them is replaced: it strips the types in a fraction of the time that
 * a transformation takes. One thread loads the program once.
 */
const NATIVE = {
  isolate: false,
  pool: 'threads' as const,
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: ['--import', './test/helpers/json-imports.ts'],
};

/** Files that the gate and the matrix run elsewhere, or not at all: projects do not hear of `--exclude`. */
const LEFT_OUT = process.env.TEST_LEAVE_OUT?.split(',') ?? [];

/** `npm test`: many files share a thread, which has loaded the program once. `--mode all`: everything, and spawned. */
export default defineConfig(({ mode }) => {
  const isAll = mode === 'all';
  const common = {
    // Only for what hangs: no test is right or wrong by its time, and other work may take the processors.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubEnvs: true,
    setupFiles: ['test/helpers/each-file.ts'],
    globalSetup: ['test/helpers/whole-run.ts'],
    env: isAll ? { TEST_ALL: '1' } : {},
  };
  // Under Stryker: the tests of one folder, each file with modules of its own, since a change may act while one loads.
  const mutated = process.env.MUTATION_TESTS;
  if (mutated !== undefined) return { test: { ...common, include: [mutated], exclude: [FULL] } };
  const leftOut = [...LEFT_OUT, ...(isAll ? [] : [FULL])];
  return {
    test: {
      // Most of their time they wait, for sockets, limits and processes.
      maxWorkers: 2 * availableParallelism(),
      reporters: ['default', new RunReporter()],
      projects: [
        {
          test: {
            ...common,
            name: 'together',
            include: ['test/**/*.test.ts'],
            exclude: [...leftOut, ...ALONE, ...STORE],
            ...NATIVE,
          },
        },
        { test: { ...common, name: 'alone', include: ALONE, exclude: leftOut } },
        {
          test: {
            ...common,
            name: 'store',
            include: STORE,
            exclude: leftOut,
            ...NATIVE,
            maxWorkers: 1,
            sequence: { groupOrder: 1 },
          },
        },
      ],
    },
  };
});
