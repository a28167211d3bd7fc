/** Stops running or unfinished batches between two items, whichever server works on them. */

import { InputError } from '../../../base/errors.ts';
import type { Sealer } from '../../../privacy/sealed/sealer.ts';
import { openBatches } from './batches.ts';
import { formatItemCounts } from './format-unfinished.ts';
import type { BatchInfo, BatchSummary } from './summary.ts';

/**
 * @param id the id of one batch; all of them if it is absent
 * @returns a sentence for each, and the same as data
 * @throws InputError if the batch is not open
 */
export async function stopBatches(
  id: string | undefined,
  where: Pick<Parameters<typeof openBatches>[0], 'store' | 'shared'>,
) {
  const batches = await openBatches({ ...where, sealer: closed });
  const open = (await batches.list()).filter(isOpen);
  const chosen = id === undefined ? open : open.filter((batch) => batch.id === id);
  if (id !== undefined && chosen.length === 0) throw notOpen(id, open);
  const stopped = await Promise.all(chosen.map((batch) => batches.stop(batch.id)));
  return stopped.flatMap((info) => (info === undefined ? [] : { words: describe(info), data: toJson(info) }));
}

/** A stop needs none of the values, so the keychain is not used. */
const closed: Sealer = {
  canSeal: async () => false,
  seal: () => Promise.reject(new Error('Nothing is sealed here.')),
  open: async () => undefined,
};

function isOpen({ state }: BatchSummary): boolean {
  return state === 'under_way' || state === 'elsewhere' || state === 'unfinished';
}

function describe(info: BatchInfo): string {
  const { id, account, tool, words, counts } = info;
  const how = isOpen(info) ? 'Told to stop (its last item is still under way)' : 'Stopped';
  return `${how}: ${words} (${tool}, account ${account}, batch ${id}): ${formatItemCounts(counts)}.`;
}

function toJson({ id, account, tool, words, state, total, counts, createdAt }: BatchInfo) {
  const confirmedAt = new Date(createdAt).toISOString();
  return { id, account, tool, words, state, total, counts, confirmedAt };
}

function notOpen(id: string, open: readonly BatchSummary[]): InputError {
  return new InputError(
    `No list of writes called ${JSON.stringify(id)} is under way or unfinished.`,
    open.length === 0 ? 'None is.' : `These are: ${open.map((batch) => batch.id).join(', ')}.`,
  );
}
