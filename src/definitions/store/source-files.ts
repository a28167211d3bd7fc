/** Which files a person means: one file, or all definitions below a folder. */

import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, extname, join, relative, resolve } from 'node:path';
import { InputError } from '../../errors.ts';
import { MAX_ENTRIES, MAX_FILES, MAX_NAME } from '../limits.ts';

export interface SourceFile {
  /** Absolute, symbolic links resolved. */
  source: string;
  /** Unique among the files found together. */
  name: string;
}

export interface SourceFiles {
  isFolder: boolean;
  files: SourceFile[];
}

const DEFINITION = /\.(json|ya?ml)$/i;

/** @throws InputError when there is nothing to read, or too much. */
export async function findSourceFiles(given: string): Promise<SourceFiles> {
  const root = await realpath(resolve(given)).catch(() => undefined);
  if (root === undefined) {
    throw new InputError(
      `${given}: there is no such file or folder.`,
      'Give the path of a definition, or of a folder of them.',
    );
  }
  if (!(await stat(root)).isDirectory())
    return { isFolder: false, files: [{ source: root, name: nameOf(basename(root)) }] };
  const paths = await listFolder(root, given);
  if (paths.length === 0) {
    throw new InputError(
      `${given}: the folder holds no .json, .yaml or .yml file.`,
      'Give another folder, or one file.',
    );
  }
  return { isFolder: true, files: withNames(root, paths) };
}

/** Symbolic links inside a folder, hidden folders and node_modules are not followed. */
async function listFolder(root: string, given: string): Promise<string[]> {
  const found: string[] = [];
  const waiting = [root];
  let seen = 0;
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      seen += 1;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        waiting.push(path);
      if (entry.isFile() && DEFINITION.test(entry.name) && !entry.name.startsWith('.')) found.push(path);
    }
    if (found.length > MAX_FILES || seen > MAX_ENTRIES) {
      throw new InputError(
        `${given}: holds more than ${found.length > MAX_FILES ? `${MAX_FILES} definitions` : `${MAX_ENTRIES} files and folders`}.`,
        'Give a folder that is smaller.',
      );
    }
  }
  return found.sort();
}

/** The file's own name, or its path where two files of the folder share one. */
function withNames(root: string, paths: readonly string[]): SourceFile[] {
  const files = paths.map((source) => ({ source, name: nameOf(basename(source)) }));
  const isShared = (name: string) =>
    files.filter((one) => one.name.toLowerCase() === name.toLowerCase()).length > 1;
  return files.map(({ source, name }) => ({
    source,
    name: isShared(name) ? longName(relative(root, source)) : name,
  }));
}

/** `orders/v0.json` -> `orders-v0`. */
function nameOf(path: string): string {
  const name = path
    .slice(0, path.length - extname(path).length)
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, MAX_NAME);
  return name === '' ? 'definition' : name;
}

function longName(path: string): string {
  return `${nameOf(path)}${extname(path).replace('.', '-')}`;
}
