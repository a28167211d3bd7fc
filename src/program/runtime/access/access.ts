/** Who may do what by now: from the access file, read again when it changes, or from the groups of the token where there is none. */

import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { AppError, ConfigError } from '../../../base/errors.ts';
import { type AccessEntry, type Confirmed, parseAccess } from './access-file.ts';
import { type Claims, entriesOfGroups, type Rights, rightsOf } from './rights.ts';

export interface AccessOptions {
  /** Absolute path; undefined where groups name the accounts. */
  file: string | undefined;
  usual: Confirmed;
  /** All accounts of the server. */
  names(): Promise<readonly string[]>;
  /** Told to whoever runs the server, once for each state of the file. */
  tell(message: string): void;
}

/** @throws ConfigError where the file is not there or has a mistake: a server does not start with it */
export async function openAccess({ file, usual, names, tell }: AccessOptions) {
  let entries: readonly AccessEntry[] = [];
  let seen = '';
  let digest = '';
  let problem: string | undefined;
  let looking: Promise<void> | undefined;

  const read = async (path: string) => {
    const found = await look(path);
    if (found === seen) return;
    // Told once: what is wrong is not read again before it changes.
    seen = found;
    const text = await readFile(path, 'utf8');
    const now = createHash('sha256').update(text).digest('hex');
    if (now !== digest) entries = parseAccess(text, path);
    [digest, problem] = [now, undefined];
  };
  const refresh = async (path: string) => {
    try {
      const before = problem;
      await read(path);
      if (before !== undefined && problem === undefined) tell('The access file is right again, and is used.');
    } catch (error) {
      const told =
        error instanceof AppError ? `${error.message} ${error.hint}` : unreadable(path, error).message;
      if (told !== problem) tell(`${told} What the file said before holds until then.`);
      problem = told;
    }
  };
  if (file !== undefined) {
    await read(file).catch((error: unknown) => {
      throw error instanceof AppError ? error : unreadable(file, error);
    });
  }
  return {
    /** Reads the file where it is another one than before. A file with a mistake changes nothing, and is told. */
    async refresh(): Promise<void> {
      if (file === undefined) return;
      looking ??= refresh(file).finally(() => {
        looking = undefined;
      });
      await looking;
    },
    /** What is wrong with the file as it is now; undefined where nothing is. */
    problem: () => problem,
    async rightsOf(claims: Claims): Promise<Rights> {
      const own = file === undefined ? entriesOfGroups(claims) : entries;
      return rightsOf(claims, own, { names: await names(), usual });
    },
  };
}

/** A mounted file is replaced by another one of the same time at times: its number counts too. */
async function look(path: string): Promise<string> {
  const { mtimeMs, ctimeMs, size, ino } = await stat(path);
  return [mtimeMs, ctimeMs, size, ino].join(' ');
}

function unreadable(path: string, error: unknown): ConfigError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ConfigError(
    `The access file ${path} cannot be read: ${reason}.`,
    'Name it with --access (SELLER_ACCESS), and let the user of the server read it.',
  );
}
