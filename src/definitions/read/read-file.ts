/**
 * Reads one file of the user into a value: a regular file within the size limit, UTF-8, JSON or YAML. Errors
 * name the position.
 */

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ParseError } from 'jsonc-parser';
import { parseJson } from '../../base/json.ts';
import { DefinitionError } from '../definition-error.ts';
import { MAX_FILE_BYTES } from '../limits.ts';

export interface SourceText {
  text: string;
  /** The hash of the unchanged bytes, in hexadecimal. */
  sha256: string;
}

/**
 * Reads the file.
 * @throws DefinitionError
 */
export async function readText(path: string): Promise<SourceText> {
  const bytes = await readBytes(path);
  return { text: decode(bytes), sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    // The flag prevents a wait for the writer of a named pipe.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw new DefinitionError('', 'is not a regular file');
      if (stats.size > MAX_FILE_BYTES) throw tooLarge();
      const bytes = await file.readFile();
      if (bytes.length > MAX_FILE_BYTES) throw tooLarge();
      return bytes;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof DefinitionError) throw error;
    throw new DefinitionError('', `cannot be read (${error instanceof Error ? error.message : error})`);
  }
}

function tooLarge(): DefinitionError {
  return new DefinitionError('', `is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB, the most that is read`);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DefinitionError(positionOfInvalidByte(bytes), 'is not UTF-8 text; save it as UTF-8');
  }
}

/** Returns `line:column` (in bytes) of the first byte that is invalid in UTF-8. */
function positionOfInvalidByte(bytes: Buffer): string {
  const again = Buffer.from(bytes.toString('utf8'));
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at += 1;
  const before = bytes.subarray(0, at).toString('latin1').split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

/**
 * Parses the text.
 * @param name decides between JSON (`.json`) and YAML (`.yaml`, `.yml`)
 * @throws DefinitionError; RangeError when nested too deep
 */
export async function parseText(text: string, name: string): Promise<unknown> {
  if (/\.ya?ml$/i.test(name)) return (await import('./parse-yaml.ts')).parseYaml(text);
  const value = parseJson(text);
  if (value === undefined) throw await explainSyntax(text);
  return value;
}

async function explainSyntax(text: string): Promise<DefinitionError> {
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  const found: ParseError[] = [];
  parse(text, found, { disallowComments: true, allowTrailingComma: false });
  const [first] = found;
  const reason = first === undefined ? 'syntax error' : formatErrorCode(printParseErrorCode(first.error));
  return new DefinitionError(positionOf(text, first?.offset ?? 0), `is not JSON: ${reason}`);
}

function positionOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

/** Formats `CommaExpected` as `comma expected`. */
function formatErrorCode(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
