/** The operating system's keychain as a store of accounts: each operation is one child process. */

import { parseAccount, parseToken } from '../stored-values.ts';
import type { CredentialStore, StoredAccount } from '../types.ts';
import { askKeychain, type KeychainChildOptions } from './ask-keychain.ts';
import { keychainError } from './keychain-error.ts';
import { accountEntry, type KeychainAnswer, type KeychainRequest, tokenEntry } from './keychain-protocol.ts';

export interface KeychainStoreOptions extends KeychainChildOptions {
  /** `process.platform`: Windows takes 2,560 bytes an entry, and splitting would lose "replaced whole". */
  platform: string;
  /** Puts a request to the keychain; injected in tests. Default: by a child process. */
  ask?: (request: KeychainRequest) => Promise<KeychainAnswer>;
}

const WINDOWS_MAX_BYTES = 2560;

/** One entry per account and one per access token, each replaced whole. Every method throws CredentialError('unreachable'). */
export function createKeychainStore(options: KeychainStoreOptions): CredentialStore {
  const put = options.ask ?? ((request) => askKeychain(options, request));
  const ask = async (request: KeychainRequest): Promise<Extract<KeychainAnswer, { ok: true }>> => {
    checkSize(options.platform, request);
    const answer = await put(request);
    if (!answer.ok) throw keychainError(answer.cause, answer.detail);
    return answer;
  };
  return {
    list: async () => [...((await ask({ op: 'list' })).names ?? [])],
    read: async (account) => {
      const { value } = await ask({ op: 'read', entry: accountEntry(account) });
      return value === undefined ? undefined : parseAccount(account, value);
    },
    write: async (account, value) => {
      await ask({
        op: 'write',
        entry: accountEntry(account),
        value: fitting(options.platform, value),
        listed: account,
      });
    },
    delete: async (account) => {
      const entries = [accountEntry(account), tokenEntry(account)];
      return (await ask({ op: 'delete', entries, unlisted: account })).deleted === true;
    },
    readToken: async (account) => {
      const { value } = await ask({ op: 'read', entry: tokenEntry(account) });
      return value === undefined ? undefined : parseToken(value);
    },
    writeToken: async (account, token) => {
      await ask({ op: 'write', entry: tokenEntry(account), value: JSON.stringify(token) });
    },
    deleteToken: async (account) => {
      await ask({ op: 'delete', entries: [tokenEntry(account)] });
    },
  };
}

/** Where room is short, the older refresh token is what can be done without. */
function fitting(platform: string, value: StoredAccount): string {
  const whole = JSON.stringify(value);
  if (platform !== 'win32' || Buffer.byteLength(whole, 'utf8') <= WINDOWS_MAX_BYTES) return whole;
  return JSON.stringify({ ...value, previousRefreshToken: undefined });
}

function checkSize(platform: string, request: KeychainRequest): void {
  if (platform !== 'win32' || request.op !== 'write') return;
  const bytes = Buffer.byteLength(request.value, 'utf8');
  if (bytes > WINDOWS_MAX_BYTES) throw keychainError('too-large', `${bytes} bytes`);
}
