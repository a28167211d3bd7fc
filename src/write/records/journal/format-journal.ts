/**
 * Formats the journal for users: local times, readable outcomes, and no text that could move a terminal's
 * cursor.
 */

import { escapeInJson } from '../../../base/text/escape-text.ts';
import { localTime, timeZoneName } from '../../../base/text/local-time.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';
import type { RecordedOutcome } from '../../model/outcome.ts';
import type { JournalEntry } from './entry.ts';

interface FormatOptions {
  /** The reader's time zone; the system's own when left out. */
  timeZone?: string | undefined;
  /** Names a parameter's value, where it has a name that users know. */
  nameOf?: (parameter: string, value: unknown) => string | undefined;
}

/**
 * Formats the entries, oldest first, with a line for each fact. Text that a narrow terminal wraps can still
 * be copied and searched for; a SKU, a title or an id in a table column cannot.
 */
export function formatJournal(entries: readonly JournalEntry[], options: FormatOptions = {}): string {
  const blocks = entries.map((entry) => {
    const [outcome = '', ...facts] = describeOutcome(entry).split('\n');
    const { time, account, operation, by } = entry;
    const head = [localTime(time, options.timeZone), account, operation, ...(by ? [by.name] : [])].map(
      escapeInJson,
    );
    const lines = [...describeChange(entry, options.nameOf).map(escapeInJson), ...facts];
    return [`${head.join('  ')}: ${outcome}`, ...lines.map((line) => `  ${line}`)].join('\n');
  });
  return [`Times: ${timeZoneName(options.timeZone)}`, ...blocks].join('\n\n');
}

/** Readable texts for the outcomes whose names are not words. */
const OUTCOME_LABELS: Readonly<Partial<Record<RecordedOutcome, string>>> = {
  accepted_not_visible: 'accepted, not visible yet',
  partly_accepted: 'accepted in part',
  not_accepted: 'not accepted',
};

/**
 * Returns one or more lines: `done (204)`, then the reason, the read-back differences, the request id and the
 * idempotency key.
 */
export function describeOutcome(entry: JournalEntry): string {
  const { outcome, status, error, requestId, idempotencyKey, differences } = entry;
  const label = OUTCOME_LABELS[outcome] ?? outcome;
  const lines = [status === undefined ? label : `${label} (${status})`];
  if (entry.endedAt === undefined) lines.push('no outcome recorded: under way, or cut off');
  if (error !== undefined) lines.push(error);
  if (differences?.length === 0) lines.push('read back: as sent');
  for (const { path, sent, found } of differences ?? []) {
    lines.push(`read back: ${path} is ${asText(found)}, sent ${asText(sent)}`);
  }
  if (requestId !== undefined) lines.push(`request id ${requestId}`);
  if (idempotencyKey !== undefined) lines.push(`idempotency key ${idempotencyKey}`);
  return lines.map(escapeInJson).join('\n');
}

/** Returns the change and the id that undoes it, or the parameters where the change is not known. */
function describeChange(
  { id, what, batch, undoes, parameters }: JournalEntry,
  nameOf: FormatOptions['nameOf'],
): string[] {
  return [
    ...(what === undefined ? describeParameters(parameters, nameOf) : [what, `id ${id}`]),
    ...(undoes === undefined ? [] : [`undoes ${undoes}`]),
    ...(batch === undefined ? [] : [`of the list ${batch}`]),
  ];
}

function describeParameters(parameters: unknown, nameOf: FormatOptions['nameOf']): string[] {
  if (typeof parameters !== 'object' || parameters === null) return [];
  return Object.entries(parameters).map(([name, value]) => {
    const called = nameOf?.(name, value);
    const text = `${name}: ${asText(value)}`;
    return shortenToCharacters(called === undefined ? text : `${text} = ${called}`, 120);
  });
}

function asText(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
