/** Before each test file under Stryker: its own modules, as in a process of its own, and the same values every time. */

import { configureGlobal } from 'fast-check';
import { inject, vi } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Given by Stryker: the name under which its counts are kept. */
    globalNamespace: string;
  }
}

// The files of a run share a process, which saves loading the libraries again, but no module of ours.
vi.resetModules();
// Stryker adds up what each file covered: without this, each would tell what those before it covered as well.
const counts: unknown = Reflect.get(globalThis, inject('globalNamespace'));
if (typeof counts === 'object' && counts !== null) Reflect.deleteProperty(counts, 'mutantCoverage');

// Two runs can be compared; the first bad value kills a mutant, the smallest one is of no use.
configureGlobal({ seed: 1, endOnFailure: true });
