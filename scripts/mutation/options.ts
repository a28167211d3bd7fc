/** What Stryker is told: which files, which tests, where its own files go. */

import type { Stryker } from '@stryker-mutator/core';

type Options = ConstructorParameters<typeof Stryker>[0];

/** What takes longer gets a second look, so that this need not be right on a busy machine. */
const SHORT = { timeoutFactor: 1.5, timeoutMS: 3000 };
const LONG = { timeoutFactor: 2, timeoutMS: 20_000 };

interface Run {
  name: string;
  mutate: readonly string[];
  reportFile: string;
  /** Results of the same run that are not to be found again; the others get more time. */
  certainFile?: string;
}

export function buildOptions({ name, mutate, reportFile, certainFile }: Run): Options {
  return {
    mutate: [...mutate, '!src/**/generated/**'],
    mutator: { excludedMutations: ['StringLiteral'] },
    plugins: ['@stryker-mutator/vitest-runner'],
    testRunner: 'vitest',
    // Tests that import none of the files at hand are not run: quicker for few files, and for what is run at import.
    vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: true },
    coverageAnalysis: 'perTest',
    concurrency: 2,
    ...(certainFile === undefined ? SHORT : { ...LONG, incremental: true, incrementalFile: certainFile }),
    reporters: ['json', process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    jsonReporter: { fileName: reportFile },
    // Two rooms may run side by side.
    tempDirName: `build/mutation/sandbox-${name}`,
    // Tests are not type-checked, and Stryker 9 stumbles over what TypeScript 7 makes of a tsconfig.
    tsconfigFile: 'no-tsconfig.json',
    disableTypeChecks: false,
    // What no test of a room reads need not be copied.
    ignorePatterns: ['/docs', '/assets', '/dist', '/build', '/coverage'],
    allowConsoleColors: false,
  };
}
