/**
 * Stores added definitions in the user's data folder, one compiled file each, written whole or not at all.
 */

import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, lstat, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../../base/errors.ts';
import { makeFolder } from '../../store/make-folder.ts';
import { openFile } from '../../store/open-file.ts';
import { type CompiledDefinition, compiledSchema } from './compiled.ts';

/** A stored file that has become unusable, and the reason. */
interface DamagedDefinition {
  name: string;
  reason: string;
}

interface StoredDefinitions {
  /** The files, sorted by name. */
  files: CompiledDefinition[];
  damaged: DamagedDefinition[];
}

export interface DefinitionStore {
  /** The absolute path; created when the first definition is added. */
  readonly folder: string;
  /**
   * Stores all or none of the files, replacing those of the same name.
   * @throws ConfigError when the folder is not writable
   */
  add(files: readonly CompiledDefinition[]): Promise<void>;
  /** Loads all files; an unreadable one is listed as damaged, never thrown. */
  load(): Promise<StoredDefinitions>;
  /** Removes a file. False when none has this name. */
  remove(name: string): Promise<boolean>;
}

const SUFFIX = '.json';

/**
 * Creates the store without touching the disk.
 * @param folder absolute
 */
export function createDefinitionStore(folder: string): DefinitionStore {
  return {
    folder,
    async add(files) {
      await prepare(folder);
      const staged = files.map(({ name }) => join(folder, `.${name}-${randomBytes(6).toString('hex')}.tmp`));
      try {
        for (const [i, file] of files.entries()) {
          await writeFile(staged[i] ?? '', JSON.stringify(file), { mode: 0o600, flag: 'wx', flush: true });
        }
        for (const [i, { name }] of files.entries())
          await rename(staged[i] ?? '', join(folder, name + SUFFIX));
      } catch (error) {
        throw describeFailure(error, folder);
      } finally {
        await Promise.all(staged.map((path) => rm(path, { force: true })));
      }
    },
    async load() {
      const found: StoredDefinitions = { files: [], damaged: [] };
      for (const name of await listNames(folder)) {
        const file = await readOne(folder, name);
        if ('reason' in file) found.damaged.push(file);
        else found.files.push(file);
      }
      return found;
    },
    async remove(name) {
      const names = await listNames(folder);
      if (!names.includes(name)) return false;
      await rm(join(folder, name + SUFFIX));
      return true;
    },
  };
}

async function prepare(folder: string): Promise<void> {
  try {
    await makeFolder(folder, 0o700);
    // A linked folder keeps its mode, which is up to its owner.
    if ((await lstat(folder)).isDirectory()) await chmod(folder, 0o700);
  } catch (error) {
    throw describeFailure(error, folder);
  }
}

function describeFailure(error: unknown, folder: string): ConfigError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ConfigError(
    `Definitions cannot be kept in ${folder}: ${reason}.`,
    'Make the folder writable, free some space, or choose another folder with --data-dir (SELLER_DATA_DIR).',
    { cause: error },
  );
}

/** Reads names from the folder's own listing, so that a name from a caller never becomes a path. */
async function listNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => []);
  return entries
    .filter((entry) => entry.endsWith(SUFFIX) && !entry.startsWith('.'))
    .map((entry) => entry.slice(0, -SUFFIX.length))
    .sort();
}

async function readText(path: string): Promise<string> {
  const handle = await openFile(path, constants.O_RDONLY);
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

async function readOne(folder: string, name: string): Promise<CompiledDefinition | DamagedDefinition> {
  try {
    const value: unknown = JSON.parse(await readText(join(folder, name + SUFFIX)));
    const parsed = compiledSchema.safeParse(value);
    if (parsed.success) return { ...parsed.data, name };
    const [issue] = parsed.error.issues;
    return { name, reason: `its compiled form is not right (${issue?.path.join('.')}: ${issue?.message})` };
  } catch (error) {
    return {
      name,
      reason: `its compiled form cannot be read (${error instanceof Error ? error.message : error})`,
    };
  }
}
