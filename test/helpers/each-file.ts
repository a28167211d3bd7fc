/** Before each test file: many share one thread, so what belongs to a whole process begins anew. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { inject } from 'vitest';
import { rememberInvocation } from '../../src/base/invocation.ts';

/**
 * The same worlds in every run, so that a red run is red again; TEST_SEED tries others. Where a property says nothing
 * of it, 25 of them in `npm test` and 100 in `npm run test:all`. (No import of `launch.ts`: it wants a build.)
 */
fc.configureGlobal({
  seed: Number(process.env.TEST_SEED ?? 20_261_122),
  numRuns: process.env.TEST_ALL === undefined ? 25 : 100,
});

rememberInvocation('seller-commerce-mcp');

const own = join(inject('scratch'), randomUUID());
process.env.XDG_STATE_HOME = join(own, 'state');
process.env.XDG_DATA_HOME = join(own, 'share');
// One for all programs that tests start, since each would compile the same code in a home of its own.
process.env.NODE_COMPILE_CACHE = join(inject('scratch'), 'compiled');
