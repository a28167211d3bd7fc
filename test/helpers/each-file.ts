/** Before each test file: many share one thread, so what belongs to a whole process begins anew. */

import { rememberInvocation } from '../../src/invocation.ts';

rememberInvocation('seller-commerce-mcp');
