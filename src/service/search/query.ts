/** Parses a search text: which words matter, their synonyms, and which phrases form a unit. */

import { groupBy } from '../../base/group-by.ts';
import { marketplaceTable } from '../facts/generated/marketplaces.ts';
import { synonyms } from './generated/synonyms.ts';
import { plainWordsOf, stem, wordsOf } from './words.ts';

/** One thing that the text asks for, and its wordings. */
interface Concept {
  /** The words as written. */
  written: string;
  /** The weight of the concept. */
  weight: number;
  /** The wordings; all stems of one have to be found, and its weight counts. */
  wordings: readonly Wording[];
}

/** The concepts of a text, and whether it asks for an action. */
export interface SearchQuery {
  concepts: readonly Concept[];
  /** False when the text only names things, so the user wants to see them. */
  isAction: boolean;
  /** True when the text contains "report". */
  isOfReports: boolean;
}

export interface Wording {
  stems: readonly string[];
  weight: number;
}

const SYNONYM = 0.5;
/** The weight of verbs, which distinguish less than nouns. */
const VERB = 0.4;
/** The weight of nouns that nearly everything is about. */
const COMMON = 0.6;
/** The weight of a phrase, which is more specific than one of its words. */
const PHRASE = 1.5;

interface Phrase {
  stems: readonly string[];
  others: readonly Wording[];
}

let table: ReadonlyMap<string, readonly Phrase[]> | undefined;

/** Returns the phrases by their first stem, the longest first. */
function phrases(): ReadonlyMap<string, readonly Phrase[]> {
  table ??= buildTable();
  return table;
}

function buildTable(): ReadonlyMap<string, readonly Phrase[]> {
  const all = new Map<string, { stems: readonly string[]; others: Map<string, Wording> }>();
  for (const group of synonyms) {
    const members = group.map((member) => wordsOf(member));
    for (const stems of members) {
      const known = all.get(stems.join(' ')) ?? { stems, others: new Map<string, Wording>() };
      for (const other of members)
        if (other !== stems) known.others.set(other.join(' '), { stems: other, weight: SYNONYM });
      all.set(stems.join(' '), known);
    }
  }
  const phrases = [...all.values()].map(({ stems, others }) => ({ stems, others: [...others.values()] }));
  const found: Map<string, Phrase[]> = groupBy(phrases, ({ stems }) => stems[0] ?? '');
  for (const list of found.values()) list.sort((one, other) => other.stems.length - one.stems.length);
  return found;
}

/** Returns every stem that a synonym begins with, because a misspelled word may mean one of them. */
export function synonymStems(): string[] {
  return [...phrases().values()].flatMap((list) => list.flatMap(({ stems }) => stems));
}

/**
 * Parses a search text.
 * @param correct corrects a misspelled stem; returns other stems unchanged.
 */
export function readQuery(text: string, correct: (stem: string) => string): SearchQuery {
  const plain = plainWordsOf(text);
  const stems = plain.map((word) => (isSmall(word) ? stem(word) : correct(stem(word))));
  const concepts: Concept[] = [];
  for (let at = 0; at < stems.length; ) {
    const phrase = phraseAt(stems, plain, at);
    const length = phrase?.length ?? 1;
    const own = phrase?.stems ?? stems.slice(at, at + 1);
    if (length > 1 || !isSmall(plain[at] ?? ''))
      concepts.push({
        written: plain.slice(at, at + length).join(' '),
        weight: length > 1 ? PHRASE : weightOf(own[0] ?? ''),
        wordings: [{ stems: own, weight: 1 }, ...(phrase?.others ?? [])],
      });
    at += length;
  }
  return {
    concepts,
    isAction: stems.some((each) => actions.has(each)),
    isOfReports: plain.some((word) => /^reports?$/.test(word)),
  };
}

function weightOf(stem: string): number {
  if (verbs.has(stem)) return VERB;
  return commonNouns.has(stem) ? COMMON : 1;
}

/** A text with the positions of its relevant words. */
export interface PhraseReader {
  /**
   * Returns the positions of the words of any of these phrases, whatever their endings, with small words in
   * between; empty when there are none.
   */
  placesOf(phrases: readonly (readonly string[])[]): readonly number[];
  /** Returns whether these positions cover all relevant words. */
  isAllOf(positions: ReadonlySet<number>): boolean;
}

export function readPhrases(text: string): PhraseReader {
  const plain = plainWordsOf(text);
  const stems = plain.map(stem);
  return {
    placesOf: (phrases) =>
      phrases.flatMap((phrase) =>
        [...stems.keys()].flatMap((at) => {
          const length = lengthOfPhrase(phrase, stems, plain, at) ?? 0;
          return Array.from({ length }, (_, i) => at + i);
        }),
      ),
    isAllOf: (positions) => plain.every((word, at) => isSmall(word) || positions.has(at)),
  };
}

/**
 * Returns the phrase at a position with the number of its words in the text, including small words in
 * between.
 */
function phraseAt(
  stems: readonly string[],
  plain: readonly string[],
  at: number,
): (Phrase & { length: number }) | undefined {
  for (const phrase of phrases().get(stems[at] ?? '') ?? []) {
    const length = lengthOfPhrase(phrase.stems, stems, plain, at);
    if (length !== undefined) return { ...phrase, length };
  }
  return undefined;
}

/** Returns the number of words of the phrase at a position; undefined when it does not match. */
function lengthOfPhrase(
  phrase: readonly string[],
  stems: readonly string[],
  plain: readonly string[],
  at: number,
): number | undefined {
  let next = at;
  const isHere = phrase.every((word, i) => {
    while (i > 0 && stems[next] !== word && isSmall(plain[next] ?? '')) next += 1;
    return stems[next++] === word;
  });
  return isHere ? next - at : undefined;
}

// Small words carry little meaning by themselves; action words show that something is to be done.

/** Words that only phrase the question, or that name days, which operations take in a parameter. */
const ignored = new Set(
  `a about after again all also altogether am amazon an and any anybody anyone anything are as at be because
  been before being between both but by can could currently day days did do does doing dollar dollars each euro
  euros every everybody everyone everything exactly few fewer five for four from had has have having he hello
  help her him his hour hours how however i if in instead into is it its just last latest less let lot lots
  many me might month months more most much must my myself need next nobody none now of old on one only onto or
  otherwise our out over past per percent perhaps please pound pounds quarter quarters really recent same
  seller sellers should since so some somebody someone something soon still ten than thank thanks that the
  their them then there these they this those three through time to today tomorrow too twenty two under until
  up us versus very via want wants was way we week weeks were what when where which while who whom whose why
  will with within without would year years yesterday yet you your yours
  january february march april june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday`.split(/\s+/),
);

/** Returns true for irrelevant words: a small word, a country that is no search word, a number. */
const isSmall = (word: string) => ignored.has(word) || countries.has(word) || /^\d+$/.test(word);

/** Countries that can occur in any question; India and Brazil have operations of their own. */
const countries = new Set(
  marketplaceTable
    .filter(({ country }) => country !== 'IN' && country !== 'BR')
    .flatMap(({ name, also }) => [name, ...also].flatMap(plainWordsOf)),
);

const verbs = new Set(
  wordsOf(
    `get list show see view find search look give tell fetch read check know change update edit modify set create add make
    new delete remove put use start go come took take work works happen like pay live detail details info information`,
  ),
);

const commonNouns = new Set(wordsOf('product item thing'));

/** Words that ask for an action. */
const actions = new Set(
  wordsOf(
    `change update edit modify adjust set correct fix raise lower increase reduce create add make new delete remove cancel
    put start stop send ship buy purchase book schedule confirm accept reject approve upload upgrade print generate write
    ask request submit publish turn switch activate deactivate connect link unlink rename split close open move pay withdraw
    transfer replenish restock mark reprice choose void subscribe unsubscribe message contact reply apply assign`,
  ),
);
