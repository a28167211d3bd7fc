import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The machines are small: vitest would leave one of two cores to itself.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 30_000,
    restoreMocks: true,
  },
});
