/** Lists what the service can do: grouped names without a filter, pages of details with one. */

import { byteLength } from '../../base/json.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import { formatEnding, formatEndingParts, withoutRefusedSuccessor } from '../facts/endings.ts';
import { groups } from '../facts/generated/groups.ts';
import { documentEntries, knownEntries, olderVersions } from '../facts/groups.ts';
import type { Operation } from '../facts/operation.ts';
import { FACTS_DAY } from '../facts/provenance.ts';
import { type ListedOperation, type ListFilter, type ListPage, slugOf } from '../registry/find-entries.ts';
import type { GroupSummary, RefusedOperations, Registry } from '../registry/registry.ts';
import type { FoundReportType } from '../search/find-report-types.ts';

/** The answer without a filter. A mark after a name means: `!` not callable, `+` not in the document. */
export interface GroupedOperations {
  kind: 'groups';
  /** The entries of the document, by whether they can be called. */
  documented: { callable: number; nameOnly: number };
  /** The operations that only the public definitions or the user's files have. */
  beyondTheDocument: number;
  /** The operations of the public definitions: callable ones, and older versions that are left out. */
  public: { callable: number; leftOut: number };
  /** Slug -> names; `<slug>/<name>` is the operation's ID. */
  groups: Record<string, string>;
  /** The day (ISO) of the facts of public operations. */
  facts_of: string;
  /** Explains the marks and the next step. */
  legend: string;
}

/** The answer with a filter. */
export interface DetailedOperations extends ListPage {
  kind: 'operations';
  /** The next step when nothing is listed. */
  next_step?: string;
}

export interface OperationsAnswer {
  text: string;
  data: GroupedOperations | DetailedOperations;
}

/**
 * Lists operations.
 * @param refused called when operations are listed with details
 * @throws InputError for an unknown group; the errors of `refused`
 */
export async function listOperations(
  registry: Registry,
  filter: ListFilter = {},
  refused: () => Promise<RefusedOperations> = async () => new Map(),
): Promise<OperationsAnswer> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return isFiltered ? listDetails(registry, filter, refused) : listGroups(registry);
}

/** The limit keeps both forms below 2,000 tokens (UTF-8 bytes / 3). */
const MAX_TEXT_BYTES = 5_900;

const legend =
  'Marks: ! not callable, + not in the interface document; "older" are deprecated. <group>/<name> is the id; a filter (group, search, method) shows details; describe_operation tells how to call one.';

async function listGroups(registry: Registry): Promise<OperationsAnswer> {
  const entries = documentEntries.length;
  const nameOnly = knownEntries.length;
  const callable = entries - nameOnly;
  const beyond = (await registry.list({ documented: false, limit: 0 })).total;
  const leftOut = olderVersions.flatMap(({ operations }) => operations).length;
  const listed = registry.operations.filter(isPublic).length;
  const head = `Facts of ${FACTS_DAY}. ${listed} of ${listed + leftOut} public operations can be called; ${leftOut} are left out as older versions. The interface document lists ${entries} operations: ${callable} can be called, ${nameOnly} are known by name only; ${beyond} more come from definitions. ${legend}`;
  const lines = fitGroups(registry.groups(), MAX_TEXT_BYTES - byteLength(head));
  return {
    text: [head, ...lines.map(([slug, text]) => `${slug}: ${text}`)].join('\n'),
    data: {
      kind: 'groups',
      documented: { callable, nameOnly },
      beyondTheDocument: beyond,
      public: { callable: listed, leftOut },
      facts_of: FACTS_DAY,
      groups: Object.fromEntries(lines),
      legend,
    },
  };
}

type GroupLine = [slug: string, text: string];

/**
 * Fits the groups into the space. Sellers' groups show their names, the longest ones counts until all fit;
 * vendors' and external groups show counts. Users' groups shrink to counts when they do not fit, and the rest
 * of them is only counted.
 */
function fitGroups(groups: readonly GroupSummary[], room: number): GroupLine[] {
  const own = groups.filter(isBuiltIn);
  const userGroups = groups.filter((group) => !isBuiltIn(group));
  const builtIn = shrink(own, room - (userGroups.length === 0 ? 0 : USER_GROUP_BYTES));
  const left = room - sizeOf(builtIn);
  const whole = userGroups.map(lineOf);
  if (sizeOf(whole) <= left) return [...builtIn, ...whole];
  const counted = takeWhileFits(userGroups.map(countLineOf), left - MAX_NOTE_BYTES);
  const gone = userGroups.length - counted.length;
  const remark: GroupLine[] = gone === 0 ? [] : [['…', `${gone} more groups; search finds their operations`]];
  return [...builtIn, ...counted, ...remark];
}

/** The bytes reserved for users' groups, however many there are. */
const USER_GROUP_BYTES = 300;

function shrink(groups: readonly GroupSummary[], room: number): GroupLine[] {
  const isCounted = (group: GroupSummary) => group.operations.every(({ audience }) => audience !== undefined);
  const lines = groups.map((group) => (isCounted(group) ? countLineOf(group) : lineOf(group)));
  while (sizeOf(lines) > room) {
    const longest = lines.reduce(
      (at, [, text], i) => (text.length > (lines[at]?.[1].length ?? 0) ? i : at),
      0,
    );
    const group = groups[longest];
    if (group === undefined || lines[longest]?.[1] === countLineOf(group)[1]) break;
    lines[longest] = countLineOf(group);
  }
  return lines;
}

const MAX_NOTE_BYTES = 80;

function lineOf(group: GroupSummary): GroupLine {
  return [slugOfGroup(group), namesOf(group)];
}

function countLineOf(group: GroupSummary): GroupLine {
  return [slugOfGroup(group), `${group.operations.length} operations`];
}

/** Returns the bytes, including the separators between slug and names in the longer of both forms. */
function sizeOf(lines: readonly GroupLine[]): number {
  return lines.reduce((sum, [slug, text]) => sum + byteLength(slug + text) + 6, 0);
}

function takeWhileFits(lines: readonly GroupLine[], room: number): GroupLine[] {
  let used = 0;
  return lines.filter((line) => {
    used += sizeOf([line]);
    return used <= room;
  });
}

/** Returns true for operations of the public definitions, whether or not the document names them too. */
function isPublic({ edition, source }: Operation): boolean {
  return edition !== undefined && source !== 'document';
}

function isBuiltIn({ name }: GroupSummary): boolean {
  return groups.some((group) => group.name === name);
}

function slugOfGroup({ operations: [first] }: GroupSummary): string {
  return first === undefined ? '' : slugOf(first.id);
}

function namesOf({ operations }: GroupSummary): string {
  const older = operations.filter(({ deprecated }) => deprecated).length;
  const names = operations
    .filter(({ deprecated }) => !deprecated)
    .map((entry) => `${entry.id.slice(slugOf(entry.id).length + 1)}${markOf(entry)}`);
  return [...names, ...(older === 0 ? [] : [`(${older} older)`])].join(' ');
}

function markOf(entry: ListedOperation): string {
  if (!entry.callable) return '!';
  return entry.documented ? '' : '+';
}

async function listDetails(
  registry: Registry,
  filter: ListFilter,
  refused: () => Promise<RefusedOperations>,
): Promise<OperationsAnswer> {
  const known = await refused();
  const page = await registry.list(filter, known);
  page.operations = page.operations.map((entry) => withRefusals(entry, known));
  const lines = page.operations.map(describeEntry);
  const reports = (page.reportTypes ?? []).map(describeReportType);
  const isReportBest =
    page.best !== undefined && (page.reportTypes ?? []).some(({ reportType }) => reportType === page.best);
  const results = isReportBest ? [...reports, ...lines] : [...lines, ...reports];
  const nextStep =
    lines.length + reports.length === 0 && page.nextOffset === undefined
      ? { next_step: [headOf(page), ...(page.hints ?? [])].join(' ') }
      : {};
  return {
    text: [headOf(page), ...(page.hints ?? []), ...results].join('\n'),
    data: { kind: 'operations', ...page, ...nextStep },
  };
}

function withRefusals(entry: ListedOperation, refused: RefusedOperations): ListedOperation {
  const refusal = refused.get(entry.id);
  const { ending } = entry;
  return {
    ...entry,
    ...(ending !== undefined && { ending: withoutRefusedSuccessor(ending, refused) }),
    ...(refusal !== undefined && { refused: refusal }),
  };
}

function headOf(page: ListPage): string {
  const { total, offset, nextOffset, operations, reportTypes = [], leftOut, unknown = [], hints = [] } = page;
  if (total === 0) {
    if (hints.length > 0) return 'No operation matches.';
    return 'No operation matches; try fewer words, in English, or no filter for all names.';
  }
  const shown = operations.length + reportTypes.length;
  const noun = page.best === undefined ? 'operations match' : total === 1 ? 'result' : 'results';
  if (shown === 0) return `${total} ${noun}; offset ${offset} is past the last.`;
  const more = nextOffset === undefined ? '' : `; offset ${nextOffset} shows the next`;
  const weaker = leftOut === undefined ? '' : `; ${leftOut} that match far less are left out`;
  const without =
    unknown.length === 0 ? '' : `; nothing has ${unknown.slice(0, 5).map(quoteName).join(', ')}`;
  return `${total} ${noun}, ${offset + 1} to ${offset + shown} shown${more}${weaker}${without}:`;
}

function describeReportType(found: FoundReportType): string {
  const notes = [
    found.holds,
    ...(found.restricted === true ? ['personal data, restricted'] : []),
    ...(found.ending === undefined ? [] : [formatEnding(found.ending)]),
  ];
  return `Report type ${found.reportType}: ${found.collect} (${notes.join('; ')})`;
}

function describeEntry(entry: ListedOperation): string {
  const { reason, effect, deprecated, ending, refused } = entry;
  const notes = [
    reason === undefined ? effect : `not callable: ${reason}`,
    ...(deprecated ? ['deprecated'] : []),
    ...(ending === undefined ? [] : formatEndingParts(ending)),
    ...(refused === undefined ? [] : [refused]),
  ];
  return `${entry.id}: ${entry.method} ${entry.path ?? '(path not known)'} (${notes.join('; ')})`;
}
