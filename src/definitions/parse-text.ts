/** Text of a definition to a value: JSON, or YAML with bounded aliases; says the line where it cannot. */

import type { ParseError } from 'jsonc-parser';
import { DefinitionError } from './definition-error.ts';

/** Expansions of YAML aliases, one inside the other counted by their product. */
const MAX_ALIASES = 1_000;

/** @param name decides between JSON (`.json`) and YAML (`.yaml`, `.yml`). @throws DefinitionError */
export async function parseText(text: string, name: string): Promise<unknown> {
  try {
    return /\.ya?ml$/i.test(name) ? await parseYaml(text) : await parseJson(text);
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

async function parseYaml(text: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { version: '1.2', uniqueKeys: true, prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const [at] = error.linePos ?? [];
    const reason = error.message.split(/ at line |\n/)[0];
    throw new DefinitionError(at === undefined ? '' : `${at.line}:${at.col}`, `is not YAML: ${reason}`);
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return value;
  } catch (problem) {
    if (problem instanceof RangeError) throw problem;
    throw new DefinitionError(
      '',
      `is not usable YAML: ${problem instanceof Error ? problem.message : problem}`,
    );
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
