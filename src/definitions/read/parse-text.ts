/** Text of a definition to a value: JSON, or YAML with bounded aliases; says the line where it cannot. */

import type { ParseError } from 'jsonc-parser';
import { DefinitionError } from '../definition-error.ts';

/** @param name decides between JSON (`.json`) and YAML (`.yaml`, `.yml`). @throws DefinitionError */
export async function parseText(text: string, name: string): Promise<unknown> {
  try {
    return /\.ya?ml$/i.test(name) ? (await import('./parse-yaml.ts')).parseYaml(text) : await parseJson(text);
  } catch (error) {
    if (error instanceof RangeError) throw new DefinitionError('', 'is nested too deep to be read');
    throw error;
  }
}

async function parseJson(text: string): Promise<unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    const { parse, printParseErrorCode } = await import('jsonc-parser');
    const found: ParseError[] = [];
    parse(text, found, { disallowComments: true, allowTrailingComma: false });
    const [first] = found;
    const reason = first === undefined ? 'syntax error' : words(printParseErrorCode(first.error));
    throw new DefinitionError(positionOf(text, first?.offset ?? 0), `is not JSON: ${reason}`);
  }
}

function positionOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

/** `CommaExpected` -> `comma expected`. */
function words(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
