/** Finds many known texts in another in one pass over its words, ignoring case, even if they overlap. */

import { createHash } from 'node:crypto';
import { buildSequenceIndex, ROOT_STATE, type SequenceIndex, type Sequences } from './sequence-index.ts';

/** Finds texts that begin and end at word boundaries, if their script has any. */
export type TextFinder = ReturnType<typeof createTextFinder>;

const MIN_CHARACTERS = 2;

/**
 * @param maxTexts the limit of texts; above it, the half that was added longest ago is dropped
 * @param options.anywhere finds texts in the middle of words too: for spellings without word boundaries
 */
export function createTextFinder(
  maxTexts = Number.POSITIVE_INFINITY,
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
    /** Returns the replacement of exactly this text. */
    exactly: (text: string) => replacementOf(lowerOf(text)),
    /** @param replacement the text that replaces it */
    add(text: string, replacement: string) {
      const lower = lowerOf(text);
      if (lower.length < MIN_CHARACTERS || young.replacementOf(lower) === replacement) return;
      if (young.size() >= maxTexts / 2) [young, old] = [createGeneration(startOf), young];
      young.add(lower, replacement);
    },
    /** Returns the replacements of all known texts in this one. */
    replacementsIn: (text: string) => find(text).texts.flatMap((known) => replacementOf(known) ?? []),
    /** @param except replacements of texts that stay */
    replaceIn(text: string, except?: ReadonlySet<string>): string {
      const { starts, texts } = find(text);
      let clean = '';
      let done = 0;
      // Matches are found from the end on, so the last one starts first.
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

/**
 * Splits a text into pieces from its end on, at each position where a known text may begin or end. Returns
 * the start of the last piece before `end`.
 */
type StartOfPiece = (text: string, end: number) => number;

/**
 * Takes one piece after the other, from the end on, and returns the longest known text that begins with this
 * piece.
 */
type SearchPiece = (start: number, end: number) => string | undefined;

/** Returns all starts of known texts, from the end on, with the longest text at each. */
function findAll(lower: string, startOf: StartOfPiece, searches: readonly SearchPiece[]) {
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

interface IndexLevel {
  texts: readonly string[];
  characters: number;
  /** Indexes their pieces in reverse, because the search runs from the end. */
  index: SequenceIndex;
}

/**
 * Each level has more than twice the characters of the next. So there are few, and a few more texts rebuild
 * none of the large ones.
 */
const SMALLER = 2;

function createGeneration(startOf: StartOfPiece) {
  const replacements = new Map<string, string>();
  const pieces = createPieces();
  const levels: IndexLevel[] = [];
  /** Texts that are in no level yet. */
  let added: string[] = [];

  /** @param characters of all texts, which is an upper bound of their pieces */
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
    search(lower: string): SearchPiece {
      if (added.length > 0) addLevel();
      const states = levels.map(() => ROOT_STATE);
      return (start, end) => {
        const piece = pieces.find(lower, start, end);
        let longest: string | undefined;
        for (let at = 0; at < levels.length; at += 1) {
          const level = levels[at];
          if (level === undefined) continue;
          const state = level.index.next(states[at] ?? ROOT_STATE, piece);
          states[at] = state;
          const known = state === ROOT_STATE ? undefined : level.texts[level.index.endingAt(state)];
          if (known !== undefined && known.length > (longest?.length ?? 0)) longest = known;
        }
        return longest;
      };
    },
  };
}

const CHARACTERS = 0x10000;

/** Numbers the pieces of known texts: a character by its code, words by a counter; 0 is no piece. */
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

/**
 * Above this number of characters, a `Map` may compare texts of equal length in full; longer ones get a hash
 * as key.
 */
const HASHED = 10_000;

const keyOf = (text: string): string =>
  text.length < HASHED ? text : ` ${createHash('sha256').update(text, 'utf16le').digest('base64')}`;

/** Returns lower case with unchanged positions: a Turkish İ would become two characters. */
function lowerOf(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replaceAll('İ', 'i').toLowerCase();
}

const startOfCharacter: StartOfPiece = (_text, end) => end - 1;

/** Returns the start of a word, or of a single character between words. */
const startOfWord: StartOfPiece = (text, end) => {
  let start = end - 1;
  if (!isInWord(text.charCodeAt(start))) return start;
  while (start > 0 && isInWord(text.charCodeAt(start - 1))) start -= 1;
  return start;
};

/** Matches letters and digits; the next expression has the scripts without separators between words. */
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
const WITHOUT_BORDERS = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** Caches the test of characters beyond ASCII: 1 in words, 2 not, 0 if not yet tested. */
const wordTests = new Uint8Array(CHARACTERS);

function isInWord(code: number): boolean {
  if (code < 0x80) {
    return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);
  }
  if (wordTests[code] === 0) {
    const character = String.fromCharCode(code);
    wordTests[code] = WORD_CHARACTER.test(character) && !WITHOUT_BORDERS.test(character) ? 1 : 2;
  }
  return wordTests[code] === 1;
}
