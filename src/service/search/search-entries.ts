/** Searches operations and report types: exact IDs, names and paths first, then sellers' words. */

import { commandLine, hasCommandLine, howToLogin, thisComputer } from '../../base/invocation.ts';
import { createRecent } from '../../base/recent.ts';
import { LISTING_LOOKUPS } from '../facts/listing-lookups.ts';
import type { Operation } from '../facts/operation.ts';
import { type ListedOperation, type SearchResult, simplify } from '../registry/find-entries.ts';
import { reportEntries, reportsNamed } from './find-report-types.ts';
import { knownQuestions } from './generated/known-questions.ts';
import { sellerWords } from './generated/seller-words.ts';
import { wordClasses } from './generated/word-classes.ts';
import { readPhrases } from './query.ts';
import { translate } from './translate.ts';
import { type IndexEntry, indexEntries } from './word-index.ts';
import { stemsOf, wordsOf } from './words.ts';

/** Builds the index once; equal texts give equal results. */
export function createSearch(
  entries: readonly ListedOperation[],
  operations: readonly Operation[],
): (text: string) => SearchResult {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const index = indexEntries([
    ...entries.map((entry) => operationEntry(entry, byId.get(entry.id))),
    ...reportEntries(),
  ]);
  const find = (text: string): CachedSearch => {
    const english = translate(text);
    const { questions, isWhole } = readQuestions(english);
    const named = namedBy(entries, text.trim());
    if (named.length > 0 && isIdentifier(text.trim()))
      return { ids: named, weaker: 0, unknown: [], questions };
    const means = interleave(questions.map((question) => question.means ?? []));
    if (isWhole && means.length > 0)
      return { ids: [...new Set([...named, ...means])], weaker: 0, unknown: [], questions };
    const { matches, weaker, unknown } = index.search(english, means.length > 0 ? NEARLY_AS_GOOD : undefined);
    const ids = [...new Set([...named, ...means, ...matches.map(({ id }) => id)])];
    return { ids, weaker, unknown: ids.length === 0 ? [] : unknown, questions };
  };
  // Recent searches are cached, because a shortened page and the next one repeat the same search.
  const recent = createRecent<string, CachedSearch>(RECENT);
  return (text) => {
    const { questions, ...found } = recent.get(text, () => find(text));
    // Several questions can have the same answer.
    const hints = questions.flatMap(({ answer }) => (answer === undefined ? [] : fill(answer)));
    return { ...found, hints: [...new Set(hints)] };
  };
}

type CachedSearch = Omit<SearchResult, 'hints'> & { questions: readonly KnownQuestion[] };

const RECENT = 16;

/** The minimum relative score of other results when known questions have answers. */
const NEARLY_AS_GOOD = 0.7;

/** Returns the known questions in the text, the most specific first, and whether it asks nothing else. */
function readQuestions(text: string): { questions: KnownQuestion[]; isWhole: boolean } {
  const reader = readPhrases(text);
  const found = parsedQuestions().flatMap(({ question, phrases }) => {
    const positions = phrases.flatMap((parts) => {
      const ofParts = parts.map((any) => reader.placesOf(any));
      return ofParts.every((one) => one.length > 0) ? [new Set(ofParts.flat())] : [];
    });
    return positions.length === 0
      ? []
      : [{ question, places: positions, words: Math.max(...positions.map(({ size }) => size)) }];
  });
  found.sort((one, other) => other.words - one.words);
  const taken = found.flatMap(({ question, places: positions }) =>
    question.means === undefined ? [] : positions,
  );
  return {
    questions: found.map(({ question }) => question),
    isWhole: reader.isAllOf(new Set(taken.flatMap((positions) => [...positions]))),
  };
}

/** Interleaves the lists, so that one question does not hide the answers to another. */
function interleave(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

/** Alternatives, as stems. */
type AnyOf = readonly (readonly string[])[];

let parsed: readonly { question: KnownQuestion; phrases: readonly (readonly AnyOf[])[] }[] | undefined;

/** Returns the parsed phrases of each question, with the words of a class in place of its name. */
function parsedQuestions() {
  parsed ??= knownQuestions.map((question) => ({
    question,
    phrases: question.asked.map((phrase) =>
      phrase.split(' + ').map((part) => (wordClasses[part.slice(1, -1)] ?? [part]).map(wordsOf)),
    ),
  }));
  return parsed;
}

/**
 * Returns true for texts that cannot be words: `getOrder`, `orders/getOrder`, `supply-sources`,
 * `/feeds/2021-06-30`.
 */
function isIdentifier(text: string): boolean {
  return /^\S+$/.test(text) && /[a-z][A-Z]|[-/@_]/.test(text);
}

/**
 * Returns the entries with that exact name or ID, then those that begin with the text or, after a capital,
 * contain it.
 */
function namedBy(entries: readonly ListedOperation[], text: string): string[] {
  const reports = reportsNamed(text);
  if (reports.length > 0) return reports;
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

// Each operation has an entry in the search index.

/** The weights of operations that are rarely meant. */
const OLD = 0.5;
const OTHERS = 0.6;
const SANDBOX_ONLY = 0.4;
const NOT_CALLABLE = 0.3;

function operationEntry(entry: ListedOperation, operation: Operation | undefined): IndexEntry {
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
    // All words are included, because the index computes how rare each word is.
    words: stemsOf(`${name} ${own?.[tail] ?? own?.[name] ?? ''}`),
    isRead: entry.effect === 'read' || entry.effect === 'request',
    standing: standingOf(entry) * (operation?.sandboxOnly === true ? SANDBOX_ONLY : 1),
  };
}

function standingOf({ ending, audience, callable }: ListedOperation): number {
  return (
    (ending === undefined ? 1 : OLD) * (audience === undefined ? 1 : OTHERS) * (callable ? 1 : NOT_CALLABLE)
  );
}

// Known questions of sellers have fixed answers.

export interface KnownQuestion {
  /** The phrases, any of which may occur, whatever their endings. */
  asked: readonly string[];
  /** The IDs of operations and report types that answer it, the best first. */
  means?: readonly string[];
  /** Advice when a tool, a command, a feed or another service is the answer. */
  answer?: string;
}

/** The texts that replace `{name}` in an answer. */
const answerTexts: Readonly<Record<string, () => string>> = {
  history: () =>
    hasCommandLine() ? `, which a person sees with \`${commandLine('history')}\`` : ` on ${thisComputer()}`,
  login: () => howToLogin(),
  lookups: () => LISTING_LOOKUPS,
};

const fill = (answer: string) =>
  answer.replace(/\{(\w+)\}/g, (whole, name: string) => answerTexts[name]?.() ?? whole);
