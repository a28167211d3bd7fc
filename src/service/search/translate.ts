/**
 * Translates a search in German, Spanish, French, Italian or Japanese into the English words of the index.
 */

import { translations } from './generated/translations.ts';
import { plainWordsOf } from './words.ts';

/** Japanese words are written without spaces. */
const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const ALL_JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;

let table:
  | { words: ReadonlyMap<string, string>; japanese: readonly (readonly [string, string])[] }
  | undefined;

function readTable() {
  const all = Object.entries(translations).flatMap(([english, words]) =>
    words.split(' ').map((word) => [word, english] as const),
  );
  const japanese = all.filter(([word]) => JAPANESE.test(word));
  return {
    words: new Map(all.filter(([word]) => !JAPANESE.test(word))),
    // The longest come first: 売り上げ before 売.
    japanese: japanese.sort(([one], [other]) => other.length - one.length),
  };
}

/** Returns the text unchanged when none of its words is known in another language. */
export function translate(text: string): string {
  table ??= readTable();
  const { words, japanese } = table;
  let latin = text.normalize('NFKC');
  if (JAPANESE.test(latin)) {
    for (const [word, english] of japanese) latin = latin.replaceAll(word, ` ${english} `);
    latin = latin.replace(ALL_JAPANESE, ' ');
  }
  const own = plainWordsOf(latin);
  const isForeign = latin !== text.normalize('NFKC') || own.some((word) => (words.get(word) ?? '') !== '');
  return isForeign ? own.map((word) => words.get(word) ?? word).join(' ') : text;
}
