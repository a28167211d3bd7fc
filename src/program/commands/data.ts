/** `seller-commerce-mcp data`: what was collected and is kept on this computer; lists and removes it. */

import { InputError } from '../../base/errors.ts';
import type { Outside } from '../runtime/outside.ts';
import type { Command } from './line/command.ts';
import { resultTo } from './line/tell-result.ts';

/** All that this command touches. */
type DataIo = Pick<Outside, 'stdout' | 'config'>;

const USAGE = 'Write data list, data remove <id>, or data remove all.';

export const data = {
  name: 'data',
  summary: 'List and remove the data that were collected and are kept on this computer',
  positionals: 'list | remove <id> | remove all',
  takes: 2,
  options: { json: { type: 'boolean', help: 'Print one JSON object instead of lines' } },
  details: [
    'Collected data are kept for --keep-data-hours, then removed at the next use or start of the server.',
    'Where it is not set: 24 hours; those with personal data of buyers end with the last server that uses them.',
    'With --sandbox: data of the embedded sandbox, which are kept apart and end with it.',
  ].join('\n'),
  async run({ positionals, values }, io: DataIo) {
    const [action = 'list', target] = positionals;
    const { findTablesFolder, listKept, removeKept } = await import('../../data/tables/account-folders.ts');
    const folder = await findTablesFolder(io.config);
    const kept = await listKept(folder, { now: Date.now, keepHours: io.config.keepDataHours });
    const tell = resultTo(io, values);
    if (action === 'list' && target === undefined) {
      tell({ collections: kept.map(({ info }) => info), folder }, describe(kept, folder));
      return 0;
    }
    if (action !== 'remove' || target === undefined) {
      throw new InputError(`This is not understood: data ${positionals.join(' ')}.`, USAGE);
    }
    const chosen = target === 'all' ? kept : kept.filter(({ info }) => info.id === target);
    if (chosen.length === 0 && target !== 'all') throw notKept(target, kept);
    for (const one of chosen) await removeKept(one);
    const removed = chosen.map(({ info }) => info.id);
    tell({ removed }, removed.length === 0 ? 'Nothing is kept.\n' : `Removed ${removed.join(', ')}.\n`);
    return 0;
  },
} satisfies Command;

type Kept = Awaited<ReturnType<typeof import('../../data/tables/account-folders.ts').listKept>>;

function describe(kept: Kept, folder: string): string {
  if (kept.length === 0) return `No collected data are kept in ${folder}.\n`;
  const lines = kept.map(({ info: { id, account, collectedAt, complete, tables, bytes, until = '' } }) => {
    const names = tables.map(({ name, rows }) => `${name} (${rows} rows)`).join(', ');
    const parts = [`account ${account}`, collectedAt.slice(0, 16), `${Math.ceil(bytes / 1024)} KB`];
    const end =
      until === 'process' ? 'the last server that uses it ends (personal data)' : until.slice(0, 16);
    return `${id}: ${names}; ${[...parts, ...(complete ? [] : ['not all of it']), `kept until ${end}`].join(', ')}`;
  });
  return `${lines.join('\n')}\nIn ${folder}\n`;
}

function notKept(id: string, kept: Kept): InputError {
  const ids = kept.map(({ info }) => info.id);
  return new InputError(
    `No collected data are called ${JSON.stringify(id)}.`,
    ids.length === 0 ? 'Nothing is kept.' : `Kept: ${ids.join(', ')}.`,
  );
}
