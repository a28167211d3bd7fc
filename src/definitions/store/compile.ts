/** Reads and validates a definition file, or a folder of them, and compiles it into the stored form. */

import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, extname, join, relative, resolve } from 'node:path';
import { InputError } from '../../base/errors.ts';
import { DefinitionError, refuseDefinition } from '../definition-error.ts';
import { MAX_ENTRIES, MAX_FILES, MAX_NAME } from '../limits.ts';
import { checkTree } from '../read/check-tree.ts';
import { isDefinition, readDocument } from '../read/document.ts';
import { readAnswerShapes } from '../read/read-answers.ts';
import { parseText, readText } from '../read/read-file.ts';
import { readOperations } from '../read/read-operations.ts';
import { COMPILED_FORMAT, type CompiledDefinition } from './compiled.ts';

export interface CompiledFiles {
  files: CompiledDefinition[];
  /** Files of the folder that are no API definitions. */
  others: string[];
}

/**
 * Compiles the files.
 * @throws InputError naming file, position and reason; nothing has been stored.
 */
export async function compileAll(path: string, now: Date): Promise<CompiledFiles> {
  const found = await findSourceFiles(path);
  const compiled: CompiledFiles = { files: [], others: [] };
  for (const file of found.files) {
    const definition = await compileFile({ ...file, now }, found.isFolder);
    if (definition === undefined) compiled.others.push(file.source);
    else compiled.files.push(definition);
  }
  if (compiled.files.length > 0) return compiled;
  throw new InputError(
    `${path}: holds no API definition.`,
    'A definition says "swagger": "2.0" or "openapi": "3.x" at its top.',
  );
}

export interface CompileInput {
  /** The absolute path. */
  source: string;
  /** The name under which it will be listed. */
  name: string;
  now: Date;
}

/**
 * Compiles one file. Returns undefined for a file that is no API definition, if `others` are expected.
 * @throws InputError naming file, position and reason.
 */
export async function compileFile(
  input: CompileInput,
  others = false,
): Promise<CompiledDefinition | undefined> {
  try {
    const { text, sha256 } = await readText(input.source);
    const root = await parseText(text, input.source);
    if (others && !isDefinition(root)) return undefined;
    return { ...(await compileRoot(root)), ...headOf(input), sha256 };
  } catch (error) {
    if (error instanceof DefinitionError) throw refuseDefinition(input.source, error);
    if (error instanceof RangeError)
      throw refuseDefinition(input.source, new DefinitionError('', 'is nested too deep to be read'));
    throw error;
  }
}

function headOf({ source, name, now }: CompileInput) {
  return { format: COMPILED_FORMAT, name, source, addedAt: now.toISOString() } as const;
}

async function compileRoot(root: unknown) {
  checkTree(root);
  const document = readDocument(root);
  const definition = await readOperations(document);
  if (definition.operations.length + definition.skipped.length === 0) {
    throw new DefinitionError('#/paths', 'holds no operation');
  }
  const { title, version } = document;
  return {
    title,
    version,
    defs: definition.defs,
    ...readAnswerShapes(definition),
    skipped: definition.skipped,
  };
}

// A path means one file, or all definitions below a folder.

interface SourceFile {
  /** The absolute path, with symbolic links resolved. */
  source: string;
  /** A name that is unique among the files found together. */
  name: string;
}

interface SourceFiles {
  isFolder: boolean;
  files: SourceFile[];
}

const DEFINITION = /\.(json|ya?ml)$/i;

/**
 * Finds the files.
 * @throws InputError when there is nothing to read, or too much.
 */
async function findSourceFiles(given: string): Promise<SourceFiles> {
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

/**
 * Lists the definitions below a folder; symbolic links inside it, hidden folders and node_modules are not
 * followed.
 */
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

/** Names each file by its base name, or by its path when two files of the folder share a base name. */
function withNames(root: string, paths: readonly string[]): SourceFile[] {
  const files = paths.map((source) => ({ source, name: nameOf(basename(source)) }));
  const isShared = (name: string) =>
    files.filter((one) => one.name.toLowerCase() === name.toLowerCase()).length > 1;
  return files.map(({ source, name }) => ({
    source,
    name: isShared(name) ? longName(relative(root, source)) : name,
  }));
}

/** Names `orders/v0.json` as `orders-v0`. */
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
