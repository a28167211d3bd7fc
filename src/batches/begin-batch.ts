/** Puts a confirmed list on the disk, once: before that nothing may be sent. */

import { InputError } from '../errors.ts';
import { parseJson } from '../json.ts';
import type { Sealer } from '../sealed/sealer.ts';
import type { BatchDisk, StoredBatch } from './disk.ts';
import type { Kept } from './lines.ts';
import { buildLines } from './list-lines.ts';
import { isOver } from './summary.ts';
import type { BatchItem, BatchList, BatchSummary } from './types.ts';

export interface BeginParts {
  disk: BatchDisk;
  sealer: Sealer;
  /** Milliseconds since the epoch. */
  now(): number;
  randomId(): string;
  /** The one of the same call that is there. */
  findSame(list: BatchList): Promise<BatchSummary | undefined>;
  /** Remembers what may not be written. */
  keepInMemory(id: string, items: readonly BatchItem[]): void;
}

/** @throws InputError as `Batches.begin`; the system's error, and what the sealer throws, when it cannot be written */
export async function beginBatch(
  list: BatchList,
  { disk, sealer, now, randomId, findSame, keepInMemory }: BeginParts,
): Promise<{ id: string; isNew: boolean }> {
  const items = checkItems(list);
  const kept = await howKept(list, sealer);
  return disk.inTurn(async () => {
    const same = await findSame(list);
    if (same !== undefined && !isOver(same.state)) {
      if (same.digest !== list.digest) throw anotherIsOpen(same);
      return { id: same.id, isNew: false };
    }
    const id = freeId(await disk.list(), randomId);
    const { account, owner, tool, asked, digest, words, shownAt } = list;
    const head = { id, account, owner, tool, asked, digest, words, shownAt, createdAt: now() };
    // Before: whoever finds the file finds them too.
    if (kept === 'memory') keepInMemory(id, items);
    await disk.create(id, await buildLines(head, items, kept, sealer));
    return { id, isNew: true };
  });
}

async function howKept({ personal }: BatchList, sealer: Sealer): Promise<Kept> {
  if (await sealer.canSeal()) return 'sealed';
  return personal ? 'memory' : 'clear';
}

function anotherIsOpen({ words }: BatchSummary): InputError {
  return new InputError(
    `Another list of the same call is open: ${words}; nothing was sent.`,
    'The same call again goes on with it, or stop it first.',
  );
}

/** As they come back from the disk. */
function checkItems({ items, words }: BatchList): readonly BatchItem[] {
  if (items.length === 0) throw new InputError('The list is empty; there is nothing to send.', '');
  const seen = new Set<string>();
  for (const { key } of items) {
    if (seen.has(key)) throw new InputError(`${key} stands twice in the list (${words}).`, 'Name it once.');
    seen.add(key);
  }
  return items.map(({ key, value }) => ({ key, value: parseJson(JSON.stringify(value) ?? 'null') }));
}

function freeId(stored: readonly StoredBatch[], randomId: () => string): string {
  const taken = new Set(stored.map(({ id }) => id));
  for (;;) {
    const id = randomId();
    if (!taken.has(id)) return id;
  }
}
