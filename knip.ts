/** What `npm run unused` looks at. */

import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  // Marked with !: the program and the scripts that people run. Anything that only tests use counts as unused.
  entry: [
    'src/main.ts!',
    'scripts/*.ts!',
    // The bundle of what a page shows.
    'views/main.tsx!',
    // Bundles of their own, started as worker threads.
    'src/data/tables/worker/entry.ts!',
    'src/write/handlers/document/content/content-worker.ts!',
    // Built and started as programs of their own, or put in another module's place by the bundler.
    'scripts/bench/programs/*.ts!',
    'scripts/bundle/{pg-parts,sdk-shims}.ts!',
    'test/helpers/{batches-process,calling-process,files-process,frozen-process,json-imports,keychain-child-entry,reading-process,rotating-process,tables-process,world-process}.ts',
  ],
  project: [
    'src/**/*.ts!',
    'sandbox/**/*.ts!',
    'tools/**/*.ts!',
    'scripts/**/*.ts!',
    'views/**/*.{ts,tsx}!',
    'test/**/*.ts',
  ],
  // Exported for a test, and used in its own file: not dead. What nobody imports, a test neither, needs no export.
  ignoreExportsUsedInFile: process.argv.includes('--production'),
  // Loaded with require, since its types are full of any.
  ignoreDependencies: ['selfsigned'],
  ignoreBinaries: ['caddy', 'haproxy', 'mkfifo', 'unshare'],
};

export default config;
