/**
 * Stores accounts in memory for values from arguments, the environment and the sandbox, until the process
 * ends.
 */

import type { CredentialStore, StoredAccount, StoredToken } from './account.ts';

export function createMemoryStore(accounts: Readonly<Record<string, StoredAccount>> = {}): CredentialStore {
  const values = new Map(Object.entries(accounts));
  const tokens = new Map<string, StoredToken>();
  const keys = new Map<string, string>();
  return {
    list: async () => [...values.keys()].sort(),
    read: async (account) => values.get(account),
    write: async (account, value) => void values.set(account, value),
    delete: async (account) => {
      tokens.delete(account);
      return values.delete(account);
    },
    readToken: async (account) => tokens.get(account),
    writeToken: async (account, token) => void tokens.set(account, token),
    deleteToken: async (account) => void tokens.delete(account),
    readKey: async (id) => keys.get(id),
    writeKey: async (id, key) => void keys.set(id, key),
  };
}
