/** A store in files, for tests on machines without a keychain: each account is replaced whole, by renaming. Never part of the program. */

import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CredentialStore } from '../../src/accounts/account.ts';
import { parseAccount, parseToken } from '../../src/accounts/keychain/keychain-store.ts';

export function createFileStore(folder: string): CredentialStore {
  const fileOf = (account: string, kind: 'account' | 'token' | 'key') =>
    path.join(folder, `${account}.${kind}.json`);
  const read = (file: string) => readFile(file, 'utf8').catch(() => undefined);
  const write = async (file: string, value: unknown): Promise<void> => {
    const unfinished = `${file}.${process.pid}`;
    await writeFile(unfinished, JSON.stringify(value));
    await rename(unfinished, file);
  };
  return {
    list: async () => [],
    read: async (account) => {
      const text = await read(fileOf(account, 'account'));
      return text === undefined ? undefined : parseAccount(account, text);
    },
    write: (account, value) => write(fileOf(account, 'account'), value),
    delete: async (account) => {
      await rm(fileOf(account, 'token'), { force: true });
      await rm(fileOf(account, 'account'), { force: true });
      return true;
    },
    readToken: async (account) => {
      const text = await read(fileOf(account, 'token'));
      return text === undefined ? undefined : parseToken(text);
    },
    writeToken: (account, token) => write(fileOf(account, 'token'), token),
    readKey: async (id) => {
      const key: unknown = JSON.parse((await read(fileOf(id, 'key'))) ?? 'null');
      return typeof key === 'string' ? key : undefined;
    },
    writeKey: (id, key) => write(fileOf(id, 'key'), key),
    deleteToken: (account) => rm(fileOf(account, 'token'), { force: true }),
  };
}
