/** Runs before each test file under Stryker: gives it its own modules, as in a separate process, and the same values every time. */

import { configureGlobal } from 'fast-check';
import { inject, vi } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set by Stryker: the name under which its counts are kept. */
    globalNamespace: string;
  }
}

// The files of a run share a process, which saves loading the libraries again, but none of our modules.
vi.resetModules();
// Stryker adds up what each file covered: without this, each would also report what the files before it covered.
const counts: unknown = Reflect.get(globalThis, inject('globalNamespace'));
if (typeof counts === 'object' && counts !== null) Reflect.deleteProperty(counts, 'mutantCoverage');

vi.mock('node:worker_threads', async (load) => {
  const real = await load<typeof import('node:worker_threads')>();
  const { workerOrHere } = await import('./worker-here.ts');
  return { ...real, Worker: workerOrHere(real) };
});

// Two runs can be compared; as many worlds as in `npm test`. The first bad value kills a mutant, so the smallest one is
// not needed.
configureGlobal({ seed: 1, numRuns: 25, endOnFailure: true });
