/** One line of `status`: the subject, its state and the next step. */

import { AppError } from '../../../base/errors.ts';
import { wrap } from '../../../base/text/wrap.ts';

export interface Check {
  name: string;
  /** A `note` needs no action. */
  state: 'ok' | 'note' | 'problem';
  text: string;
  /** The next step; absent when there is none. */
  todo?: string;
}

export const ok = (name: string, text: string): Check => ({ name, state: 'ok', text });

export const note = (name: string, text: string): Check => ({ name, state: 'note', text });

export const problem = (name: string, text: string, todo: string): Check => ({
  name,
  state: 'problem',
  text,
  todo,
});

/** Turns our own errors into a line; others are defects and are thrown. */
export function problemOf(name: string, error: unknown): Check {
  if (!(error instanceof AppError)) throw error;
  return problem(name, error.message, error.hint === '' ? 'Try again.' : error.hint);
}

/** Formats one line per check, with the next step below it. */
export function formatChecks(checks: readonly Check[], columns: number): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, state, text, todo }) => [
    ...wrapBehind(`${state.padEnd(7)}  ${name.padEnd(width)}  `, text, columns),
    ...(todo === undefined ? [] : wrapBehind(`${' '.repeat(width + 11)}> `, todo, columns)),
  ]);
  return `${lines.join('\n')}\n`;
}

function wrapBehind(start: string, text: string, columns: number): string[] {
  const [first = '', ...more] = wrap(' '.repeat(start.length) + text, columns, start.length);
  return [start + first.slice(start.length), ...more];
}
