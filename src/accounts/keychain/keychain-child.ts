/** The short-lived child process that alone loads the native keychain module: it answers one request and ends. */

import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { parseJson } from '../../base/json.ts';
import { isStartedByProgram, readLine } from './handshake.ts';
import { causeOf } from './keychain-failure.ts';
import {
  accountEntry,
  INDEX_ENTRY,
  type KeychainAnswer,
  type KeychainRequest,
  parseRequest,
  STARTED,
} from './keychain-protocol.ts';
import { type Keychain, openKeychain } from './native-keychain.ts';

const MAX_REQUEST_CHARACTERS = 1_000_000;

/** Writes to the index that are repeated when another process wrote it in between. */
const INDEX_ATTEMPTS = 10;

/** Longer than a process usually takes from reading the index to writing it. */
const SETTLED_MS = 100;

/** What the child reaches outside itself; others are given in tests. */
export interface ChildParts {
  open(): Promise<Keychain>;
  sleep(ms: number): Promise<unknown>;
}

/** One line for whoever starts the child by hand. */
const NOT_FOR_HANDS = 'keychain-child is started by seller-commerce-mcp itself, and answers nobody else.\n';

/** The child as a process: answers the program that started it and nobody else. Resolves to the exit code. */
export async function serveParent(stdin: Readable, stdout: Writable, stderr: Writable): Promise<number> {
  if (await isStartedByProgram()) return runKeychainChild(stdin, stdout);
  await new Promise<void>((resolve) => stderr.write(NOT_FOR_HANDS, () => resolve()));
  return 1;
}

/** Reads one request line from `stdin`, writes one answer line to `stdout`. Resolves to the exit code. */
export async function runKeychainChild(
  stdin: Readable,
  stdout: Writable,
  parts: ChildParts = { open: openKeychain, sleep: wait },
): Promise<number> {
  // The parent may be gone by the time of the answer; what was asked is done all the same.
  stdout.on('error', () => undefined);
  // Without its end of line the request is half of one: the parent died, and nothing is done.
  const request = parseRequest((await readLine(stdin, MAX_REQUEST_CHARACTERS)) ?? '');
  stdout.write(STARTED);
  const answer: KeychainAnswer =
    request === undefined
      ? { ok: false, cause: 'failed', detail: 'the request was not understood' }
      : await answerRequest(request, parts);
  await new Promise<void>((resolve) => stdout.write(`${JSON.stringify(answer)}\n`, () => resolve()));
  return answer.ok ? 0 : 1;
}

async function answerRequest(request: KeychainRequest, { open, sleep }: ChildParts): Promise<KeychainAnswer> {
  try {
    return await perform(request, await open(), sleep);
  } catch (error) {
    return { ok: false, ...causeOf(error) };
  }
}

async function perform(
  request: KeychainRequest,
  keychain: Keychain,
  sleep: ChildParts['sleep'],
): Promise<KeychainAnswer> {
  switch (request.op) {
    case 'list':
      return { ok: true, names: await listedAccounts(keychain) };
    case 'read': {
      const value = await keychain.get(request.entry);
      if (value === undefined) return { ok: true };
      // That the index cannot be mended does not make the value unread.
      if (request.listed !== undefined) await addToIndex(keychain, request.listed, sleep).catch(() => {});
      return { ok: true, value };
    }
    case 'write':
      await keychain.set(request.entry, request.value);
      if (request.listed !== undefined) await addToIndex(keychain, request.listed, sleep);
      return { ok: true };
    case 'delete': {
      const found: boolean[] = [];
      for (const entry of request.entries) found.push(await keychain.remove(entry));
      if (request.unlisted !== undefined) await tidyIndex(keychain);
      return { ok: true, deleted: found[0] === true };
    }
  }
}

/** The index may name an account whose entry is gone (a process killed while deleting): such a name does not count. */
async function listedAccounts(keychain: Keychain): Promise<string[]> {
  const names: string[] = [];
  for (const name of await readIndex(keychain)) {
    if ((await keychain.get(accountEntry(name))) !== undefined) names.push(name);
  }
  return names.sort();
}

async function readIndex(keychain: Keychain): Promise<string[]> {
  const parsed = parseJson((await keychain.get(INDEX_ENTRY)) ?? '[]');
  return Array.isArray(parsed) ? parsed.filter((name) => typeof name === 'string') : [];
}

/**
 * Two processes that add at the same moment can undo each other's: each looks again when both must be done. One that
 * was held up for longer in between still undoes a name; that one comes back when its account is next read or written.
 * Names are only ever added here; those whose entry is gone do not count.
 */
async function addToIndex(keychain: Keychain, name: string, sleep: ChildParts['sleep']): Promise<void> {
  for (let attempt = 0; attempt < INDEX_ATTEMPTS; attempt += 1) {
    const names = await readIndex(keychain);
    if (names.includes(name)) return;
    await keychain.set(INDEX_ENTRY, JSON.stringify([...names, name]));
    await sleep(SETTLED_MS);
  }
}

/** A name whose entry is gone does not count, so it may stay; the last one takes the index with it. */
async function tidyIndex(keychain: Keychain): Promise<void> {
  if ((await listedAccounts(keychain)).length === 0) await keychain.remove(INDEX_ENTRY);
}
