/** How Stryker changes the code bit by bit, to list the changes that no test notices: `npm run mutation -- --mutate src/call/pacing/retry.ts`. */

// `src/call/pacing/*.ts` is judged by the tests in `test/call/pacing`, which Stryker's processes learn from this.
const at = process.argv.indexOf('--mutate');
const mutated = at < 0 ? undefined : process.argv[at + 1];
if (mutated !== undefined) {
  process.env.MUTATION_TESTS ??= mutated.replace(/^src/, 'test').replace(/\/[^/]*$/, '/**/*.test.ts');
}

export default {
  mutate: ['src/**/*.ts', '!src/**/generated/**'],
  mutator: { excludedMutations: ['StringLiteral'] },
  testRunner: 'vitest',
  vitest: { related: true },
  coverageAnalysis: 'perTest',
  // The first run takes longer than Stryker's five minutes on a busy machine.
  dryRunTimeoutMinutes: 20,
  timeoutMS: 20_000,
  concurrency: 2,
  reporters: ['clear-text', 'progress-append-only', 'html'],
  clearTextReporter: { reportTests: false, allowColor: false },
  htmlReporter: { fileName: 'build/mutation.html' },
  tempDirName: 'build/mutation-sandbox',
  // Stryker 9 fails on TypeScript 7's reading of a tsconfig; tests are not type-checked.
  tsconfigFile: 'no-tsconfig.json',
  disableTypeChecks: false,
  ignorePatterns: ['/docs', '/assets', '/build'],
};
