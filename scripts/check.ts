/** `npm run check`: what can be said of a change in under a minute, without its tests. */

import { runSteps } from './check/run-steps.ts';
import { STEPS } from './check/steps.ts';

process.exitCode = await runSteps(STEPS.filter(({ quick }) => quick === true));
