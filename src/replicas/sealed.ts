/** What replicas keep for one another in the store: sealed under a key that all of them have, and bound to what it is for. */

import { script } from './script.ts';
import { digest, type SharedStore, StoreAway } from './shared-store.ts';

/** What the processes of one application have together. */
export interface Replicas {
  store: SharedStore;
  /** Under keys that all of them have. */
  sealer(): Promise<{
    seal(text: string): Promise<string>;
    open(sealed: string): Promise<string | undefined>;
  }>;
}

/** @throws StoreAway where there is no key: a store is then as good as none */
export async function sealFor(
  what: string,
  text: string,
  { sealer }: Pick<Replicas, 'sealer'>,
): Promise<string> {
  try {
    return await (await sealer()).seal(`${digest(what)}\n${text}`);
  } catch {
    throw new StoreAway('there is no key to seal with');
  }
}

/** Undefined for what was damaged, was sealed for something else, or under a key that is not to be had. */
export async function openFor(
  what: string,
  sealed: string,
  { sealer }: Pick<Replicas, 'sealer'>,
): Promise<string | undefined> {
  // Where the text that is sealed does not say what it is for, another's could be put in its place.
  const bound = `${digest(what)}\n`;
  const text = await sealer()
    .then((own) => own.open(sealed))
    .catch(() => undefined);
  return text?.startsWith(bound) ? text.slice(bound.length) : undefined;
}

/** Under this key alone, for so many milliseconds. @throws StoreAway */
export async function keepValue(
  key: string,
  text: string,
  livesMs: number,
  replicas: Replicas,
): Promise<void> {
  await replicas.store.run(
    KEEP,
    [key],
    [await sealFor(key, text, replicas), Math.max(1, Math.round(livesMs))],
  );
}

/** Undefined where there is none, or it cannot be opened. @throws StoreAway */
export async function readValue(key: string, replicas: Replicas): Promise<string | undefined> {
  const sealed = await replicas.store.run(READ, [key], []);
  return typeof sealed === 'string' ? openFor(key, sealed, replicas) : undefined;
}

/** ARGV: sealed text, milliseconds that it is kept. */
const KEEP = script(`return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`);
const READ = script(`return redis.call('GET', KEYS[1])`);
