/** The folders of src/ that can be mutated, and the tests that judge each: those of the same name that stay in one process. */

import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';

/** The variable that tells vitest's config, which Stryker's processes read, which folder is mutated. */
export const FOLDER_VARIABLE = 'MUTATION_FOLDER';

/** The variable that names further tests, as patterns with commas between them. */
export const FURTHER_VARIABLE = 'MUTATION_FURTHER_TESTS';

interface MutatedFolder {
  /** Patterns for the folder's own files, narrowed to the given pattern. */
  mutate: (files?: string) => readonly string[];
  tests: readonly string[];
}

/** A mutant is active only in the test's own process: another process can kill none, and is slow. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'keychain-store.test.ts': 'asks a child process, and the keychain where there is one',
  'processes.test.ts': 'starts processes that write into one file',
  'rotation-kill.test.ts': 'starts processes and kills them',
  'shared-token.test.ts': 'starts processes that share a token',
};

/** @param name of the folder within src/: `call`, `write/keep/journal` */
export function findFolder(name: string): MutatedFolder {
  if (name === '' || !existsSync(`src/${name}`) || !existsSync(`test/${name}`))
    throw new Error(`Name a folder that src/ and test/ have: there is no "${name}"`);
  const further = (process.env[FURTHER_VARIABLE] ?? '').split(',');
  return {
    mutate: (files = '*.ts') => [`src/${name}/**/${files}`],
    tests: [`test/${name}/**/*.test.ts`, ...further.filter((pattern) => pattern !== '')],
  };
}

/** @returns patterns of the tests that are left out; one that no longer matches a file would let a renamed file slip in. */
export function listLeftOut(): string[] {
  const present = new Set(readdirSync('test', { recursive: true }).map((file) => basename(String(file))));
  const gone = Object.keys(LEFT_OUT).filter((name) => !present.has(name));
  if (gone.length > 0)
    throw new Error(`scripts/mutation/folders.ts leaves out ${gone.join(', ')}: not there`);
  return Object.keys(LEFT_OUT).map((name) => `**/${name}`);
}
