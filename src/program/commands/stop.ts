/** `seller-commerce-mcp stop`: ends lists of writes that are under way or unfinished, between two items, and tells what was done. */

import { InputError } from '../../base/errors.ts';
import type { Sealer } from '../../privacy/sealed/sealer.ts';
import type { Batches, BatchInfo, BatchSummary } from '../../write/run/batches/types.ts';
import { countWords } from '../../write/run/batches/unfinished-words.ts';
import type { Outside } from '../runtime/outside.ts';
import type { Command } from './line/command.ts';
import { resultTo } from './line/tell-result.ts';

/** All that this command touches. */
type StopIo = Pick<Outside, 'stdout' | 'config' | 'userId'>;

export const stop = {
  name: 'stop',
  summary: 'Stop lists of writes that are under way or unfinished, and tell what was done',
  positionals: '[<batch>]',
  takes: 1,
  options: { json: { type: 'boolean', help: 'Print one JSON object: { stopped }' } },
  details: [
    'Without the id of a batch, as in "Batch 7ee9bc45" of an answer: all of them, whichever server works on them.',
    'What is being sent is brought to its end first; nothing that was sent is taken back by this, and the rest is never sent.',
    'Each write stands in the journal: seller-commerce-mcp history.',
    'With --sandbox: the lists of the embedded sandbox, which are kept apart.',
  ].join('\n'),
  async run({ positionals: [id], values }, io: StopIo) {
    const batches = await openAll(io);
    const open = (await batches.list()).filter(isOpen);
    const chosen = id === undefined ? open : open.filter((batch) => batch.id === id);
    if (id !== undefined && chosen.length === 0) throw notOpen(id, open);
    const stopped = await Promise.all(chosen.map((batch) => batches.stop(batch.id)));
    const found = stopped.flatMap((info) => info ?? []);
    const words =
      found.length === 0 ? ['No list of writes is under way or unfinished.'] : found.map(describe);
    resultTo(io, values)({ stopped: found.map(toJson) }, `${words.join('\n')}\n`);
    return 0;
  },
} satisfies Command;

async function openAll({ config, userId }: StopIo): Promise<Batches> {
  const [{ openBatches }, { findStateFolder }] = await Promise.all([
    import('../../write/run/batches/open-batches.ts'),
    import('../../disk/state-folder.ts'),
  ]);
  return openBatches({ stateFolder: await findStateFolder(config), sealer: closed, userId });
}

/** Nothing of the values is needed to stop: the keychain is not asked. */
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
  return `${how}: ${words} (${tool}, account ${account}, batch ${id}): ${countWords(counts)}.`;
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
