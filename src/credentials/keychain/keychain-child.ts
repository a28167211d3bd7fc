/** The short-lived child process that alone loads the native keychain module: it answers one request and ends. */

import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { causeOf } from './keychain-cause.ts';
import { accountEntry, INDEX_ENTRY, type KeychainAnswer, type KeychainRequest } from './keychain-protocol.ts';
import { type Keychain, openKeychain } from './native-keychain.ts';

const MAX_REQUEST_CHARACTERS = 1_000_000;

/** Writes to the index that are repeated when another process wrote it in between. */
const INDEX_ATTEMPTS = 10;

/** Longer than any process takes from reading the index to writing it. */
const SETTLED_MS = 100;

/** Reads one request line from `stdin`, writes one answer line to `stdout`. Resolves to the exit code. */
export async function runKeychainChild(stdin: Readable, stdout: Writable): Promise<number> {
  // The parent may be gone by the time of the answer; what was asked is done all the same.
  stdout.on('error', () => undefined);
  const request = parseRequest(await readLine(stdin));
  const answer: KeychainAnswer =
    request === undefined
      ? { ok: false, cause: 'failed', detail: 'the request was not understood' }
      : await answerRequest(request);
  await new Promise<void>((resolve) => stdout.write(`${JSON.stringify(answer)}\n`, () => resolve()));
  return answer.ok ? 0 : 1;
}

async function answerRequest(request: KeychainRequest): Promise<KeychainAnswer> {
  try {
    return await perform(await openKeychain(), request);
  } catch (error) {
    return { ok: false, ...causeOf(error) };
  }
}

async function perform(keychain: Keychain, request: KeychainRequest): Promise<KeychainAnswer> {
  switch (request.op) {
    case 'list':
      return { ok: true, names: await listedAccounts(keychain) };
    case 'read': {
      const value = await keychain.get(request.entry);
      return value === undefined ? { ok: true } : { ok: true, value };
    }
    case 'write':
      await keychain.set(request.entry, request.value);
      if (request.listed !== undefined) await addToIndex(keychain, request.listed);
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
 * Two processes that add at the same moment can undo each other's: each looks again when both must be done. Names are
 * only ever added here; those whose entry is gone do not count.
 */
async function addToIndex(keychain: Keychain, name: string): Promise<void> {
  for (let attempt = 0; attempt < INDEX_ATTEMPTS; attempt += 1) {
    const names = await readIndex(keychain);
    if (!names.includes(name)) await keychain.set(INDEX_ENTRY, JSON.stringify([...names, name]));
    await sleep(SETTLED_MS);
    if ((await readIndex(keychain)).includes(name)) return;
  }
}

/** A name whose entry is gone does not count, so it may stay; the last one takes the index with it. */
async function tidyIndex(keychain: Keychain): Promise<void> {
  if ((await listedAccounts(keychain)).length === 0) await keychain.remove(INDEX_ENTRY);
}

async function readLine(stdin: Readable): Promise<string> {
  let text = '';
  stdin.setEncoding('utf8');
  for await (const chunk of stdin) {
    text += String(chunk);
    const end = text.indexOf('\n');
    if (end >= 0) return text.slice(0, end);
    if (text.length > MAX_REQUEST_CHARACTERS) break;
  }
  // Without its end of line the request is half of one: the parent died, and nothing is done.
  return '';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseRequest(line: string): KeychainRequest | undefined {
  const value = parseJson(line);
  return isRequest(value) ? value : undefined;
}

function isRequest(value: unknown): value is KeychainRequest {
  if (typeof value !== 'object' || value === null || !('op' in value)) return false;
  switch (value.op) {
    case 'list':
      return true;
    case 'read':
      return 'entry' in value && typeof value.entry === 'string';
    case 'write':
      return 'entry' in value && typeof value.entry === 'string' && 'value' in value && isText(value.value);
    case 'delete':
      return 'entries' in value && Array.isArray(value.entries) && value.entries.every(isText);
    default:
      return false;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
