/** The `data` command lists and removes the collected data stored on this computer. */

import { InputError } from '../../base/errors.ts';
import type { ProgramParts } from '../runtime/program.ts';
import type { Command } from './line/command.ts';
import { createResultPrinter } from './line/print-result.ts';

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
    'What reviews left to compare with (status, price, stock and featured offer by SKU) is kept for --keep-snapshots-days.',
    'So is what collections left to compare with (rows by day and sums of number columns).',
    'With --sandbox: data of the embedded sandbox, which are kept apart and end with it.',
  ].join('\n'),
  async run({ positionals, values }, io) {
    const { createProgram } = await import('../runtime/program.ts');
    const program = createProgram(io);
    try {
      return await listOrRemove(positionals, createResultPrinter(io, values), program);
    } finally {
      await program.close();
    }
  },
} satisfies Command;

async function listOrRemove(
  positionals: readonly string[],
  tell: ReturnType<typeof createResultPrinter>,
  program: ProgramParts,
): Promise<number> {
  const [action = 'list', target] = positionals;
  const stored = await listAll(program);
  if (action === 'list' && target === undefined) {
    const { collections, reviews, counts, folder } = stored;
    tell({ collections: collections.map(({ info }) => info), reviews, counts, folder }, describe(stored));
    return 0;
  }
  if (action !== 'remove' || target === undefined) {
    throw new InputError(`This is not understood: data ${positionals.join(' ')}.`, USAGE);
  }
  const removed = await remove(stored, target, program);
  if (removed.length === 0 && target !== 'all') throw missingData(target, stored);
  tell({ removed }, removed.length === 0 ? 'Nothing is kept.\n' : `Removed ${removed.join(', ')}.\n`);
  return 0;
}

type StoredData = Awaited<ReturnType<typeof listAll>>;

async function listAll({ config: readConfig, comparisons: open, now }: ProgramParts) {
  const config = readConfig();
  const { findTablesFolder, listStored } = await import('../../data/tables/account-folders.ts');
  const { listStoredCounts, listStoredReviews } = await import('../../data/review/comparisons.ts');
  const folder = await findTablesFolder(config);
  const comparisons = await open();
  return {
    folder,
    collections: await listStored(folder, { now, keepHours: config.keepDataHours }),
    reviews: await listStoredReviews(comparisons, { now, keepDays: config.keepSnapshotsDays }),
    counts: await listStoredCounts(comparisons),
  };
}

/**
 * Removes the chosen data.
 * @returns the removed IDs
 */
async function remove(
  { collections, reviews, counts }: StoredData,
  target: string,
  { comparisons: open }: ProgramParts,
): Promise<string[]> {
  const { removeStored } = await import('../../data/tables/account-folders.ts');
  const { COLLECTION_TABLES, REVIEW_TABLES, removeComparisons } = await import(
    '../../data/review/comparisons.ts'
  );
  const comparisons = await open();
  const isChosen = ({ id }: { id: string }) => target === 'all' || id === target;
  const chosen = collections.map(({ info }) => info).filter(isChosen);
  const ended = reviews.filter(isChosen);
  const forgotten = counts.filter(isChosen);
  for (const one of collections) if (isChosen(one.info)) await removeStored(one);
  for (const { account } of ended) await removeComparisons(comparisons, REVIEW_TABLES, account);
  for (const { account } of forgotten) await removeComparisons(comparisons, COLLECTION_TABLES, account);
  return [...chosen, ...ended, ...forgotten].map(({ id }) => id);
}

function describe({ collections, reviews, counts, folder }: StoredData): string {
  const lines = collections.map(
    ({ info: { id, account, collectedAt, complete, tables, bytes, until = '' } }) => {
      const names = tables.map(({ name, rows }) => `${name} (${rows} rows)`).join(', ');
      const parts = [`account ${account}`, collectedAt.slice(0, 16), sizeOf(bytes)];
      const end =
        until === 'process' ? 'the last server that uses it ends (personal data)' : until.slice(0, 16);
      return `${id}: ${names}; ${[...parts, ...(complete ? [] : ['not all of it']), `kept until ${end}`].join(', ')}`;
    },
  );
  const compared = reviews.map(({ id, reviews: stored, first, last, bytes }) => {
    const times = first === last ? first.slice(0, 16) : `${first.slice(0, 16)} to ${last.slice(0, 16)}`;
    return `${id}: what ${stored === 1 ? 'one review' : `${stored} reviews`} left to compare with; ${times}, ${sizeOf(bytes)}`;
  });
  const counted = counts.map(
    ({ id, kinds, bytes }) =>
      `${id}: what collections of ${kinds === 1 ? 'one kind' : `${kinds} kinds`} left to compare with; ${sizeOf(bytes)}`,
  );
  const where = collections.length === 0 ? `No collected data are kept in ${folder}.` : `In ${folder}`;
  return `${[...lines, ...compared, ...counted, where].join('\n')}\n`;
}

const sizeOf = (bytes: number) => `${Math.ceil(bytes / 1024)} KB`;

function missingData(id: string, { collections, reviews, counts }: StoredData): InputError {
  const ids = [collections.map(({ info }) => info), reviews, counts].flat().map((one) => one.id);
  return new InputError(
    `No collected data are called ${JSON.stringify(id)}.`,
    ids.length === 0 ? 'Nothing is kept.' : `Kept: ${ids.join(', ')}.`,
  );
}
