/** Counts the declared cases of one file: what is written once and referred to from everywhere is kept as often. */

import { DefinitionError } from '../definition-error.ts';
import { MAX_CASE_VALUES, MAX_CASES } from '../limits.ts';

/** Characters of a text that count as one value. */
const CHARACTERS = 200;

export class CaseBudget {
  #cases = 0;
  #values = 0;

  /** One case and everything in it. @throws DefinitionError when the file declares too much. */
  take(pointer: string, ...contents: readonly unknown[]): void {
    this.#cases += 1;
    if (this.#cases > MAX_CASES)
      throw new DefinitionError(pointer, `more than ${MAX_CASES} cases are declared`);
    const waiting: unknown[] = [...contents];
    while (waiting.length > 0) {
      const value = waiting.pop();
      this.#values += 1 + (typeof value === 'string' ? Math.floor(value.length / CHARACTERS) : 0);
      if (this.#values > MAX_CASE_VALUES)
        throw new DefinitionError(pointer, `more than ${MAX_CASE_VALUES} values are declared in cases`);
      if (typeof value !== 'object' || value === null) continue;
      for (const member of Object.values(value)) waiting.push(member);
    }
  }
}
