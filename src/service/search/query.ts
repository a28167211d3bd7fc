/** Reads what somebody searches for: which words matter, what else each could be called, and which phrases stand as one. */

import { groupBy } from '../../base/group-by.ts';
import { marketplaceTable } from '../facts/generated/marketplaces.ts';
import { synonyms } from './generated/synonyms.ts';
import { plainWordsOf, stem, wordsOf } from './words.ts';

/** One thing that is asked for, and the ways of putting it. */
interface Concept {
  /** As it was written. */
  written: string;
  /** What it counts. */
  weight: number;
  /** Stems that all have to be found, with what the finding counts. */
  wordings: readonly Wording[];
}

/** What is asked for, and whether something is to be done with it. */
export interface Query {
  concepts: readonly Concept[];
  /** False: it only names things, which somebody wants to see. */
  isAction: boolean;
  /** It says "report". */
  isOfReports: boolean;
}

export interface Wording {
  stems: readonly string[];
  weight: number;
}

const SYNONYM = 0.5;
/** Verbs say less than what they are done to. */
const VERB = 0.4;
/** Nearly everything is about one of these. */
const COMMON = 0.6;
/** A phrase is more than one of its words. */
const PHRASE = 1.5;

interface Phrase {
  stems: readonly string[];
  others: readonly Wording[];
}

let table: ReadonlyMap<string, readonly Phrase[]> | undefined;

/** By the first stem, the longest first. */
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

/** Every stem that a synonym begins with: a slip of the pen may have meant one of them. */
export function synonymStems(): string[] {
  return [...phrases().values()].flatMap((list) => list.flatMap(({ stems }) => stems));
}

/** @param correct puts right a stem with a slip in it; the same stem otherwise. */
export function readQuery(text: string, correct: (stem: string) => string): Query {
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

/** A text with the places of its words that say what is asked for. */
export interface PhraseReader {
  /** Places of the words of any of these phrases, whatever the endings, with small words in between; none where none is there. */
  placesOf(phrases: readonly (readonly string[])[]): readonly number[];
  /** Whether these places hold all words that say something. */
  isAllOf(places: ReadonlySet<number>): boolean;
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
    isAllOf: (places) => plain.every((word, at) => isSmall(word) || places.has(at)),
  };
}

/** `length`: words of the query that it takes up; those that matter to nobody may stand in between. */
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

/** How many words it takes up there; undefined where it does not stand. */
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

// Words that say little by themselves, and those that say that something is to be done.

/** They say how something is asked, not what for; or which days, which operations take in a parameter. */
const stopWords = new Set(
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

/** A word that says nothing of what is asked for: a small word, a country that has no word of its own, a number. */
const isSmall = (word: string) => stopWords.has(word) || countries.has(word) || /^\d+$/.test(word);

/** Countries whose names belong to questions about anything; India and Brazil have operations of their own. */
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

/** They say that something is to be done. */
const actions = new Set(
  wordsOf(
    `change update edit modify adjust set correct fix raise lower increase reduce create add make new delete remove cancel
    put start stop send ship buy purchase book schedule confirm accept reject approve upload upgrade print generate write
    ask request submit publish turn switch activate deactivate connect link unlink rename split close open move pay withdraw
    transfer replenish restock mark reprice choose void subscribe unsubscribe message contact reply apply assign`,
  ),
);
