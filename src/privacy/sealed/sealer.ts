/** Encrypts data on disk that only this user may read: AES-256-GCM with a key of the keychain. */

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ConfigError } from '../../base/errors.ts';

export interface Sealer {
  /** False if there is no keychain or it does not answer: nothing can be sealed then. */
  canSeal(): Promise<boolean>;
  /** Returns one line of printable characters. @throws ConfigError if nothing can be sealed */
  seal(text: string): Promise<string>;
  /**
   * Returns undefined for a text that was damaged, or sealed with a key that is gone.
   * @throws CredentialError when the keychain does not answer
   */
  open(sealed: string): Promise<string | undefined>;
}

/** Keys by their ids, wherever they are stored. */
export interface SealingKeys {
  /** Returns the key for sealing, made at first use. @throws CredentialError if none can be stored */
  current(): Promise<SealingKey>;
  /** Returns undefined if the key is gone. @throws CredentialError when it cannot be read */
  find(id: string): Promise<SealingKey | undefined>;
}

export interface SealingKey {
  /** Letters and digits, which are no part of the key. */
  id: string;
  bytes: Uint8Array;
}

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';
const SEALED = /^v1\.([0-9a-z]{1,64})\.([A-Za-z0-9_-]+)$/;

export function createSealer(keys: SealingKeys): Sealer {
  return {
    async canSeal() {
      const key = await keys.current().catch(() => undefined);
      return key !== undefined;
    },
    async seal(text) {
      const key = await keys.current().catch((cause: unknown) => {
        throw new ConfigError('There is no key to seal with: the keychain cannot be used.', '', { cause });
      });
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce).setAAD(toContext(key.id));
      const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${VERSION}.${key.id}.${bytes.toString('base64url')}`;
    },
    async open(sealed) {
      const [, id, text] = SEALED.exec(sealed) ?? [];
      if (id === undefined || text === undefined) return undefined;
      const key = await keys.find(id);
      return key && decrypt(key, Buffer.from(text, 'base64url'));
    },
  };
}

/** The key's id is part of the authenticated data. */
const toContext = (id: string) => Buffer.from(`${VERSION}.${id}`);

function decrypt({ id, bytes: key }: SealingKey, bytes: Buffer): string | undefined {
  if (bytes.length < NONCE_BYTES + TAG_BYTES || key.length !== KEY_BYTES) return undefined;
  const end = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(toContext(id))
    .setAuthTag(bytes.subarray(end));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, end)), decipher.final()]).toString(
      'utf8',
    );
  } catch {
    return undefined;
  }
}
