/** An AccountSource that lives in memory, for tests that need an account but no keychain. */

import type { Account, AccountSource, StoredToken } from '../../src/accounts/account.ts';
import { CredentialError } from '../../src/base/errors.ts';

export interface MemoryAccounts extends AccountSource {
  /** The rotations that were reported, in order. */
  rotations: { name: string; from: string; to: string }[];
  tokens: Map<string, StoredToken>;
  /** The account as another process left it; what `reread` answers. */
  elsewhere: Map<string, Account>;
  set(account: Account): void;
}

export function memoryAccounts(...accounts: Account[]): MemoryAccounts {
  const byName = new Map(accounts.map((account) => [account.name, account]));
  const tokens = new Map<string, StoredToken>();
  const elsewhere = new Map<string, Account>();
  /** The refresh token that a rotated one descends from. */
  const grants = new Map<string, string>();
  const rotations: MemoryAccounts['rotations'] = [];
  const get = async (name: string) => {
    const account = byName.get(name);
    if (account === undefined) throw new CredentialError('missing', `There is no account ${name}.`);
    return account;
  };
  return {
    rotations,
    tokens,
    elsewhere,
    set: (account) => {
      if (account.refreshToken !== byName.get(account.name)?.refreshToken) grants.delete(account.name);
      byName.set(account.name, account);
    },
    names: async () => [...byName.keys()].sort(),
    get,
    profile: async (name) => {
      const account = await get(name);
      return {
        ...account,
        login: { clientId: account.clientId, grant: grants.get(name) ?? account.refreshToken },
      };
    },
    async rotated(name, from, to) {
      rotations.push({ name, from, to });
      const account = await get(name);
      grants.set(name, grants.get(name) ?? account.refreshToken);
      byName.set(name, { ...account, refreshToken: to });
    },
    async reread(name, rejected) {
      const account = elsewhere.get(name);
      if (account === undefined || account.refreshToken === rejected) return undefined;
      byName.set(name, account);
      return account;
    },
    renew: async () => 'keychain',
    readToken: async (name) => tokens.get(name),
    writeToken: async (name, token) => void tokens.set(name, token),
  };
}

/** An account of which only the addresses matter. */
export function testAccount(fields: Partial<Account> & { baseUrl: string }): Account {
  return {
    name: 'default',
    clientId: 'client-1',
    clientSecret: 'secret-canary-1',
    refreshToken: 'refresh-canary-1',
    authUrl: fields.baseUrl,
    ...fields,
  };
}
