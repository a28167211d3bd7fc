/**
 * The keys of a server's own state. The first one seals and all of them open, so that keys can be replaced.
 */

import { hkdfSync } from 'node:crypto';
import { ConfigError } from '../../base/errors.ts';
import { readPrivateFile } from '../../store/private-file.ts';

const KEY_BYTES = 32;
const MAX_KEYS = 20;
const ID_CHARACTERS = 16;

/** The keys derived from one configured key, a separate one for each use. */
interface StateKey {
  /** Lower-case letters and digits, which reveal nothing about the key. */
  id: string;
  accounts: Uint8Array;
  history: Uint8Array;
}

export interface StateKeys {
  current: StateKey;
  find(id: string): StateKey | undefined;
}

interface StateKeySources {
  /** The path of a file with one key per line. */
  file: string | undefined;
  /** The same keys from the environment. */
  value: string | undefined;
  platform: NodeJS.Platform;
}

/**
 * Reads the keys from the file or the environment.
 * @throws ConfigError with the next step, and never the key
 */
export async function readStateKeys({ file, value, platform }: StateKeySources): Promise<StateKeys> {
  if (file !== undefined && value !== undefined)
    throw new ConfigError(
      'The key of the state is given twice.',
      'Give --state-key-file or SELLER_STATE_KEY.',
    );
  if (file === undefined && value === undefined)
    throw new ConfigError('There is no key for the state of the server.', HOW);
  return parseStateKeys(file === undefined ? (value ?? '') : await readKeyFile(file, platform));
}

async function readKeyFile(file: string, platform: NodeJS.Platform): Promise<string> {
  try {
    return await readPrivateFile(file, platform);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`The key of the state cannot be read: ${reason}.`, HOW);
  }
}

const HOW =
  'Make one with `openssl rand -base64 32`, in a file for --state-key-file (mode 400), or in SELLER_STATE_KEY.';

/**
 * Parses the keys.
 * @throws ConfigError
 */
export function parseStateKeys(text: string): StateKeys {
  const lines = text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const keys = lines.slice(0, MAX_KEYS).map((line, at) => {
    const bytes = Buffer.from(line, 'base64');
    if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(line) || bytes.length !== KEY_BYTES)
      throw new ConfigError(`Key ${at + 1} of the state is not 32 bytes in Base64.`, HOW);
    return toKey(bytes);
  });
  const [current] = keys;
  if (current === undefined) throw new ConfigError('There is no key for the state of the server.', HOW);
  return { current, find: (id) => keys.find((key) => key.id === id) };
}

function toKey(bytes: Uint8Array): StateKey {
  const derive = (use: string) =>
    new Uint8Array(hkdfSync('sha256', bytes, '', `seller-commerce-mcp ${use}`, KEY_BYTES));
  const id = Buffer.from(derive('id')).toString('hex').slice(0, ID_CHARACTERS);
  return { id, accounts: derive('accounts'), history: derive('history') };
}
