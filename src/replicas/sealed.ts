/**
 * Shares values between replicas in the store, sealed with a key that all of them have and bound to their
 * purpose.
 */

import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { execute, put, select, sql } from '../store/statement.ts';
import { StoreUnavailable } from './shared-step.ts';
import { digest, type SharedStore } from './shared-store.ts';

/** The shared parts of the processes of one application. */
export interface Replicas {
  store: SharedStore;
  /** Returns the functions that seal and open with keys that all replicas have. */
  sealer(): Promise<{
    seal(text: string): Promise<string>;
    open(sealed: string): Promise<string | undefined>;
  }>;
}

/**
 * Seals a text for a purpose.
 * @throws StoreAway when there is no key, because the store is then useless
 */
export async function sealFor(
  what: string,
  text: string,
  { sealer }: Pick<Replicas, 'sealer'>,
): Promise<string> {
  try {
    return await (await sealer()).seal(`${digest(what)}\n${text}`);
  } catch {
    throw new StoreUnavailable('there is no key to seal with');
  }
}

/** Opens a sealed text; undefined when it was damaged, sealed for another purpose, or its key is missing. */
export async function openFor(
  what: string,
  sealed: string,
  { sealer }: Pick<Replicas, 'sealer'>,
): Promise<string | undefined> {
  // A sealed text that lacked its purpose could replace another one.
  const bound = `${digest(what)}\n`;
  const text = await sealer()
    .then((own) => own.open(sealed))
    .catch(() => undefined);
  return text?.startsWith(bound) ? text.slice(bound.length) : undefined;
}

// Each name has one value, the last one stored.

/**
 * Stores a value and returns its ID.
 * @param livesMs its lifetime in milliseconds
 * @throws StoreAway
 */
export async function storeValue(
  name: string,
  text: string,
  livesMs: number,
  replicas: Replicas,
): Promise<string> {
  const sealed = await sealFor(name, text, replicas);
  const id = randomUUID();
  await replicas.store.run(name, ({ now }) =>
    execute(put('kept', 'name', { name, expires: now + livesMs * 1000, id, sealed })),
  );
  return id;
}

const sealedRow = z.object({ id: z.string(), sealed: z.string() });

/**
 * Reads a value; undefined when there is none or it cannot be opened.
 * @param known the ID of a value that need not be returned again
 * @throws StoreAway
 */
export async function readValue(
  name: string,
  replicas: Replicas,
  known = '',
): Promise<{ id: string; text: string } | undefined> {
  const [row] = await replicas.store.run(
    name,
    ({ now }) =>
      select(
        sql`SELECT id, sealed FROM kept WHERE name = ${name} AND id <> ${known} AND expires > ${now}`,
        sealedRow,
      ),
    false,
  );
  const text = row && (await openFor(name, row.sealed, replicas));
  return text === undefined || row === undefined ? undefined : { id: row.id, text };
}

/**
 * Deletes a value.
 * @throws StoreAway
 */
export const dropValue = (name: string, { store }: Replicas): Promise<void> =>
  store.run(name, () => execute(sql`DELETE FROM kept WHERE name = ${name}`));
