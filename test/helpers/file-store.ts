/** A store in files, for tests on machines without a keychain: each account is replaced whole, by renaming. Never part of the program. */

import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseAccount } from '../../src/credentials/stored-values.ts';
import type { CredentialStore } from '../../src/credentials/types.ts';

export function createFileStore(folder: string): CredentialStore {
  const fileOf = (account: string) => path.join(folder, `${account}.json`);
  return {
    list: async () => [],
    read: async (account) => {
      const text = await readFile(fileOf(account), 'utf8').catch(() => undefined);
      return text === undefined ? undefined : parseAccount(account, text);
    },
    write: async (account, value) => {
      const unfinished = `${fileOf(account)}.${process.pid}`;
      await writeFile(unfinished, JSON.stringify(value));
      await rename(unfinished, fileOf(account));
    },
    delete: async (account) => {
      await rm(fileOf(account), { force: true });
      return true;
    },
    readToken: async () => undefined,
    writeToken: async () => undefined,
    deleteToken: async () => undefined,
  };
}
