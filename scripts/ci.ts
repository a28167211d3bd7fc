/** The gate, started by `.ci/run`: every step; ends with `N passed, N failed, N skipped` for all that ran. */

import { runSteps } from './check/run-steps.ts';
import { STEPS } from './check/steps.ts';

process.exitCode = await runSteps(STEPS);
