/** Splits text into the words that the search compares: lower case, without endings, compound names split. */

import { stemmer } from 'stemmer';

/** Words whose endings matter: a listing is no list, and a customer is not custom. */
const whole = new Map(
  ['listing', 'rating', 'customer', 'customs', 'setting', 'paper', 'sales'].flatMap((word) => [
    [word, word],
    [`${word}s`, word],
  ]),
);

/** Stems that the stemmer does not know. */
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

/**
 * Splits `getListingsItem` into get, list, item; `A+`, `Subscribe & Save` into aplus, subscrib, and, save.
 */
export function wordsOf(text: string): string[] {
  return plainWordsOf(text).map(stem);
}

/** Returns each stem once, in the form of the index. */
export function stemsOf(text: string): string {
  return [...new Set(wordsOf(text))].join(' ');
}

/** Splits text with the endings intact. */
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

/** Returns the common stem of words with different endings. */
export function stem(word: string): string {
  return whole.get(word) ?? stemmer(irregular.get(word) ?? word);
}
