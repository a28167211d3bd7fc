/** Searches the operations: exact ids, names and paths first, then by what sellers call things. */

import { commandLine, hasCommandLine, howToLogin, thisComputer } from '../../base/invocation.ts';
import { createRecent } from '../../base/recent.ts';
import { LISTING_LOOKUPS } from '../facts/listing-lookups.ts';
import type { Operation } from '../facts/operation.ts';
import { type ListedOperation, type SearchResult, simplify } from '../registry/find-entries.ts';
import { createReportSearch, type FoundReportType } from './find-report-types.ts';
import { otherAnswers } from './generated/other-answers.ts';
import { sellerWords } from './generated/seller-words.ts';
import { holdsPhrase } from './query.ts';
import { type Entry, indexEntries } from './word-index.ts';
import { stemsOf } from './words.ts';

/** Builds the index once; the answer is the same for the same text. */
export function createSearch(
  entries: readonly ListedOperation[],
  operations: readonly Operation[],
): (text: string) => SearchResult {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const index = indexEntries(entries.map((entry) => operationEntry(entry, byId.get(entry.id))));
  const findReports = createReportSearch();
  const find = (text: string): Found => {
    const others = otherAnswers.filter(({ asked }) => asked.some((phrase) => holdsPhrase(text, phrase)));
    const named = namedBy(entries, text.trim());
    if (named.length > 0 && isIdentifier(text.trim()))
      return { ids: named, unknown: [], others, reportTypes: [] };
    const { matches, unknown, isAction } = index.search(text);
    const { reportTypes, isNamed, unknown: unknownToReports } = findReports(text, { isAction, unknown });
    const found = isNamed ? [] : [...named, ...matches.map(({ id }) => id)];
    const ids = withOperations([...new Set(found)], reportTypes);
    const nothing = unknown.filter((word) => unknownToReports.includes(word) || reportTypes.length === 0);
    return { ids, unknown: ids.length === 0 || isNamed ? [] : nothing, others, reportTypes };
  };
  // A page that is made shorter until it fits, and the next one, are of the same search.
  const recent = createRecent<string, Found>(RECENT);
  return (text) => {
    const { others, ...found } = recent.get(text, () => find(text));
    return { ...found, hints: others.map(wordsOfOther) };
  };
}

type Found = Omit<SearchResult, 'hints'> & { others: readonly OtherAnswer[] };

const RECENT = 16;

/** The operation that gets the best report is listed where it is seen, whatever its own words are. */
function withOperations(ids: readonly string[], [best]: readonly FoundReportType[]): string[] {
  if (best === undefined || ids.slice(0, SEEN).includes(best.operation)) return [...ids];
  const others = ids.filter((id) => id !== best.operation);
  return [...others.slice(0, SEEN - 1), best.operation, ...others.slice(SEEN - 1)];
}

/** Lines that are sure to be read. */
const SEEN = 5;

/** `getOrder`, `orders/getOrder`, `supply-sources`, `/feeds/2021-06-30`: nobody means words by them. */
function isIdentifier(text: string): boolean {
  return /^\S+$/.test(text) && /[a-z][A-Z]|[-/@_]/.test(text);
}

/** The very name or id first, then what begins with the text or, after a capital, holds it. */
function namedBy(entries: readonly ListedOperation[], text: string): string[] {
  const joined = simplify(text.replace(/\s+/g, ''));
  if (joined === '') return [];
  const exact = entries.filter(({ id, name }) => simplify(name) === joined || simplify(id) === joined);
  if (!isIdentifier(text)) return exact.map(({ id }) => id);
  const begun = entries.filter(
    ({ id, name, path }) =>
      simplify(name).startsWith(joined) ||
      simplify(id).startsWith(joined) ||
      (/^[A-Z]/.test(text) && name.includes(text)) ||
      (text.includes('/') && simplify(path ?? '').includes(joined)),
  );
  return [...new Set([...exact, ...begun])].map(({ id }) => id);
}

// What is written about an operation in the index of the search.

/** What an operation counts that something else is meant more often than. */
const OLD = 0.5;
const OTHERS = 0.6;
const SANDBOX_ONLY = 0.4;
const NOT_CALLABLE = 0.3;

function operationEntry(entry: ListedOperation, operation: Operation | undefined): Entry {
  const { id, name, group } = entry;
  const [slug = '', tail = ''] = id.split('/', 2);
  const own = operation?.source === 'user' ? undefined : sellerWords[slug];
  const body = Object.keys(operation?.body?.schema.properties ?? {});
  const members = [...(operation?.parameters.map((parameter) => parameter.name) ?? []), ...body];
  return {
    id,
    name: stemsOf(name),
    group: stemsOf(`${slug} ${group}`),
    members: stemsOf(members.join(' ')),
    // How rare a word is has to be counted where all words are.
    words: stemsOf(`${name} ${own?.[tail] ?? own?.[name] ?? ''}`),
    isRead: entry.effect === 'read' || entry.effect === 'request',
    standing: standingOf(entry) * (operation?.sandboxOnly === true ? SANDBOX_ONLY : 1),
  };
}

function standingOf({ deprecated, withdrawn, audience, callable }: ListedOperation): number {
  return (
    (deprecated || withdrawn !== undefined ? OLD : 1) *
    (audience === undefined ? 1 : OTHERS) *
    (callable ? 1 : NOT_CALLABLE)
  );
}

// What to do instead where no operation is the answer: another tool, a command, another service.

export interface OtherAnswer {
  asked: readonly string[];
  answer: string;
}

/** What an answer says in the place of a `{name}`. */
const told: Readonly<Record<string, () => string>> = {
  history: () =>
    hasCommandLine() ? `, which a person sees with \`${commandLine('history')}\`` : ` on ${thisComputer()}`,
  login: () => howToLogin(),
  lookups: () => LISTING_LOOKUPS,
};

const wordsOfOther = ({ answer }: OtherAnswer) =>
  answer.replace(/\{(\w+)\}/g, (whole, name: string) => told[name]?.() ?? whole);
