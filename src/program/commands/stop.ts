/**
 * The `stop` command cancels batches of writes in progress or unfinished, between two items, and reports what
 * was done.
 */

import type { Outside } from '../runtime/outside.ts';
import type { Command } from './line/command.ts';
import { createResultPrinter } from './line/print-result.ts';

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
    'With --store: those in the store that replicas share too.',
    'With --sandbox: the lists of the embedded sandbox, which are kept apart.',
  ].join('\n'),
  async run({ positionals: [id], values }, io: Pick<Outside, 'stdout' | 'stderr' | 'config' | 'userId'>) {
    const [{ stopSessionBatches }, { findStateFolder }, { openStateStore, SHARED_TABLES: tables }] =
      await Promise.all([
        import('../../write/open-writing.ts'),
        import('../../store/state-folder.ts'),
        import('../../write/state-store.ts'),
      ]);
    const store = openStateStore(await findStateFolder(io.config), io.userId);
    const { store: address, storePassword: password } = io.config;
    const print = (message: string) => io.stderr(`${message}\n`);
    const shared =
      address &&
      (await import('../../replicas/shared-store.ts').then(({ openSharedStore }) =>
        openSharedStore({ address, password, tables, tell: print }),
      ));
    const stopped = await stopSessionBatches(id, { store, shared }).finally(async () => {
      await shared?.close();
      await store.close();
    });
    const lines =
      stopped.length === 0
        ? ['No list of writes is under way or unfinished.']
        : stopped.map((list) => list.words);
    createResultPrinter(io, values)({ stopped: stopped.map(({ data }) => data) }, `${lines.join('\n')}\n`);
    return 0;
  },
} satisfies Command;
