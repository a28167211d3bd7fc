/** Prints the result of a command: as JSON with `--json`, otherwise as text. */

import type { Outside } from '../../runtime/outside.ts';
import type { CommandArguments } from './command.ts';

export type PrintResult = (value: unknown, text: string) => void;

export function createResultPrinter(
  { stdout }: Pick<Outside, 'stdout'>,
  { json }: CommandArguments['values'],
): PrintResult {
  return (value, text) => stdout(json === true ? `${JSON.stringify(value, null, 2)}\n` : text);
}
