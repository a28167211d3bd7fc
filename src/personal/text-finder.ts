/** Finds many known texts in another in one look at each of its words, whatever their case. */

/** Begins and ends at the borders of words, where its script has such. */
export interface TextFinder {
  /** @param replacement what stands in its place */
  add(text: string, replacement: string): void;
  replaceIn(text: string): string;
  /** What stands for exactly this text. */
  exactly(text: string): string | undefined;
  size(): number;
}

/** Characters by which candidates are looked up: as many of these as a text has, so that few share them. */
const KEYS = [8, 4, 2] as const;
const SHORTEST = 2;

const keyOf = (text: string) =>
  text.slice(
    0,
    KEYS.find((length) => length <= text.length),
  );

/** The texts by their first characters. */
interface Generation {
  /** By text in lower case. */
  known: Map<string, string>;
  byKey: Map<string, Set<string>>;
}

const createGeneration = (): Generation => ({ known: new Map(), byKey: new Map() });

/**
 * @param most beyond so many, the half that was added longest ago is forgotten
 * @param options.anywhere in the middle of words too: for spellings that no word begins or ends with
 */
export function createTextFinder(
  most = Number.POSITIVE_INFINITY,
  { anywhere = false }: { anywhere?: boolean } = {},
): TextFinder {
  let young = createGeneration();
  let old = createGeneration();
  const replacementOf = (text: string) => young.known.get(text) ?? old.known.get(text);
  const longestAt = (lower: string, at: number): string | undefined => {
    const [one, other] = [longestIn(young, lower, at, anywhere), longestIn(old, lower, at, anywhere)];
    return (one?.length ?? 0) >= (other?.length ?? 0) ? one : other;
  };
  return {
    size: () => young.known.size + old.known.size,
    exactly: (text) => replacementOf(text.toLowerCase()),
    add(text, replacement) {
      const lower = text.toLowerCase();
      if (lower.length < SHORTEST || young.known.get(lower) === replacement) return;
      if (young.known.size >= most / 2) [young, old] = [createGeneration(), young];
      young.known.set(lower, replacement);
      const key = keyOf(lower);
      const texts = young.byKey.get(key);
      if (texts === undefined) young.byKey.set(key, new Set([lower]));
      else texts.add(lower);
    },
    replaceIn(text) {
      const lower = lowerOf(text);
      let clean = '';
      let done = 0;
      for (let at = 0; at < lower.length; at += 1) {
        if (!anywhere && !isBorder(lower, at)) continue;
        const found = longestAt(lower, at);
        if (found === undefined) continue;
        clean += text.slice(done, at) + (replacementOf(found) ?? '');
        done = at + found.length;
        at = done - 1;
      }
      return done === 0 ? text : clean + text.slice(done);
    },
  };
}

/** The longest that stands at `at`. */
function longestIn({ byKey }: Generation, lower: string, at: number, anywhere: boolean): string | undefined {
  let longest: string | undefined;
  if (byKey.size === 0) return longest;
  for (const length of KEYS) {
    for (const text of byKey.get(lower.slice(at, at + length)) ?? []) {
      if (longest !== undefined && text.length <= longest.length) continue;
      if (lower.startsWith(text, at) && (anywhere || isBorder(lower, at + text.length))) longest = text;
    }
  }
  return longest;
}

/** Places have to stay where they are: a character that becomes two in lower case keeps its text as it is. */
function lowerOf(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

/** Letters and digits of the scripts that put something between words. */
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
const WITHOUT_BORDERS = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** False in the middle of a word. */
function isBorder(text: string, at: number): boolean {
  return (
    at === 0 || at >= text.length || !isInWord(text.charCodeAt(at - 1)) || !isInWord(text.charCodeAt(at))
  );
}

function isInWord(code: number): boolean {
  if (code < 0x80) {
    return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);
  }
  const character = String.fromCharCode(code);
  return WORD_CHARACTER.test(character) && !WITHOUT_BORDERS.test(character);
}
