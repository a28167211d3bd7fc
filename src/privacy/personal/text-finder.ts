/** Finds many known texts in another in one look at each of its words, whatever their case and however alike they are. */

import { createHash } from 'node:crypto';
import { buildSequenceIndex, NOWHERE, type SequenceIndex, type Sequences } from './sequence-index.ts';

/** What it finds begins and ends at the borders of words, where its script has such. */
export type TextFinder = ReturnType<typeof createTextFinder>;

const SHORTEST = 2;

/**
 * @param most beyond so many, the half that was added longest ago is forgotten
 * @param options.anywhere in the middle of words too: for spellings that no word begins or ends with
 */
export function createTextFinder(
  most = Number.POSITIVE_INFINITY,
  { anywhere = false }: { anywhere?: boolean } = {},
) {
  const startOf = anywhere ? startOfCharacter : startOfWord;
  let young = createGeneration(startOf);
  let old = createGeneration(startOf);
  const replacementOf = (lower: string) => young.replacementOf(lower) ?? old.replacementOf(lower);
  const find = (text: string) => {
    const lower = lowerOf(text);
    const searches = [young, old].filter((one) => one.size() > 0).map((one) => one.search(lower));
    return searches.length === 0 ? NOTHING : findAll(lower, startOf, searches);
  };
  return {
    size: () => young.size() + old.size(),
    /** What stands for exactly this text. */
    exactly: (text: string) => replacementOf(lowerOf(text)),
    /** @param replacement what stands in its place */
    add(text: string, replacement: string) {
      const lower = lowerOf(text);
      if (lower.length < SHORTEST || young.replacementOf(lower) === replacement) return;
      if (young.size() >= most / 2) [young, old] = [createGeneration(startOf), young];
      young.add(lower, replacement);
    },
    /** What would stand in the place of something in it. */
    replacementsIn: (text: string) => find(text).texts.flatMap((known) => replacementOf(known) ?? []),
    /** @param except replacements of those that stay */
    replaceIn(text: string, except?: ReadonlySet<string>): string {
      const { starts, texts } = find(text);
      let clean = '';
      let done = 0;
      // What was found last begins first.
      for (let at = starts.length - 1; at >= 0; at -= 1) {
        const [start, known] = [starts[at] ?? 0, texts[at] ?? ''];
        if (start < done) continue;
        const replacement = replacementOf(known) ?? '';
        if (except?.has(replacement) === true) continue;
        clean += text.slice(done, start) + replacement;
        done = start + known.length;
      }
      return clean + text.slice(done);
    },
  };
}

const NOTHING: ReturnType<typeof findAll> = { starts: [], texts: [] };

/** A text is cut into pieces from its end on, at each place where a known text may begin or end: the beginning of the last piece before `end`. */
type StartOfPiece = (text: string, end: number) => number;

/** Told one piece after the other, from the end on: the longest known text that begins with this piece. */
type Search = (start: number, end: number) => string | undefined;

/** All places where a known text begins, from the end on, and the longest that does. */
function findAll(lower: string, startOf: StartOfPiece, searches: readonly Search[]) {
  const starts: number[] = [];
  const texts: string[] = [];
  for (let end = lower.length; end > 0; ) {
    const start = startOf(lower, end);
    let longest = '';
    for (const search of searches) {
      const known = search(start, end);
      if (known !== undefined && known.length > longest.length) longest = known;
    }
    if (longest !== '') {
      starts.push(start);
      texts.push(longest);
    }
    end = start;
  }
  return { starts, texts };
}

interface Level {
  texts: readonly string[];
  characters: number;
  /** Of their pieces from the last one on: so what ends in a text that is read from its end begins there. */
  index: SequenceIndex;
}

/** Each level has more than twice the characters of the next: so there are few, and none is built anew for a few more texts. */
const SMALLER = 2;

function createGeneration(startOf: StartOfPiece) {
  const replacements = new Map<string, string>();
  const pieces = createPieces();
  const levels: Level[] = [];
  /** What is in none of them yet. */
  let added: string[] = [];

  /** @param characters of all texts: they have no more pieces */
  const sequencesOf = (texts: readonly string[], characters: number): Sequences => {
    const numbers = new Int32Array(characters);
    const ends = new Int32Array(texts.length);
    let count = 0;
    for (const [at, text] of texts.entries()) {
      for (let end = text.length; end > 0; ) {
        const start = startOf(text, end);
        numbers[count] = pieces.note(text, start, end);
        count += 1;
        end = start;
      }
      ends[at] = count;
    }
    return { numbers: numbers.slice(0, count), ends };
  };
  const addLevel = () => {
    let texts = added;
    added = [];
    let characters = texts.reduce((sum, { length }) => sum + length, 0);
    for (let last = levels.at(-1); last !== undefined; last = levels.at(-1)) {
      if (last.characters > SMALLER * characters) break;
      texts = [...last.texts, ...texts];
      characters += last.characters;
      levels.pop();
    }
    levels.push({ texts, characters, index: buildSequenceIndex(sequencesOf(texts, characters)) });
  };

  return {
    size: () => replacements.size,
    replacementOf: (lower: string) => replacements.get(keyOf(lower)),
    add(lower: string, replacement: string): void {
      const key = keyOf(lower);
      if (!replacements.has(key)) added.push(lower);
      replacements.set(key, replacement);
    },
    search(lower: string): Search {
      if (added.length > 0) addLevel();
      const states = levels.map(() => NOWHERE);
      return (start, end) => {
        const piece = pieces.find(lower, start, end);
        let longest: string | undefined;
        for (let at = 0; at < levels.length; at += 1) {
          const level = levels[at];
          if (level === undefined) continue;
          const state = level.index.next(states[at] ?? NOWHERE, piece);
          states[at] = state;
          const known = state === NOWHERE ? undefined : level.texts[level.index.endingAt(state)];
          if (known !== undefined && known.length > (longest?.length ?? 0)) longest = known;
        }
        return longest;
      };
    },
  };
}

const CHARACTERS = 0x10000;

/** Numbers of the pieces of known texts: a character's is its own, words are counted; 0 is in none. */
function createPieces() {
  const words = new Map<string, number>();
  return {
    note(text: string, start: number, end: number): number {
      if (end - start === 1) return text.charCodeAt(start) + 1;
      const word = keyOf(text.slice(start, end));
      const number = words.get(word) ?? CHARACTERS + 1 + words.size;
      words.set(word, number);
      return number;
    },
    find(text: string, start: number, end: number): number {
      if (end - start === 1) return text.charCodeAt(start) + 1;
      return words.get(keyOf(text.slice(start, end))) ?? 0;
    },
  };
}

/** Behind so many characters a `Map` tells texts of one length apart by comparing them. */
const LONG = 10_000;

const keyOf = (text: string): string =>
  text.length < LONG ? text : ` ${createHash('sha256').update(text, 'utf16le').digest('base64')}`;

/** With every character where it is: a Turkish İ would become two. */
function lowerOf(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replaceAll('İ', 'i').toLowerCase();
}

const startOfCharacter: StartOfPiece = (_text, end) => end - 1;

/** A word, or a single character between words. */
const startOfWord: StartOfPiece = (text, end) => {
  let start = end - 1;
  if (!isInWord(text.charCodeAt(start))) return start;
  while (start > 0 && isInWord(text.charCodeAt(start - 1))) start -= 1;
  return start;
};

/** Letters and digits of the scripts that put something between words. */
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
const WITHOUT_BORDERS = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** Of every character beyond ASCII that was asked for: 1 in words, 2 not. */
const asked = new Uint8Array(CHARACTERS);

function isInWord(code: number): boolean {
  if (code < 0x80) {
    return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);
  }
  if (asked[code] === 0) {
    const character = String.fromCharCode(code);
    asked[code] = WORD_CHARACTER.test(character) && !WITHOUT_BORDERS.test(character) ? 1 : 2;
  }
  return asked[code] === 1;
}
