/** Stryker's options: which files, which tests, where its own files go. */

import type { Stryker } from '@stryker-mutator/core';

type Options = ConstructorParameters<typeof Stryker>[0];

/** Anything that takes longer gets a second look, so this need not be exact on a busy machine. */
const SHORT = { timeoutFactor: 1.5, timeoutMS: 3000 };
const LONG = { timeoutFactor: 2, timeoutMS: 20_000 };

interface Run {
  name: string;
  mutate: readonly string[];
  reportFile: string;
  /** Results of the same run that need not be repeated; the others get more time. */
  certainFile?: string;
  /** Only the mutants that sample.ts lets through. */
  isSample: boolean;
}

export function buildOptions({ name, mutate, reportFile, certainFile, isSample }: Run): Options {
  return {
    mutate: [...mutate, '!src/**/generated/**'],
    mutator: { excludedMutations: ['StringLiteral'] },
    plugins: ['@stryker-mutator/vitest-runner', ...(isSample ? ['./scripts/mutation/sample.ts'] : [])],
    // Stryker's other processes warn that they cannot load it, and need not.
    checkers: isSample ? ['sample'] : [],
    checkerNodeArgs: ['--import', 'tsx'],
    testRunner: 'vitest',
    // Tests that import none of these files are not run: faster for few files, and for code that runs at import.
    vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: true },
    coverageAnalysis: 'perTest',
    // The first run of all tests of a wing takes longer than Stryker's five minutes on a busy machine.
    dryRunTimeoutMinutes: 20,
    concurrency: 2,
    ...(certainFile === undefined ? SHORT : { ...LONG, incremental: true, incrementalFile: certainFile }),
    reporters: ['json', process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    jsonReporter: { fileName: reportFile },
    // Two folders may run in parallel.
    tempDirName: `build/mutation/sandbox-${name}`,
    // Tests are not type-checked, and Stryker 9 fails on TypeScript 7's reading of a tsconfig.
    tsconfigFile: 'no-tsconfig.json',
    disableTypeChecks: false,
    // Files that no test of a folder reads need not be copied; that dist/ is there is asked for by some.
    ignorePatterns: ['/docs', '/assets', '/build', '/coverage'],
    allowConsoleColors: false,
  };
}
