/** One line of `status`: what was looked at, how it is, what to do. */

import { AppError } from '../../../base/errors.ts';
import { wrap } from '../../../base/text/wrap.ts';

export interface Check {
  name: string;
  /** `note`: nothing has to be done, but worth knowing. */
  state: 'ok' | 'note' | 'problem';
  text: string;
  /** What to do; absent when there is nothing. */
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

/** An error of ours as a line; others are a defect and go on up. */
export function problemOf(name: string, error: unknown): Check {
  if (!(error instanceof AppError)) throw error;
  return problem(name, error.message, error.hint === '' ? 'Try again.' : error.hint);
}

/** One line per check, what to do below it. */
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
