/** Asserts on wording from both sides, since a sentence that is only looked for where it must not stand is never missed. */

import { expect } from 'vitest';

/**
 * The words stand in one text and not in the other. Once they are reworded, the first half fails.
 * @param words preferably the constant that the source writes
 */
export function expectOnlyIn(words: string | RegExp, has: unknown, lacks: unknown): void {
  expect(textOf(has)).toMatch(words);
  expect(textOf(lacks)).not.toMatch(words);
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
