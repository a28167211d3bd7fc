/**
 * Makes the sealing key once and stores it in the keychain under an id. A file of the state folder names the
 * id.
 */

import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CredentialStore } from '../../accounts/account.ts';
import { CredentialError } from '../../base/errors.ts';
import { makeFolder } from '../../store/make-folder.ts';
import { openFile } from '../../store/open-file.ts';
import { KEY_BYTES, type SealingKey, type SealingKeys } from './sealer.ts';

interface KeychainKeysOptions {
  folder: string;
  store: Pick<CredentialStore, 'readKey' | 'writeKey'>;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
}

/** The name of the file with the id, which is no secret. */
const FILE_NAME = 'sealing-key';
const ID = /^[0-9a-f]{16}$/;
const ID_BYTES = 8;

/** The delay before a keychain that failed is tried again, so that not every write waits for it. */
const RETRY_MS = 60_000;

/** Returns one key that is stored elsewhere, by default a new one for this process. */
export function createSingleKey(key = makeKey()): SealingKeys {
  return { current: async () => key, find: async (id) => (id === key.id ? key : undefined) };
}

/**
 * Lets two processes that make a key at once agree. The file can be made only once, and the later process
 * uses the key named there. Every sealed text names its own key, so that replacing the key makes nothing
 * unreadable.
 */
export function createKeychainKeys({ folder, store, now }: KeychainKeysOptions): SealingKeys {
  const path = join(folder, FILE_NAME);
  const known = new Map<string, SealingKey>();
  let current: Promise<SealingKey> | undefined;
  let failure: { error: unknown; at: number } | undefined;

  const find = async (id: string): Promise<SealingKey | undefined> => {
    const cachedKey = known.get(id);
    if (cachedKey !== undefined) return cachedKey;
    const bytes = Buffer.from((await store.readKey(id)) ?? '', 'base64');
    if (bytes.length !== KEY_BYTES) return undefined;
    const key = { id, bytes };
    known.set(id, key);
    return key;
  };

  const findOrMakeKey = async (): Promise<SealingKey> => {
    const storedId = await readId(path);
    const existingKey = storedId === undefined ? undefined : await find(storedId);
    if (existingKey !== undefined) return existingKey;
    const key = makeKey();
    // The key is stored in the keychain before anyone can read its id.
    await store.writeKey(key.id, Buffer.from(key.bytes).toString('base64'));
    known.set(key.id, key);
    const chosen = await writeId(path, key.id, storedId !== undefined);
    return (chosen === key.id ? undefined : await find(chosen)) ?? key;
  };

  return {
    find,
    async current() {
      if (failure !== undefined && now() - failure.at < RETRY_MS) throw failure.error;
      current ??= findOrMakeKey().catch((cause: unknown) => {
        current = undefined;
        failure = { error: toCredentialError(cause), at: now() };
        throw failure.error;
      });
      return current;
    },
  };
}

function makeKey(): SealingKey {
  return { id: randomBytes(ID_BYTES).toString('hex'), bytes: randomBytes(KEY_BYTES) };
}

async function readId(path: string): Promise<string | undefined> {
  const handle = await openFile(path, constants.O_RDONLY).catch(() => undefined);
  try {
    const text = (await handle?.readFile('utf8'))?.trim() ?? '';
    return ID.test(text) ? text : undefined;
  } finally {
    await handle?.close();
  }
}

/** @param replaces the file names a key that is gone */
async function writeId(path: string, id: string, replaces: boolean): Promise<string> {
  const newPath = `${path}.${id}`;
  await makeFolder(join(path, '..'), 0o700);
  const handle = await open(newPath, 'wx', 0o600);
  try {
    await handle.writeFile(`${id}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (!replaces) {
    const isFirst = await link(newPath, path).then(
      () => true,
      () => false,
    );
    if (isFirst) {
      await rm(newPath, { force: true });
      return id;
    }
    const storedId = await readId(path);
    if (storedId !== undefined) {
      await rm(newPath, { force: true });
      return storedId;
    }
  }
  // The file is damaged or names a missing key, or the disk has no links.
  await rename(newPath, path);
  return id;
}

function toCredentialError(cause: unknown): CredentialError {
  if (cause instanceof CredentialError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CredentialError('unreachable', `The key of what is kept here cannot be used: ${reason}.`, '', {
    cause,
  });
}
