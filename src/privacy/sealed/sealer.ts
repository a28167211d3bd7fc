/** Encrypts what lies on disk and is for this person alone: AES-256-GCM under a key of the keychain. */

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ConfigError } from '../../base/errors.ts';

export interface Sealer {
  /** False where there is no keychain, or it does not answer: nothing can be sealed then. */
  canSeal(): Promise<boolean>;
  /** One line of printable characters. @throws ConfigError where nothing can be sealed */
  seal(text: string): Promise<string>;
  /** Undefined for what was damaged, or sealed under a key that is gone. @throws CredentialError when the keychain does not answer */
  open(sealed: string): Promise<string | undefined>;
}

/** Keys by their ids, wherever they are kept. */
export interface Keys {
  /** The one that is sealed with now, made at first use. @throws CredentialError where none can be kept */
  current(): Promise<Key>;
  /** Undefined where it is gone. @throws CredentialError when it cannot be read */
  find(id: string): Promise<Key | undefined>;
}

export interface Key {
  /** Letters and digits; no part of the key. */
  id: string;
  bytes: Uint8Array;
}

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';
const SEALED = /^v1\.([0-9a-z]{1,64})\.([A-Za-z0-9_-]+)$/;

export function createSealer(keys: Keys): Sealer {
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

/** The key's id is part of what is authenticated. */
const toContext = (id: string) => Buffer.from(`${VERSION}.${id}`);

function decrypt({ id, bytes: key }: Key, bytes: Buffer): string | undefined {
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
