/**
 * The short-lived child process, the only one that loads the native keychain module. It answers one request
 * and ends.
 */

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
import { type NativeKeychain, openKeychain } from './native-keychain.ts';

const MAX_REQUEST_CHARACTERS = 1_000_000;

/** The maximum number of attempts to write the index when other processes write it at the same time. */
const INDEX_ATTEMPTS = 10;

/** This is longer than a process usually takes between reading and writing the index. */
const SETTLED_MS = 100;

/** The child's dependencies, which tests replace. */
export interface ChildParts {
  open(): Promise<NativeKeychain>;
  sleep(ms: number): Promise<unknown>;
}

/** The message for a user who starts the child by hand. */
const NOT_FOR_HANDS = 'keychain-child is started by seller-commerce-mcp itself, and answers nobody else.\n';

/** Runs the child process, which answers only the program that started it. Resolves to the exit code. */
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
  // The parent may have ended before the answer; the request is carried out all the same.
  stdout.on('error', () => undefined);
  // A request without its line end is incomplete, because the parent died. It is not carried out.
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
  keychain: NativeKeychain,
  sleep: ChildParts['sleep'],
): Promise<KeychainAnswer> {
  switch (request.op) {
    case 'list':
      return { ok: true, names: await listedAccounts(keychain) };
    case 'read': {
      const value = await keychain.get(request.entry);
      if (value === undefined) return { ok: true };
      // A failure to repair the index does not make the value unreadable.
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

/**
 * Lists the accounts whose entry exists. The index may name more, because a process may be killed while it
 * deletes.
 */
async function listedAccounts(keychain: NativeKeychain): Promise<string[]> {
  const names: string[] = [];
  for (const name of await readIndex(keychain)) {
    if ((await keychain.get(accountEntry(name))) !== undefined) names.push(name);
  }
  return names.sort();
}

async function readIndex(keychain: NativeKeychain): Promise<string[]> {
  const parsed = parseJson((await keychain.get(INDEX_ENTRY)) ?? '[]');
  return Array.isArray(parsed) ? parsed.filter((name) => typeof name === 'string') : [];
}

/**
 * Adds a name to the index. Two processes that add at once can overwrite each other, so each checks again
 * after a delay. A process that was paused for longer can still drop a name, which returns when its account
 * is next read or written. Names are only added here, because names without an entry are ignored.
 */
async function addToIndex(keychain: NativeKeychain, name: string, sleep: ChildParts['sleep']): Promise<void> {
  for (let attempt = 0; attempt < INDEX_ATTEMPTS; attempt += 1) {
    const names = await readIndex(keychain);
    if (names.includes(name)) return;
    await keychain.set(INDEX_ENTRY, JSON.stringify([...names, name]));
    await sleep(SETTLED_MS);
  }
}

/** Removes the index with the last account. Names without an entry may stay, because they are ignored. */
async function tidyIndex(keychain: NativeKeychain): Promise<void> {
  if ((await listedAccounts(keychain)).length === 0) await keychain.remove(INDEX_ENTRY);
}
