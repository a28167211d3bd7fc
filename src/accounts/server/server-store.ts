/** The accounts of a server: mounted secrets, and sealed files for the state that changes afterwards. */

import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { AppError, CredentialError, codeOf } from '../../base/errors.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import { makeFolder, syncFolder } from '../../store/make-folder.ts';
import { readPrivateFile } from '../../store/private-file.ts';
import {
  type CredentialStore,
  isAccountName,
  type StoredAccount,
  type StoredToken,
  storedAccountSchema,
} from '../account.ts';
import { grantOf } from '../rotation.ts';
import { secretEndOf } from '../secret-life.ts';
import type { StateKeys } from './state-keys.ts';

const ENDING = '.json';
const SEALED_ENDING = '.jwe';

/** A mounted secret: an account, and the end of its client secret if the operator knows it. */
const secretSchema = storedAccountSchema
  .omit({ previousRefreshToken: true, grantId: true, secretSince: true })
  .extend({ clientSecretUntil: z.iso.date().optional() })
  .strict();
type Secret = z.output<typeof secretSchema>;

/**
 * The state that changes after mounting. Its only secrets are refresh tokens, which are useless without the
 * mounted file.
 */
const stateSchema = z.object({
  /**
   * The account name, sealed with the rest so that no file can replace another account's. Older files lack
   * it.
   */
  account: z.string().optional(),
  /** The time when this client secret was first seen, in milliseconds since the epoch. */
  secret: z.object({ digest: z.string(), since: z.number() }).optional(),
  rotated: z
    .object({
      /** Hash of the mounted client ID and refresh token; other values are another login. */
      of: z.string(),
      refreshToken: z.string(),
      previousRefreshToken: z.string().optional(),
      grantId: z.string().optional(),
    })
    .optional(),
});
type SealedState = z.output<typeof stateSchema>;

export interface ServerStoreOptions {
  /** The folder of mounted secrets, which is never written to: one file per account, `<name>.json`. */
  secretsDir: string;
  stateDir: string;
  keys: StateKeys;
  platform: NodeJS.Platform;
  /** Milliseconds since the epoch. */
  now(): number;
}

interface SecretEnd {
  account: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** False when the end is computed from when the secret was first seen; it may end earlier. */
  isExact: boolean;
}

export type ServerStore = CredentialStore & {
  /**
   * Seals again with the current key what an earlier key sealed.
   * @throws CredentialError for a file that no key opens
   */
  sealAnew(): Promise<void>;
  /**
   * Returns when the client secrets end. Unreadable ones are left out, because their next use reports them.
   */
  secretEnds(): Promise<SecretEnd[]>;
};

export function createServerStore(options: ServerStoreOptions): ServerStore {
  const { secretsDir, stateDir, keys, platform, now } = options;
  const folder = join(stateDir, 'accounts');
  const sealed = openSealed(folder, keys);
  /** The last readable mounted secrets, so that a refresh token that came from one can still be stored. */
  const lastRead = new Map<string, Secret>();
  /** Access tokens stay in memory; a restarted process exchanges one more. */
  const tokens = new Map<string, StoredToken>();

  const list = async (): Promise<string[]> => {
    const names = await readdir(secretsDir).catch((error: unknown) => {
      throw unreadable('The folder of secrets cannot be read', error);
    });
    return names
      .filter((name) => name.endsWith(ENDING))
      .map((name) => name.slice(0, -ENDING.length))
      .filter(isAccountName)
      .sort();
  };
  const readSecret = async (name: string): Promise<Secret | undefined> => {
    if (!isAccountName(name)) return undefined;
    const text = await readPrivateFile(join(secretsDir, `${name}${ENDING}`), platform).catch(
      (error: unknown) => {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw unreadable(`The secret of account ${name} cannot be used`, error);
      },
    );
    if (text === undefined) return undefined;
    const secret = parseSecret(name, text);
    lastRead.set(name, secret);
    return secret;
  };
  const track = async (name: string, { clientSecret }: Secret, state: SealedState): Promise<SealedState> => {
    const digest = sha256(clientSecret);
    if (state.secret?.digest === digest) return state;
    const noted = { ...state, secret: { digest, since: now() } };
    await sealed.write(name, noted);
    return noted;
  };
  const queue = createAccountQueue();

  return {
    list,
    read: (name) =>
      queue(name, async () => {
        const secret = await readSecret(name);
        if (secret === undefined) return undefined;
        const { rotated } = await track(name, secret, await sealed.read(name));
        const { clientSecretUntil: _until, ...account } = secret;
        if (rotated?.of !== loginOf(account)) return account;
        const { of: _of, ...newer } = rotated;
        return { ...account, ...newer };
      }),
    write: (name, { refreshToken, previousRefreshToken, grantId }) =>
      queue(name, async () => {
        const secret = await readSecret(name).catch((error: unknown) => {
          const last = lastRead.get(name);
          if (last === undefined) throw error;
          return last;
        });
        if (secret === undefined) return;
        const of = loginOf(secret);
        const rotated = { of, refreshToken, previousRefreshToken, grantId: grantId ?? grantOf(secret) };
        await sealed.write(name, { ...(await sealed.read(name)), rotated });
      }),
    delete: async () => false,
    readToken: async (name) => tokens.get(name),
    writeToken: async (name, token) => void tokens.set(name, token),
    deleteToken: async (name) => void tokens.delete(name),
    readKey: async () => undefined,
    writeKey: async () => {
      throw new CredentialError('unreachable', 'A server keeps no keys of its own.', '');
    },
    async sealAnew() {
      for (const name of await sealed.list()) {
        await queue(name, async () => {
          const { state, isOld } = await sealed.open(name);
          if (isOld) await sealed.write(name, state);
        });
      }
    },
    async secretEnds() {
      const ends: SecretEnd[] = [];
      for (const account of await list()) {
        try {
          const secret = await readSecret(account);
          if (secret === undefined) continue;
          const state = await queue(account, async () => track(account, secret, await sealed.read(account)));
          const since = state.secret?.since ?? now();
          const at =
            secret.clientSecretUntil === undefined
              ? secretEndOf(since)
              : Date.parse(secret.clientSecretUntil);
          ends.push({ account, at, isExact: secret.clientSecretUntil !== undefined });
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
        }
      }
      return ends;
    },
  };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const loginOf = ({ clientId, refreshToken }: Pick<StoredAccount, 'clientId' | 'refreshToken'>) =>
  sha256(`${clientId}\n${refreshToken}`);

/**
 * Parses a mounted secret.
 * @throws CredentialError that names each mistake, and no value
 */
function parseSecret(name: string, text: string): Secret {
  const value = parseJson(text);
  const { data, error } = secretSchema.safeParse(value);
  if (data !== undefined) return data;
  const problems = isJsonObject(value) ? error.issues.map(formatMistake) : ['it is no JSON object'];
  throw new CredentialError(
    'unreachable',
    `The secret of account ${name} has a mistake: ${problems.slice(0, 5).join('; ')}.`,
    'It is a JSON object with clientId, clientSecret, refreshToken, region (or baseUrl and authUrl), and at will sellerId, marketplaceId and clientSecretUntil (a date).',
  );
}

/** Names the member and the required form, never the value. */
function formatMistake(issue: z.core.$ZodIssue): string {
  const name = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') return `there is no ${issue.keys.join(', ')}`;
  if (name === 'region') return 'region has to be na, eu or fe';
  if (name === 'clientSecretUntil') return 'clientSecretUntil has to be a day such as 2027-05-24';
  if (issue.code === 'too_small') return `${name} is empty`;
  if (issue.code === 'invalid_type') return `${name} is missing, or no text`;
  return issue.code === 'custom' ? `${name}: ${issue.message}` : `${name} is not what it has to be`;
}

function unreadable(what: string, error: unknown): CredentialError {
  if (error instanceof CredentialError) return error;
  const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
  const hint = error instanceof AppError ? error.hint : 'Whoever runs this server can put that right.';
  return new CredentialError('unreachable', `${what}: ${reason}.`, hint, { cause: error });
}

// Sealed files are written whole under a temporary name and flushed to the disk before they are renamed.

function openSealed(folder: string, keys: StateKeys) {
  const pathOf = (name: string) => join(folder, `${name}${SEALED_ENDING}`);

  const opened = async (name: string): Promise<{ state: SealedState; isOld: boolean }> => {
    const text = await readFile(pathOf(name), 'utf8').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw unreadable(`What is kept of account ${name} cannot be read`, error);
    });
    if (text === undefined) return { state: {}, isOld: false };
    const { compactDecrypt, decodeProtectedHeader } = await import('jose');
    try {
      const { kid = '' } = decodeProtectedHeader(text);
      const key = keys.find(kid);
      if (key === undefined) throw new Error(`it was sealed with the key ${/^\w{1,64}$/.exec(kid)?.[0]}`);
      const { plaintext } = await compactDecrypt(text, key.accounts, ALGORITHMS);
      const state = stateSchema.parse(parseJson(Buffer.from(plaintext).toString('utf8')));
      if ((state.account ?? name) !== name) throw new Error('it was kept of another account');
      return { state, isOld: key.id !== keys.current.id };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new CredentialError(
        'unreachable',
        `What is kept of account ${name} cannot be opened: ${reason}.`,
        'Whoever runs this server gives the key that sealed it beside the new one, or removes the file and authorizes the account anew.',
        { cause },
      );
    }
  };
  return {
    open: opened,
    read: async (name: string) => (await opened(name)).state,
    async list(): Promise<string[]> {
      const names = await readdir(folder).catch(() => []);
      return names
        .filter((name) => name.endsWith(SEALED_ENDING))
        .map((name) => name.slice(0, -SEALED_ENDING.length))
        .filter(isAccountName);
    },
    /**
     * Writes the state; it is on the disk when it resolves.
     * @throws CredentialError
     */
    async write(name: string, state: SealedState): Promise<void> {
      const { CompactEncrypt } = await import('jose');
      const { id, accounts } = keys.current;
      const text = await new CompactEncrypt(Buffer.from(JSON.stringify({ ...state, account: name })))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: id })
        .encrypt(accounts);
      const draft = join(folder, `${name}.${randomBytes(8).toString('hex')}.draft`);
      try {
        await makeFolder(folder, 0o700);
        const handle = await open(draft, 'wx', 0o600);
        try {
          await handle.writeFile(text);
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(draft, pathOf(name));
        await syncFolder(folder);
      } catch (error) {
        await rm(draft, { force: true }).catch(() => undefined);
        throw unreadable(`What is to be kept of account ${name} cannot be written`, error);
      }
    },
  };
}

const ALGORITHMS = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/** Serializes the work on one account, so that each read sees the last write. */
function createAccountQueue() {
  const ends = new Map<string, Promise<unknown>>();
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const current = (ends.get(name) ?? Promise.resolve()).then(work);
    const end = current.catch(() => undefined);
    ends.set(name, end);
    try {
      return await current;
    } finally {
      if (ends.get(name) === end) ends.delete(name);
    }
  };
}
