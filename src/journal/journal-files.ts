/** The journal's files as one sequence of lines, read while other processes write. */

import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_NAME } from './append-line.ts';
import { LINE_START } from './encode-line.ts';

/** Every line, older files first, without its newline; empty ones are skipped. A folder that is not there has none. */
export async function* readLines(folder: string): AsyncGenerator<string> {
  // Opened before the others are listed: if it is put aside meanwhile, the list has it, and it is read only once.
  const current = await openIfThere(join(folder, FILE_NAME));
  const currentFile = await current?.stat({ bigint: true });
  for (const name of await listOlder(folder)) {
    const older = await openIfThere(join(folder, name));
    const file = await older?.stat({ bigint: true });
    if (file?.ino === currentFile?.ino) await older?.close();
    else if (older !== undefined) yield* readFileLines(older);
  }
  if (current !== undefined) yield* readFileLines(current);
}

/** What may be a whole line within one: usually itself; behind the torn start of a killed process's line, another. */
export function* splitLine(line: string): Generator<string> {
  for (let at = 0; at !== -1; at = line.indexOf(LINE_START, at + 1)) yield line.slice(at);
}

/** Not node:readline, which also ends lines at U+2028 and at a lone carriage return. */
async function* readFileLines(handle: FileHandle): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of handle.createReadStream({ encoding: 'utf8' })) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
  if (rest !== '') yield rest;
}

async function listOlder(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(ignoreMissing);
  return (names ?? []).filter((name) => /^writes-.+\.jsonl$/.test(name)).sort();
}

function openIfThere(path: string): Promise<FileHandle | undefined> {
  return open(path, 'r').catch(ignoreMissing);
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
