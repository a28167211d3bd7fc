/** Runs a file's tests under Stryker: timed in the run without mutants, then quick ones first. A file that no longer loads is an error. */

import { type RunnerTask, type RunnerTestFile, TestRunner } from 'vitest';
import { readDurations, writeDurations } from './durations.ts';

/** vitest requires a default export. */
export default class QuickFirstRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    for (const { tasks, filepath, result } of files) {
      // Stryker counts failed tests, and a file that threw while it was read has none.
      if (result?.state === 'fail') throw new Error(`${filepath} could not be read`);
      sortTasks(tasks, readDurations(filepath));
    }
  }

  override onAfterRunFiles(files: RunnerTestFile[] = []): void {
    super.onAfterRunFiles();
    if (this.injectValue('mode') !== 'dry-run') return;
    for (const file of files) writeDurations(file.filepath, Object.fromEntries(timesOf(file)));
  }
}

function timesOf(task: RunnerTask): [string, number][] {
  const own: [string, number] = [task.id, task.result?.duration ?? 0];
  return task.type === 'test' ? [own] : task.tasks.flatMap(timesOf);
}

/** A suite stays together, so that its setup and teardown run once. */
function sortTasks(tasks: RunnerTask[], durations: Readonly<Record<string, number>>): number {
  const times = new Map(
    tasks.map((task) => [
      task,
      task.type === 'suite' ? sortTasks(task.tasks, durations) : (durations[task.id] ?? 0),
    ]),
  );
  tasks.sort((a, b) => (times.get(a) ?? 0) - (times.get(b) ?? 0));
  return [...times.values()].reduce((sum, ms) => sum + ms, 0);
}
