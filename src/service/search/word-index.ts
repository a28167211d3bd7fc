/** An index of things that a seller looks for: whole words and their beginnings over names, groups and what each is for. */

import { distance } from 'fastest-levenshtein';
import MiniSearch from 'minisearch';
import { readQuery, synonymStems, type Wording } from './query.ts';

export interface Found {
  /** Ids with their scores, the best first. */
  matches: readonly Match[];
  /** Words that nothing has, as they were written. */
  unknown: readonly string[];
  /** Something is to be done, not only seen. */
  isAction: boolean;
}

interface Match {
  id: string;
  score: number;
  /** It has all words that anything has. */
  isWhole: boolean;
}

export interface SearchIndex {
  search(text: string): Found;
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
}

const FIELDS = ['name', 'words', 'group', 'members'];
const BOOST = { name: 0.6, words: 2, group: 0.8, members: 0.2 };
/** Shorter ones begin too many words. */
const SHORTEST_BEGINNING = 4;
/** What the beginning of a word counts. */
const BEGINNING = 0.4;
/** Shorter words have too many neighbors for one slip, and for two. */
const SHORTEST_WITH_SLIPS = [5, 7];
/** Matches that lack a word are not listed below this share of the best one. */
const WORTH_LISTING = 0.3;

/** A write where nothing is said to be done, or a reading where something is. */
const NOT_ASKED_FOR = 0.9;

/** Built at once; whatever is searched for gives the same answer every time. */
export function indexEntries(entries: readonly Entry[]): SearchIndex {
  const index = new MiniSearch<Entry>({
    fields: FIELDS,
    tokenize: splitWords,
    processTerm: (term) => term,
  });
  index.addAll(entries);
  const places = new Map(entries.map(({ id, standing, isRead }, place) => [id, { place, standing, isRead }]));
  const vocabulary = [...new Set([...entries.flatMap(allWordsOf), ...synonymStems()])].sort();
  const correct = (stem: string) => correctSlip(stem, vocabulary);
  const scoresOf = (stem: string) => findStem(index, stem);
  return {
    search: (text) => {
      const { concepts, isAction } = readQuery(text, correct);
      const scored = concepts.map(({ weight, wordings }) => ({ weight, scores: best(wordings, scoresOf) }));
      const known = scored.filter(({ scores }) => scores.size > 0);
      return {
        matches: rank(known, places, isAction),
        isAction,
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
  places: ReadonlyMap<string, { place: number; standing: number; isRead: boolean }>,
  isAction: boolean,
): Found['matches'] {
  const whole = known.reduce((sum, { weight }) => sum + weight, 0);
  const matches = [...places].flatMap(([id, { place, standing, isRead }]) => {
    const having = known.filter(({ scores }) => scores.has(id));
    if (having.length === 0) return [];
    const share = having.reduce((sum, { weight }) => sum + weight, 0) / whole;
    const sum = having.reduce((total, { weight, scores }) => total + weight * (scores.get(id) ?? 0), 0);
    return [
      {
        id,
        place,
        isWhole: share === 1,
        fit: sum * share,
        score: sum * share * standing * (isAction !== isRead ? 1 : NOT_ASKED_FOR),
      },
    ];
  });
  matches.sort((one, other) => other.score - one.score || one.place - other.place);
  const least = Math.max(0, ...matches.map(({ fit }) => fit)) * WORTH_LISTING;
  return matches.filter(({ fit, isWhole }) => isWhole || fit >= least);
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
