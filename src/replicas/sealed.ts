/** Replicas keep values for one another in the store: sealed under a key that all of them have, and bound to their purpose. */

import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { execute, put, select, sql } from '../disk/statement.ts';
import { StoreAway } from './shared-step.ts';
import { digest, type SharedStore } from './shared-store.ts';

/** The processes of one application have these together. */
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
  // A sealed text that does not say its purpose could be put in the place of another's.
  const bound = `${digest(what)}\n`;
  const text = await sealer()
    .then((own) => own.open(sealed))
    .catch(() => undefined);
  return text?.startsWith(bound) ? text.slice(bound.length) : undefined;
}

// Each name has one value, the last that was kept.

/** Returns its id. @param livesMs for how many milliseconds @throws StoreAway */
export async function keepValue(
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

const keptRow = z.object({ id: z.string(), sealed: z.string() });

/**
 * Undefined where there is none, or it cannot be opened.
 * @param known the id of one that is not wanted again @throws StoreAway
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
        keptRow,
      ),
    false,
  );
  const text = row && (await openFor(name, row.sealed, replicas));
  return text === undefined || row === undefined ? undefined : { id: row.id, text };
}

/** @throws StoreAway */
export const dropValue = (name: string, { store }: Replicas): Promise<void> =>
  store.run(name, () => execute(sql`DELETE FROM kept WHERE name = ${name}`));
