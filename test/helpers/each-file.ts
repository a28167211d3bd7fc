/** Before each test file: many share one thread, so what belongs to a whole process begins anew. */

import fc from 'fast-check';
import { rememberInvocation } from '../../src/invocation.ts';

/** The same worlds in every run, so that a red run is red again; TEST_SEED tries others. */
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 20_261_122) });

rememberInvocation('seller-commerce-mcp');
