/** The `history` command shows the journal of writes with their times and outcomes. */

import { InputError } from '../../base/errors.ts';
import { isMarketplaceName } from '../../service/facts/marketplace-members.ts';
import { marketplaceById } from '../../service/facts/marketplaces.ts';
import { findStateFolder } from '../../store/state-folder.ts';
import { RECORDED, type RecordedOutcome } from '../../write/model/outcome.ts';
import { formatJournal } from '../../write/records/journal/format-journal.ts';
import { readJournal } from '../../write/records/journal/journal.ts';
import { openStateStore } from '../../write/state-store.ts';
import type { Outside } from '../runtime/outside.ts';
import type { Command, CommandArguments } from './line/command.ts';

/** The part of the outside that this command uses. */
type HistoryIo = Pick<Outside, 'stdout' | 'stderr' | 'config' | 'userId'>;

type HistoryQuery = NonNullable<Parameters<typeof readJournal>[1]>;

const DEFAULT_LIMIT = 50;

export const history = {
  name: 'history',
  summary: 'Show the journal of writes: what changed, was refused or failed',
  options: {
    account: { type: 'string', help: 'Only this account', placeholder: 'NAME' },
    operation: {
      type: 'string',
      help: 'Only this operation, with or without its group',
      placeholder: 'NAME',
    },
    since: {
      type: 'string',
      help: 'Only since then: 2h, 7d, 2026-11-20, 2026-11-20T12:00Z',
      placeholder: 'WHEN',
    },
    outcome: { type: 'string', help: `Only one of ${RECORDED.join(', ')}`, placeholder: 'OUTCOME' },
    limit: {
      type: 'string',
      help: `The newest so many, or all (default ${DEFAULT_LIMIT})`,
      placeholder: 'N',
    },
    json: { type: 'boolean', help: 'Print one JSON object: { entries, folder }' },
  },
  details: [
    'Personal data in parameters and bodies is masked when it is recorded; the hash is of the whole body.',
    'With --sandbox: the journal of writes to the embedded sandbox, which is kept apart.',
    'Times are those of the zone named in the first line. What changed is shown without personal data; an assistant takes it back with undo_change.',
    'accepted_not_visible: the service said yes, and still showed the values from before when it was read back.',
    'requested: the service took it and still works on it; failed stands for work that has failed too.',
    'not_accepted, partly_accepted: the service said no to it, or to some of its items, though with a status of 2xx.',
    'unknown: no outcome was recorded, or the service gave no answer, so the write may have been made.',
  ].join('\n'),
  async run({ values }: Pick<CommandArguments, 'values'>, io: HistoryIo) {
    const query = buildQuery(values);
    const folder = await findStateFolder(io.config);
    const store = openStateStore(folder, io.userId);
    const entries = await readJournal(store, query).finally(store.close);
    if (values.json === true) io.stdout(`${JSON.stringify({ entries, folder }, null, 2)}\n`);
    else print(entries, { ...query, folder }, io);
    return 0;
  },
} satisfies Command;

function buildQuery(values: CommandArguments['values']): HistoryQuery {
  const { account, operation, since } = values;
  return {
    account: typeof account === 'string' ? account : undefined,
    operation: typeof operation === 'string' ? operation : undefined,
    since: typeof since === 'string' ? parseSince(since, Date.now()) : undefined,
    outcome: parseOutcome(values.outcome),
    limit: parseLimit(values.limit),
  };
}

function parseOutcome(value: string | boolean | undefined): RecordedOutcome | undefined {
  const outcome = RECORDED.find((known) => known === value);
  if (value === undefined || outcome !== undefined) return outcome;
  throw new InputError(
    `--outcome ${JSON.stringify(value)} is not an outcome.`,
    `Give one of ${RECORDED.join(', ')}.`,
  );
}

function parseLimit(value: string | boolean | undefined): number | undefined {
  if (value === undefined) return DEFAULT_LIMIT;
  if (value === 'all') return undefined;
  if (typeof value === 'string' && /^[1-9]\d{0,6}$/.test(value)) return Number(value);
  throw new InputError(`--limit ${JSON.stringify(value)} is not a count.`, 'Give a number from 1, or all.');
}

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Parses a moment as users give it (`2h`, `7d`, `2026-11-20`, `2026-11-20T12:00Z`) into milliseconds since
 * the epoch. A bare date begins at local midnight, a time without a zone is local.
 * @throws InputError for anything else
 */
export function parseSince(text: string, now: number): number {
  const ago = /^(\d{1,6})([smhdw])$/.exec(text);
  const unit = UNITS[ago?.[2] ?? ''];
  if (unit !== undefined) return now - Number(ago?.[1]) * unit;
  if (/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(text)) {
    const moment = Date.parse(text.includes('T') ? text : `${text}T00:00`);
    if (!Number.isNaN(moment)) return moment;
  }
  throw new InputError(
    `--since ${JSON.stringify(text)} is not a moment.`,
    'Give a time span such as 2h, 7d or 4w, a date such as 2026-11-20, or a time such as 2026-11-20T12:00Z.',
  );
}

/** Returns the country of a recorded marketplace ID. */
function nameOf(parameter: string, value: unknown): string | undefined {
  if (!isMarketplaceName(parameter)) return undefined;
  const names = [value]
    .flat()
    .flatMap((id) => (typeof id === 'string' ? (marketplaceById(id)?.name ?? []) : []));
  return names.length === 0 ? undefined : names.join(', ');
}

function print(
  entries: Parameters<typeof formatJournal>[0],
  { limit, folder }: HistoryQuery & { folder: string },
  io: HistoryIo,
): void {
  const count = entries.length;
  if (count === 0) io.stdout('No writes are recorded that match.\n');
  else io.stdout(`${formatJournal(entries, { nameOf })}\n`);
  if (count === limit) io.stderr(`The newest ${count} are shown; --limit all shows every one.\n`);
  io.stderr(`Journal: ${folder}\n`);
}
