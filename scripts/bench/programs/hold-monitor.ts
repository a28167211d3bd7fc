/** Loaded into a measured program: at exit, writes the longest block of its event loop since SIGUSR2, in ms, to HOLD_FILE. */

import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const monitor = monitorEventLoopDelay({ resolution: 5 });
monitor.enable();
process.on('SIGUSR2', () => monitor.reset());
process.on('exit', () => writeFileSync(process.env.HOLD_FILE ?? '', String(monitor.max / 1e6)));
