/** Who may do what by now: from the access file, read again when it changes, or from the groups of the token where there is none. */

import { createHash } from 'node:crypto';
import { constants, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { AppError, ConfigError } from '../../../base/errors.ts';
import { type AccessEntry, ALL_ACCOUNTS, type Confirmed, MOST_BYTES, parseAccess } from './access-file.ts';
import { type Claims, entriesOfGroups, type Rights, rightsOf } from './rights.ts';

export interface AccessOptions {
  /** Absolute path; undefined where groups name the accounts. */
  file: string | undefined;
  usual: Confirmed;
  /** All accounts of the server. */
  names(): Promise<readonly string[]>;
  /** Told to whoever runs the server, once for each state of the file. */
  tell(message: string): void;
  /** Milliseconds of a clock that only goes on. */
  now?: () => number;
}

/** Of people, that are not reckoned anew as long as nothing changes. */
const MOST_REMEMBERED = 2_000;
/** Accounts are added and removed seldom; the folder of their secrets is not read for every call. */
const NAMES_LAST_MS = 1_000;
/** A message names at most this many accounts. */
const MAX_NAMED = 20;

const AT_START = 'Correct the line and start the server again. docs/server.md has an example.';

/** @throws ConfigError where the file is not there or has a mistake: a server does not start with it */
export async function openAccess({ file, usual, names, tell, now = () => performance.now() }: AccessOptions) {
  let entries: readonly AccessEntry[] = [];
  const remembered = new Map<string, Rights>();
  const listNames = createNames(names, { now, tell, changed: () => remembered.clear() });
  let seen = '';
  let digest = '';
  let problem: string | undefined;
  let looking: Promise<void> | undefined;

  const read = async (path: string) => {
    const found = look(path);
    if (found === seen) return;
    // Told once: what is wrong is not read again before it changes.
    seen = found;
    const text = await readPlainFile(path);
    const hash = createHash('sha256').update(text).digest('hex');
    const isNew = hash !== digest;
    if (isNew) {
      entries = parseAccess(text, path);
      remembered.clear();
    }
    [digest, problem] = [hash, undefined];
    if (isNew) await tellUnknown(path);
  };
  /** Tells of accounts that the file names and the server has not: whoever is let in to them finds nothing. */
  const tellUnknown = async (path: string) => {
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
      const told =
        error instanceof AppError ? `${error.message} ${error.hint}` : unreadable(path, error).message;
      if (told !== problem) tell(`${told} What the file said before holds until then.`);
      problem = told;
    }
  };
  if (file !== undefined) {
    await read(file).catch((error: unknown) => {
      throw error instanceof AppError ? new ConfigError(error.message, AT_START) : unreadable(file, error);
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
    /** Returns what was read of it, for the start line. */
    words: () =>
      file === undefined
        ? 'access by the groups of each login (seller:<account>:read or write)'
        : `${entries.length} access ${entries.length === 1 ? 'entry' : 'entries'} in ${file}`,
    /** What is wrong with the file as it is now; undefined where nothing is. */
    problem: () => problem,
    /** The same object as long as nothing of it has changed. */
    async rightsOf(claims: Claims): Promise<Rights> {
      const all = await listNames();
      const key = JSON.stringify([claims.issuer, claims.subject, claims.groups]);
      const known = remembered.get(key);
      if (known !== undefined) return known;
      const own = file === undefined ? entriesOfGroups(claims) : entries;
      const found = rightsOf(claims, own, { names: all, usual });
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      remembered.set(key, found);
      return found;
    },
  };
}

/** The names of the accounts, read again each second that they are asked for. */
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
      const told = error instanceof AppError ? `${error.message} ${error.hint}` : String(error);
      if (told !== problem) tell(`${told} Nobody can be served until then.`);
      problem = told;
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
 * A mounted file is replaced by another one of the same time at times: its number counts too. Looked at before every
 * call, and so at once: a thread that does it takes fifty times as long as it.
 */
function look(path: string): string {
  const { mtimeMs, ctimeMs, size, ino } = statSync(path);
  return [mtimeMs, ctimeMs, size, ino].join(' ');
}

/** Nothing that never ends: whatever everybody's calls wait for must not. */
async function readPlainFile(path: string): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error('it is no file');
    if (found.size > MOST_BYTES) throw new Error('it is larger than 1 MB');
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
