/**
 * Determines each user's current rights from the access file, which is read again when it changes, or from
 * the token's groups without a file.
 */

import { createHash } from 'node:crypto';
import { constants, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { AppError, ConfigError } from '../../../base/errors.ts';
import {
  type AccessEntry,
  ALL_ACCOUNTS,
  type ConfirmationMode,
  MAX_ACCESS_FILE_BYTES,
  parseAccess,
} from './access-file.ts';
import { type Claims, entriesOfGroups, type Rights, rightsOf } from './rights.ts';

export interface AccessOptions {
  /** The absolute path; undefined when groups name the accounts. */
  file: string | undefined;
  usual: ConfirmationMode;
  /** Returns all accounts of the server. */
  names(): Promise<readonly string[]>;
  /** Reports to the operator, once for each state of the file. */
  tell(message: string): void;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/** The maximum number of users whose rights are cached until something changes. */
const MAX_CACHED_USERS = 2_000;
/** The lifetime of the cached account names, so that not every call reads the secrets folder. */
const NAMES_LAST_MS = 1_000;
/** The maximum number of accounts that a message names. */
const MAX_NAMED = 20;

const AT_START = 'Correct the line and start the server again. docs/server.md has an example.';

/**
 * Opens the access rules.
 * @throws ConfigError when the file is missing or has a mistake, because a server does not start with it
 */
export async function openAccess({ file, usual, names, tell, now = () => performance.now() }: AccessOptions) {
  let entries: readonly AccessEntry[] = [];
  const cachedRights = new Map<string, Rights>();
  const listNames = createNames(names, { now, tell, changed: () => cachedRights.clear() });
  let seen = '';
  let digest = '';
  let problem: string | undefined;
  let looking: Promise<void> | undefined;

  const read = async (path: string) => {
    const found = fileIdentity(path);
    if (found === seen) return;
    // A faulty file is not read again before it changes, so its mistake is reported once.
    seen = found;
    const text = await readPlainFile(path);
    const hash = createHash('sha256').update(text).digest('hex');
    const isNew = hash !== digest;
    if (isNew) {
      entries = parseAccess(text, path);
      cachedRights.clear();
    }
    [digest, problem] = [hash, undefined];
    if (isNew) await reportUnknown(path);
  };
  /** Reports accounts that the file names and the server lacks, because their users would find nothing. */
  const reportUnknown = async (path: string) => {
    const all = await listNames().catch(() => undefined);
    if (all === undefined) return;
    const named = new Set(entries.flatMap(({ accounts }) => (accounts === ALL_ACCOUNTS ? [] : accounts)));
    const unknown = [...named].filter((name) => !all.includes(name));
    if (unknown.length === 0) return;
    const those = unknown.slice(0, MAX_NAMED).join(', ');
    const more = unknown.length > MAX_NAMED ? ` and ${unknown.length - MAX_NAMED} more` : '';
    tell(
      `${path} names accounts that this server has no secret of: ${those}${more}. It has: ${all.join(', ') || 'none'}.`,
    );
  };
  const refresh = async (path: string) => {
    try {
      const before = problem;
      await read(path);
      if (before !== undefined && problem === undefined) tell('The access file is right again, and is used.');
    } catch (error) {
      const notice =
        error instanceof AppError ? `${error.message} ${error.hint}` : unreadable(path, error).message;
      if (notice !== problem) tell(`${notice} What the file said before holds until then.`);
      problem = notice;
    }
  };
  if (file !== undefined) {
    await read(file).catch((error: unknown) => {
      throw error instanceof AppError ? new ConfigError(error.message, AT_START) : unreadable(file, error);
    });
  }
  return {
    /** Reads the file if it has changed. A faulty file changes nothing and is reported. */
    async refresh(): Promise<void> {
      if (file === undefined) return;
      looking ??= refresh(file).finally(() => {
        looking = undefined;
      });
      await looking;
    },
    /** Describes the rules for the start line. */
    words: () =>
      file === undefined
        ? 'access by the groups of each login (seller:<account>:read or write)'
        : `${entries.length} access ${entries.length === 1 ? 'entry' : 'entries'} in ${file}`,
    /** Returns the problem of the current file; undefined when there is none. */
    problem: () => problem,
    /** Returns the user's rights, the same object until something changes. */
    async rightsOf(claims: Claims): Promise<Rights> {
      const all = await listNames();
      const key = JSON.stringify([claims.issuer, claims.subject, claims.groups]);
      const known = cachedRights.get(key);
      if (known !== undefined) return known;
      const own = file === undefined ? entriesOfGroups(claims) : entries;
      const found = rightsOf(claims, own, { names: all, usual });
      if (cachedRights.size >= MAX_CACHED_USERS) cachedRights.clear();
      cachedRights.set(key, found);
      return found;
    },
  };
}

/** Caches the names of the accounts for a second. */
function createNames(
  read: AccessOptions['names'],
  { now, tell, changed }: { now(): number; tell: AccessOptions['tell']; changed(): void },
) {
  let known: { names: readonly string[]; at: number } | undefined;
  let problem: string | undefined;
  let reading: Promise<readonly string[]> | undefined;
  const readAnew = async () => {
    try {
      const names = await read();
      if (problem !== undefined) tell('The accounts can be read again.');
      problem = undefined;
      if (known?.names.join() !== names.join()) changed();
      known = { names, at: now() };
      return names;
    } catch (error) {
      const notice = error instanceof AppError ? `${error.message} ${error.hint}` : String(error);
      if (notice !== problem) tell(`${notice} Nobody can be served until then.`);
      problem = notice;
      throw error;
    } finally {
      reading = undefined;
    }
  };
  return async (): Promise<readonly string[]> => {
    if (known !== undefined && now() - known.at < NAMES_LAST_MS) return known.names;
    reading ??= readAnew();
    return reading;
  };
}

/**
 * Returns the identity of the file. It includes the inode, because a mounted file may be replaced by one of
 * the same time. The call is synchronous, because it precedes every call and a thread takes fifty times as
 * long.
 */
function fileIdentity(path: string): string {
  const { mtimeMs, ctimeMs, size, ino } = statSync(path);
  return [mtimeMs, ctimeMs, size, ino].join(' ');
}

/** Reads only a regular file, because a pipe could block all calls forever. */
async function readPlainFile(path: string): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error('it is no file');
    if (found.size > MAX_ACCESS_FILE_BYTES) throw new Error('it is larger than 1 MB');
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function unreadable(path: string, error: unknown): ConfigError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ConfigError(
    `The access file ${path} cannot be read: ${reason}.`,
    'Name it with --access (SELLER_ACCESS), and let the user of the server read it.',
  );
}
