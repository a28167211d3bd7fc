/** Test files under Stryker: the quick ones first, because the first failure ends a run. */

import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { readDurations, sumOf } from './durations.ts';

export class QuickFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const timed = files.map((file) => ({ file, ms: sumOf(readDurations(file.moduleId)) }));
    return timed.sort((a, b) => a.ms - b.ms).map(({ file }) => file);
  }
}
