/** Adds to vitest's own report: a line while nothing else is printed, and the names of failed tests at the very end. */

import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestModule, TestSpecification } from 'vitest/node';

const SILENCE_MS = 10_000;
const MAX_REASON = 300;

export class RunReporter implements Reporter {
  #files = 0;
  #done = 0;
  readonly #running = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#files = files.length;
    this.#timer = setTimeout(() => this.#tell(), SILENCE_MS).unref();
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.#running.add(relativeModuleId);
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.#running.delete(relativeModuleId);
    this.#done += 1;
    this.#timer?.refresh();
  }

  onTestRunEnd(files: readonly TestModule[], errors: readonly unknown[]): void {
    clearTimeout(this.#timer);
    const names = files.flatMap((file) =>
      failuresOf(file).map((name) => `${file.relativeModuleId}: ${name}`),
    );
    if (errors.length > 0) names.push(`${errors.length} errors outside any test`);
    for (const name of names) process.stdout.write(`FAILED  ${name}\n`);
  }

  #tell(): void {
    process.stdout.write(` ... ${this.#done} of ${this.#files} files; at ${[...this.#running].join(', ')}\n`);
    this.#timer?.refresh();
  }
}

/** A file that does not load has no test that could fail. */
function failuresOf(file: TestModule): string[] {
  const tests = [...file.children.allTests('failed')].map((test) => `${test.fullName}${reasonOf(test)}`);
  return tests.length === 0 && file.state() === 'failed'
    ? ['does not load, or fails outside its tests']
    : tests;
}

/** Describes a failure in one line, so that the last lines of a run are enough to know where to look. */
function reasonOf(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  const [line = ''] = stripVTControlCharacters(error?.message ?? '').split('\n');
  return line === '' ? '' : ` (${line.slice(0, MAX_REASON)})`;
}
