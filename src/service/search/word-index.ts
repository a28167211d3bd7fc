/**
 * An index of everything that a seller searches for: whole words and their beginnings over names, groups and
 * purposes.
 */

import { distance } from 'fastest-levenshtein';
import MiniSearch from 'minisearch';
import { readQuery, type SearchQuery, synonymStems, type Wording } from './query.ts';

interface IndexResult {
  /** The matches that are worth listing, the best first. */
  matches: readonly Match[];
  /** The number of further matches that are too weak. */
  weaker: number;
  /** The words that match nothing, as written. */
  unknown: readonly string[];
}

interface Match {
  id: string;
  score: number;
}

export interface SearchIndex {
  /**
   * Searches the index.
   * @param worth share of the best score below which a match is left out
   */
  search(text: string, worth?: number): IndexResult;
}

/** The index entry of one thing, as stems with a space between. */
export interface IndexEntry {
  id: string;
  name: string;
  group: string;
  /** The words of its purpose. */
  words: string;
  /** The names of parameters and members. */
  members: string;
  /** Its weight: 1, or less when other entries are meant more often. */
  standing: number;
  /** True when it changes nothing. */
  isRead: boolean;
  /** True for a report type. A text that asks for an action finds it only with the word "report". */
  isReport?: true;
}

const FIELDS = ['name', 'words', 'group', 'members'];
const BOOST = { name: 0.6, words: 2, group: 0.8, members: 0.2 };
/** The minimum length of a beginning; shorter ones begin too many words. */
const MIN_BEGINNING = 4;
/** The weight of the beginning of a word. */
const BEGINNING = 0.4;
/**
 * The minimum lengths of words for one and for two misspelled letters; shorter ones have too many neighbors.
 */
const MIN_LENGTHS_WITH_SLIPS = [5, 7];
/** Matches below this share of the best one are left out. */
const WORTH_LISTING = 0.3;

/** The weight of a write without an action in the text, or of a read with one. */
const NOT_ASKED_FOR = 0.9;
/** The weight of a report type when the text contains "report". */
const REPORT_ASKED_FOR = 1.5;

/** Builds the index. Equal texts give equal results. */
export function indexEntries(entries: readonly IndexEntry[]): SearchIndex {
  const index = new MiniSearch<IndexEntry>({
    fields: FIELDS,
    tokenize: splitStems,
    processTerm: (term) => term,
  });
  index.addAll(entries);
  const entriesById = new Map(entries.map((entry, place) => [entry.id, { ...entry, place }]));
  const vocabulary = [...new Set([...entries.flatMap(allWordsOf), ...synonymStems()])].sort();
  const correct = (stem: string) => correctSlip(stem, vocabulary);
  const scoresOf = (stem: string) => findStem(index, stem);
  return {
    search: (text, worth = WORTH_LISTING) => {
      const { concepts, isAction, isOfReports } = readQuery(text, correct);
      const scored = concepts.map(({ weight, wordings }) => ({ weight, scores: best(wordings, scoresOf) }));
      const known = scored.filter(({ scores }) => scores.size > 0);
      return {
        ...rank(known, entriesById, { isAction, isOfReports }, worth),
        unknown: concepts.filter((_, i) => scored[i]?.scores.size === 0).map(({ written }) => written),
      };
    },
  };
}

const splitStems = (stems: string) => stems.split(' ');

const allWordsOf = ({ name, words, group, members }: IndexEntry) =>
  splitStems(`${name} ${words} ${group} ${members}`).filter((word) => word !== '');

type Scores = ReadonlyMap<string, number>;

function findStem(index: MiniSearch<IndexEntry>, stem: string): Scores {
  const results = index.search(stem, {
    tokenize: (text) => [text],
    prefix: stem.length >= MIN_BEGINNING,
    weights: { prefix: BEGINNING, fuzzy: 0 },
    boost: BOOST,
    bm25: { k: 1.2, b: 0, d: 0.5 },
  });
  return new Map(results.map(({ id, score }): [string, number] => [String(id), score]));
}

/** Returns for each entry the score of its best wording. */
function best(wordings: readonly Wording[], scoresOf: (stem: string) => Scores): Scores {
  const scores = new Map<string, number>();
  for (const { stems, weight } of wordings) {
    const each = stems.map(scoresOf);
    for (const id of each[0]?.keys() ?? []) {
      const found = each.map((one) => one.get(id) ?? 0);
      if (found.includes(0)) continue;
      const score = (weight * found.reduce((sum, one) => sum + one, 0)) / found.length;
      scores.set(id, Math.max(scores.get(id) ?? 0, score));
    }
  }
  return scores;
}

/** Sorts entries by their share of the concepts. */
function rank(
  known: readonly { weight: number; scores: Scores }[],
  entriesById: ReadonlyMap<string, IndexEntry & { place: number }>,
  query: Pick<SearchQuery, 'isAction' | 'isOfReports'>,
  worth: number,
): Pick<IndexResult, 'matches' | 'weaker'> {
  const whole = known.reduce((sum, { weight }) => sum + weight, 0);
  const all = [...entriesById.values()].flatMap((entry) => {
    const having = known.filter(({ scores }) => scores.has(entry.id));
    const share = having.reduce((sum, { weight }) => sum + weight, 0) / whole;
    const sum = having.reduce((total, { weight, scores }) => total + weight * (scores.get(entry.id) ?? 0), 0);
    const fit = sum * share * fitOfKind(entry, query);
    return fit === 0 ? [] : [{ id: entry.id, place: entry.place, fit, score: fit * entry.standing }];
  });
  all.sort((one, other) => other.score - one.score || one.place - other.place);
  const least = Math.max(0, ...all.map(({ fit }) => fit)) * worth;
  const matches = all.filter(({ fit }) => fit >= least);
  return { matches, weaker: all.length - matches.length };
}

function fitOfKind(
  { isRead, isReport }: Pick<IndexEntry, 'isRead' | 'isReport'>,
  { isAction, isOfReports }: Pick<SearchQuery, 'isAction' | 'isOfReports'>,
): number {
  if (isReport) return isOfReports ? REPORT_ASKED_FOR : isAction ? 0 : 1;
  return isAction !== isRead ? 1 : NOT_ASKED_FOR;
}

/**
 * Returns the nearest known word within one or two letters, if no known word equals or begins with the word
 * itself.
 */
function correctSlip(stem: string, vocabulary: readonly string[]): string {
  const slips = MIN_LENGTHS_WITH_SLIPS.filter((shortest) => stem.length >= shortest).length;
  if (slips === 0 || vocabulary.some((word) => word.startsWith(stem))) return stem;
  const near = vocabulary
    .filter((word) => word.length >= MIN_BEGINNING && word[0] === stem[0])
    .map((word) => ({ word, far: distance(word, stem) }))
    .filter(({ far }) => far <= slips)
    .sort((one, other) => one.far - other.far);
  return near[0]?.word ?? stem;
}
