/** Cuts text into the words that the search compares: lower case, without endings, compound names split. */

import { stemmer } from 'stemmer';

/** Words whose endings make a difference here: a listing is no list, a customer nothing custom. */
const whole = new Map(
  ['listing', 'rating', 'customer', 'customs', 'setting', 'paper', 'sales'].flatMap((word) => [
    [word, word],
    [`${word}s`, word],
  ]),
);

/** What the stemmer cannot know. */
const irregular = new Map([
  ['sold', 'sell'],
  ['bought', 'buy'],
  ['paid', 'pay'],
  ['sent', 'send'],
  ['lives', 'live'],
  ['catalogue', 'catalog'],
  ['cancelled', 'cancel'],
  ['cancelling', 'cancel'],
  ['cancellation', 'cancel'],
  ['notification', 'notify'],
  ['notifications', 'notify'],
  ['delivery', 'deliver'],
  ['deliveries', 'deliver'],
  ['removal', 'remove'],
  ['buying', 'buy'],
]);

/** `getListingsItem` -> get, list, item; `A+`, `Subscribe & Save` -> aplus, subscrib, and, save. */
export function wordsOf(text: string): string[] {
  return plainWordsOf(text).map(stem);
}

/** Each once, as the index keeps them. */
export function stemsOf(text: string): string {
  return [...new Set(wordsOf(text))].join(' ');
}

/** The same with the endings left on. */
export function plainWordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\bA\+/gi, ' aplus ')
    .replaceAll('&', ' and ')
    .replace(/['’]/g, '')
    .replace(/([a-z\d])(?=[A-Z][a-z])/g, '$1 ')
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .replaceAll('fulfilment', 'fulfillment')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** What words with the same meaning and different endings share. */
export function stem(word: string): string {
  return whole.get(word) ?? stemmer(irregular.get(word) ?? word);
}
