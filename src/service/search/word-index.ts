/** An index of things that a seller looks for: whole words and their beginnings over names, groups and what each is for. */

import { distance } from 'fastest-levenshtein';
import MiniSearch from 'minisearch';
import { type Query, readQuery, synonymStems, type Wording } from './query.ts';

interface Found {
  /** Those that are worth listing, the best first. */
  matches: readonly Match[];
  /** How many more have a word of it, but far too little to be what is meant. */
  weaker: number;
  /** Words that nothing has, as they were written. */
  unknown: readonly string[];
}

interface Match {
  id: string;
  score: number;
}

export interface SearchIndex {
  /** @param worth share of the best score below which a match is left out */
  search(text: string, worth?: number): Found;
}

/** What is written about one thing that can be found, in stems with a space between. */
export interface Entry {
  id: string;
  name: string;
  group: string;
  /** What it is for. */
  words: string;
  /** Names of parameters and members. */
  members: string;
  /** 1; less where something else is meant more often. */
  standing: number;
  /** It changes nothing. */
  isRead: boolean;
  /** It is a report type, which is meant where something is to be done only if the text says "report". */
  isReport?: true;
}

const FIELDS = ['name', 'words', 'group', 'members'];
const BOOST = { name: 0.6, words: 2, group: 0.8, members: 0.2 };
/** Shorter ones begin too many words. */
const SHORTEST_BEGINNING = 4;
/** What the beginning of a word counts. */
const BEGINNING = 0.4;
/** Shorter words have too many neighbors for one slip, and for two. */
const SHORTEST_WITH_SLIPS = [5, 7];
/** Matches below this share of the best one are left out. */
const WORTH_LISTING = 0.3;

/** A write where nothing is said to be done, or a reading where something is. */
const NOT_ASKED_FOR = 0.9;
/** A report type where the text says "report". */
const REPORT_ASKED_FOR = 1.5;

/** Built at once; whatever is searched for gives the same answer every time. */
export function indexEntries(entries: readonly Entry[]): SearchIndex {
  const index = new MiniSearch<Entry>({
    fields: FIELDS,
    tokenize: splitWords,
    processTerm: (term) => term,
  });
  index.addAll(entries);
  const places = new Map(entries.map((entry, place) => [entry.id, { ...entry, place }]));
  const vocabulary = [...new Set([...entries.flatMap(allWordsOf), ...synonymStems()])].sort();
  const correct = (stem: string) => correctSlip(stem, vocabulary);
  const scoresOf = (stem: string) => findStem(index, stem);
  return {
    search: (text, worth = WORTH_LISTING) => {
      const { concepts, isAction, isOfReports } = readQuery(text, correct);
      const scored = concepts.map(({ weight, wordings }) => ({ weight, scores: best(wordings, scoresOf) }));
      const known = scored.filter(({ scores }) => scores.size > 0);
      return {
        ...rank(known, places, { isAction, isOfReports }, worth),
        unknown: concepts.filter((_, i) => scored[i]?.scores.size === 0).map(({ written }) => written),
      };
    },
  };
}

const splitWords = (stems: string) => stems.split(' ');

const allWordsOf = ({ name, words, group, members }: Entry) =>
  splitWords(`${name} ${words} ${group} ${members}`).filter((word) => word !== '');

type Scores = ReadonlyMap<string, number>;

function findStem(index: MiniSearch<Entry>, stem: string): Scores {
  const results = index.search(stem, {
    tokenize: (text) => [text],
    prefix: stem.length >= SHORTEST_BEGINNING,
    weights: { prefix: BEGINNING, fuzzy: 0 },
    boost: BOOST,
    bm25: { k: 1.2, b: 0, d: 0.5 },
  });
  return new Map(results.map(({ id, score }): [string, number] => [String(id), score]));
}

/** For each entry the wording that fits it best. */
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

/** Those that have most of what was asked for come first. */
function rank(
  known: readonly { weight: number; scores: Scores }[],
  places: ReadonlyMap<string, Entry & { place: number }>,
  asked: Pick<Query, 'isAction' | 'isOfReports'>,
  worth: number,
): Pick<Found, 'matches' | 'weaker'> {
  const whole = known.reduce((sum, { weight }) => sum + weight, 0);
  const all = [...places.values()].flatMap((entry) => {
    const having = known.filter(({ scores }) => scores.has(entry.id));
    const share = having.reduce((sum, { weight }) => sum + weight, 0) / whole;
    const sum = having.reduce((total, { weight, scores }) => total + weight * (scores.get(entry.id) ?? 0), 0);
    const fit = sum * share * fitOfKind(entry, asked);
    return fit === 0 ? [] : [{ id: entry.id, place: entry.place, fit, score: fit * entry.standing }];
  });
  all.sort((one, other) => other.score - one.score || one.place - other.place);
  const least = Math.max(0, ...all.map(({ fit }) => fit)) * worth;
  const matches = all.filter(({ fit }) => fit >= least);
  return { matches, weaker: all.length - matches.length };
}

function fitOfKind(
  { isRead, isReport }: Pick<Entry, 'isRead' | 'isReport'>,
  { isAction, isOfReports }: Pick<Query, 'isAction' | 'isOfReports'>,
): number {
  if (isReport) return isOfReports ? REPORT_ASKED_FOR : isAction ? 0 : 1;
  return isAction !== isRead ? 1 : NOT_ASKED_FOR;
}

/** The one known word that differs by a slip or two, where nothing has or begins with the word itself. */
function correctSlip(stem: string, vocabulary: readonly string[]): string {
  const slips = SHORTEST_WITH_SLIPS.filter((shortest) => stem.length >= shortest).length;
  if (slips === 0 || vocabulary.some((word) => word.startsWith(stem))) return stem;
  const near = vocabulary
    .filter((word) => word.length >= SHORTEST_BEGINNING && word[0] === stem[0])
    .map((word) => ({ word, far: distance(word, stem) }))
    .filter(({ far }) => far <= slips)
    .sort((one, other) => one.far - other.far);
  return near[0]?.word ?? stem;
}
