/** Stores accounts in the operating system's keychain; each operation runs one child process. */

import { CredentialError } from '../../base/errors.ts';
import { howToLogin } from '../../base/invocation.ts';
import { byteLength, parseJson } from '../../base/json.ts';
import {
  type CredentialStore,
  type StoredAccount,
  type StoredToken,
  storedAccountSchema,
  storedTokenSchema,
} from '../account.ts';
import { KeychainError } from './keychain-failure.ts';
import {
  accountEntry,
  type KeychainAnswer,
  type KeychainRequest,
  keyEntry,
  tokenEntry,
} from './keychain-protocol.ts';
import { type KeychainChildOptions, requestKeychain } from './request-keychain.ts';

export interface KeychainStoreOptions extends KeychainChildOptions {
  /**
   * `process.platform`. Windows limits an entry to 2,560 bytes, and a split entry could not be replaced
   * atomically.
   */
  platform: string;
  /** Sends a request to the keychain, by default through a child process; injected in tests. */
  ask?: AskKeychain | undefined;
}

/** Sends a request. Never rejects; a failure is an answer too. */
type AskKeychain = (request: KeychainRequest) => Promise<KeychainAnswer>;

const WINDOWS_MAX_BYTES = 2560;

/**
 * Stores one entry per account, per access token and per key, and replaces each whole. Every method throws
 * CredentialError('unreachable').
 */
export function createKeychainStore(options: KeychainStoreOptions): CredentialStore {
  const put = options.ask ?? ((request) => requestKeychain(options, request));
  const sendRequest = async (request: KeychainRequest): Promise<Extract<KeychainAnswer, { ok: true }>> => {
    checkSize(options.platform, request);
    const answer = await put(request);
    if (!answer.ok) throw new KeychainError(answer.cause, answer.detail);
    return answer;
  };
  return {
    list: async () => [...((await sendRequest({ op: 'list' })).names ?? [])],
    read: async (account) => {
      const { value } = await sendRequest({ op: 'read', entry: accountEntry(account), listed: account });
      return value === undefined ? undefined : parseAccount(account, value);
    },
    write: async (account, value) => {
      await sendRequest({
        op: 'write',
        entry: accountEntry(account),
        value: fitting(options.platform, value),
        listed: account,
      });
    },
    delete: async (account) => {
      const entries = [accountEntry(account), tokenEntry(account)];
      return (await sendRequest({ op: 'delete', entries, unlisted: account })).deleted === true;
    },
    readToken: async (account) => {
      const { value } = await sendRequest({ op: 'read', entry: tokenEntry(account) });
      return value === undefined ? undefined : parseToken(value);
    },
    writeToken: async (account, token) => {
      await sendRequest({ op: 'write', entry: tokenEntry(account), value: JSON.stringify(token) });
    },
    deleteToken: async (account) => {
      await sendRequest({ op: 'delete', entries: [tokenEntry(account)] });
    },
    readKey: async (id) => (await sendRequest({ op: 'read', entry: keyEntry(id) })).value,
    writeKey: async (id, key) => {
      await sendRequest({ op: 'write', entry: keyEntry(id), value: key });
    },
  };
}

/** Drops the older refresh token where the entry would be too large, because it is the least needed value. */
function fitting(platform: string, value: StoredAccount): string {
  const whole = JSON.stringify(value);
  if (platform !== 'win32' || byteLength(whole) <= WINDOWS_MAX_BYTES) return whole;
  return JSON.stringify({ ...value, previousRefreshToken: undefined });
}

function checkSize(platform: string, request: KeychainRequest): void {
  if (platform !== 'win32' || request.op !== 'write') return;
  const bytes = byteLength(request.value);
  if (bytes > WINDOWS_MAX_BYTES) throw new KeychainError('too-large', `${bytes} bytes`);
}

/**
 * Parses a keychain entry.
 * @throws CredentialError when the entry was not written by this program
 */
export function parseAccount(name: string, text: string): StoredAccount {
  const parsed = storedAccountSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new CredentialError(
    'unreachable',
    `The keychain entry of account "${name}" cannot be read: it was written by something else, or damaged.`,
    `To replace it, ${howToLogin(name)}.`,
  );
}

/** Parses an access token. A damaged one counts as missing, so the next exchange replaces it. */
export function parseToken(text: string): StoredToken | undefined {
  const parsed = storedTokenSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}
