/** Decides how a value is treated, by its name and by the names of its parents. */

import { phrases } from './generated/phrases.ts';
import type { Treatment } from './kinds.ts';

/** The word lists of names; phrases.yaml explains each of them. */
export interface Phrases {
  buyers: readonly string[];
  owners: readonly string[];
  ownContainers: readonly string[];
  containerWords: readonly string[];
  persons: readonly string[];
  names: readonly string[];
  regions: readonly string[];
  stays: readonly string[];
  numbers: readonly string[];
  of: readonly string[];
  ends: readonly PhrasesOfKind[];
  endsOfBuyers: readonly PhrasesOfKind[];
  texts: readonly PhrasesOfKind[];
  below: Readonly<Record<string, Treatment>>;
  unspaced: readonly PhrasesOfKind[];
}

interface PhrasesOfKind {
  kind?: Treatment;
  phrases: readonly string[];
}

const OWN_CONTAINERS = new Set(phrases.ownContainers);
const CONTAINER_WORDS = new Set(phrases.containerWords);
const PERSONS = new Set(phrases.persons);
const NAMES = new Set(phrases.names);
const NUMBERS = new Set(phrases.numbers);
const OF = new Set(phrases.of);

const withKinds = (all: readonly PhrasesOfKind[]) =>
  all.flatMap(({ kind, phrases: some }) => some.map((phrase) => [phrase, kind] as const));

const ENDS = new Map(withKinds(phrases.ends));
const ENDS_OF_BUYERS = new Map(withKinds(phrases.endsOfBuyers));
const TEXTS = new Map(withKinds(phrases.texts));
const BELOW = new Map(Object.entries(phrases.below));
const UNSPACED = withKinds(phrases.unspaced);

/** A buyer or recipient, or else the seller or a company. */
type Side = 'buyer' | 'own';

/**
 * A member with everything that its name and parents imply, so that its children need not work it out again.
 */
export interface Place {
  /** The words of its name, separated by blanks. */
  words: string;
  above: Place | undefined;
  /** The side that its own name implies, if any. */
  said: Side | undefined;
  /** The side by its own name, or else by its nearest parent. */
  side: Side | undefined;
  /** The side of its children. */
  below: Side | undefined;
}

/** @param above its parent; undefined at the top, and for a column */
export function placeOf(name: string, above?: Place): Place {
  const padded = wordsOf(name);
  const words = padded.trim();
  const isBuyers = anyOfBuyers.test(padded) || anyOfBuyers.test(ofOne(padded));
  const said = isBuyers ? 'buyer' : isOwnContainer(words) || anyOfOwners.test(padded) ? 'own' : undefined;
  const below = isBuyers ? 'buyer' : isOwnContainer(words) ? 'own' : above?.below;
  return { words, above, said, side: said ?? above?.below, below };
}

/** Returns `recipient` for `recipients`, because a list has a plural name and its items are singular. */
function ofOne(words: string): string {
  return words.replace(
    /(?<= )([a-z]{2,}?)(?:(ss|us|is|x)es|ies|s)(?= |$)/g,
    (word, stem: string, end?: string) => {
      if (end !== undefined) return stem + end;
      if (word.endsWith('ies')) return `${stem}y`;
      return /[sui]s$/.test(word) ? word : stem;
    },
  );
}

/** Builds one expression for all phrases, so that each name is scanned once. */
const anyOf = (all: readonly string[]) => new RegExp(` (?:${all.join('|')}) `);
const anyOfBuyers = anyOf(phrases.buyers);
const anyOfOwners = anyOf(phrases.owners);
const anyOfWhatStays = anyOf([...phrases.regions, ...phrases.stays]);

function isOwnContainer(words: string): boolean {
  if (OWN_CONTAINERS.has(words)) return true;
  const end = words.lastIndexOf(' ');
  return end > 0 && CONTAINER_WORDS.has(words.slice(end + 1)) && isOwnContainer(words.slice(0, end));
}

/** Facts about a value besides its name and parents. */
interface Value {
  /** A text named `address` is an address, and not an object of street and town. */
  isText: boolean;
  /** A top-level `name` is that of a person. */
  isPlainName?: boolean;
}

export function treatmentOfPlace(place: Place, value: Value): Treatment | undefined {
  return place.side === 'own' ? undefined : looksLike(place, value);
}

/** Returns the treatment that applies if the value is not the seller's own. */
export function looksLike(place: Place, value: Value): Treatment | undefined {
  if (/^(?:is|has|number of) /.test(place.words)) return undefined;
  const found = looksLikeAsItIs(place, value);
  // An object or array is not personal merely because it has a plural name.
  if (found !== undefined || !value.isText) return found;
  const words = ofOne(` ${place.words}`).trim();
  return words === place.words ? undefined : looksLikeAsItIs({ ...place, words }, value);
}

function looksLikeAsItIs(place: Place, { isText, isPlainName = false }: Value): Treatment | undefined {
  const { words, above } = place;
  const below = BELOW.get(`${above?.words ?? ''} > ${words}`);
  if (below !== undefined) return below;
  if (/[\u3040-\u30FF\u3400-\u9FFF]/u.test(words))
    return UNSPACED.find(([phrase]) => words.includes(phrase))?.[1];
  const { base, isNumbered } = withoutNumber(words);
  if (isNumbered && / (?:address|line) /.test(` ${base} `)) return 'address';
  const isBuyers = place.side === 'buyer';
  const known = (isText ? TEXTS.get(base) : undefined) ?? endOf(base, isBuyers);
  if (known !== undefined) return known;
  if (isName(place, isPlainName)) return 'buyer name';
  const thing = beforeOf(base);
  if (thing !== undefined && place.said === 'buyer' && NAMES.has(thing)) return 'buyer name';
  const ofThing =
    thing === undefined ? undefined : ((isText ? TEXTS.get(thing) : undefined) ?? endOf(thing, isBuyers));
  return ofThing ?? (isText && isInBuyersAddress(place) ? 'address' : undefined);
}

/**
 * True within a buyer's address, all of which is masked but its region, because the service may add unknown
 * members.
 */
function isInBuyersAddress({ words, above }: Place): boolean {
  if (above?.below !== 'buyer' || anyOfWhatStays.test(` ${words} `)) return false;
  const last = above.words.slice(above.words.lastIndexOf(' ') + 1);
  return last === 'address' || last === 'addresses' || above.words === 'ship to' || isInBuyersAddress(above);
}

/** Returns `telefonnummer` of `telefonnummer des kaufers`; undefined if there is no genitive. */
function beforeOf(words: string): string | undefined {
  const all = words.split(' ');
  const at = all.findIndex((word) => OF.has(word));
  return at > 0 ? all.slice(0, at).join(' ') : undefined;
}

function withoutNumber(words: string): { base: string; isNumbered: boolean } {
  const end = words.lastIndexOf(' ');
  const last = words.slice(end + 1);
  const isNumbered = end > 0 && (NUMBERS.has(last) || /^\d$/.test(last));
  return { base: isNumbered ? words.slice(0, end) : words, isNumbered };
}

/** Looks for the longest phrase first: `delivery note` before `note`. */
function endOf(words: string, isBuyers: boolean): Treatment | undefined {
  const found = ENDS.get(words) ?? (isBuyers ? ENDS_OF_BUYERS.get(words) : undefined);
  const blank = words.indexOf(' ');
  return found ?? (blank < 0 ? undefined : endOf(words.slice(blank + 1), isBuyers));
}

/**
 * True for the name of a buyer. `recipientName` names the owner itself; a mere `name` takes it from its
 * parent.
 */
function isName({ words, above, said }: Place, isPlainName: boolean): boolean {
  const last = words.slice(words.lastIndexOf(' ') + 1);
  // This finds `nome acquirente` as well as `buyer name`.
  if (said === 'buyer' && NAMES.has(words.slice(0, Math.max(0, words.indexOf(' '))))) return true;
  if (!NAMES.has(last)) return false;
  if (words !== last) return said === 'buyer';
  if (above === undefined) return isPlainName;
  return above.said === 'buyer' || PERSONS.has(above.words.slice(above.words.lastIndexOf(' ') + 1));
}


/**
 * Returns the words of a name, however written: `AddressLine1`, `address-line-1` and `ADDRESS_LINE_1` are
 * equal. Blanks enclose it, so that a phrase is found with one at either end: ` address line 1 `. Accents of
 * Latin letters are dropped.
 */
export function wordsOf(name: string): string {
  const cut = name.slice(0, LONGEST);
  return ` ${(isAscii(cut) ? asciiWords(cut) : unicodeWords(cut)).trim()} `;
}

/** The number of characters of a name that are read: no name of the service is longer. */
const LONGEST = 200;

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what ASCII is.
const isAscii = (name: string) => /^[\u0000-\u007F]*$/.test(name);

/**
 * Gives the same result as `unicodeWords` in a quarter of its time: nearly all names are ASCII, and answers
 * may have any number of them.
 */
function asciiWords(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Za-z])([0-9])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ');
}

function unicodeWords(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/gu, '')
    .normalize('NFC')
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
}
