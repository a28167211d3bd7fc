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
const GENITIVE_WORDS = new Set(phrases.of);

const withKinds = (all: readonly PhrasesOfKind[]) =>
  all.flatMap(({ kind, phrases: some }) => some.map((phrase) => [phrase, kind] as const));

const ENDS = new Map(withKinds(phrases.ends));
const ENDS_OF_BUYERS = new Map(withKinds(phrases.endsOfBuyers));
const TEXTS = new Map(withKinds(phrases.texts));
const NESTED_MEMBERS = new Map(Object.entries(phrases.below));
const UNSPACED = withKinds(phrases.unspaced);

/** A buyer or recipient, or else the seller or a company. */
type MemberSide = 'buyer' | 'own';

/**
 * A member with everything that its name and parents imply, so that its children need not work it out again.
 */
export interface MemberContext {
  /** The words of its name, separated by blanks. */
  words: string;
  above: MemberContext | undefined;
  /** The side that its own name implies, if any. */
  ownSide: MemberSide | undefined;
  /** The side by its own name, or else by its nearest parent. */
  side: MemberSide | undefined;
  /** The side of its children. */
  below: MemberSide | undefined;
}

/** @param above its parent; undefined at the top, and for a column */
export function contextOf(name: string, above?: MemberContext): MemberContext {
  const padded = splitName(name);
  const words = padded.trim();
  const isBuyers = anyOfBuyers.test(padded) || anyOfBuyers.test(toSingular(padded));
  const ownSide = isBuyers ? 'buyer' : isOwnContainer(words) || anyOfOwners.test(padded) ? 'own' : undefined;
  const below = isBuyers ? 'buyer' : isOwnContainer(words) ? 'own' : above?.below;
  return { words, above, ownSide, side: ownSide ?? above?.below, below };
}

/** Returns `recipient` for `recipients`, because a list has a plural name and its items are singular. */
function toSingular(words: string): string {
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
interface ValueFacts {
  /** A text named `address` is an address, and not an object of street and town. */
  isText: boolean;
  /** A top-level `name` is that of a person. */
  isPlainName?: boolean;
}

export function treatmentOfContext(context: MemberContext, value: ValueFacts): Treatment | undefined {
  return context.side === 'own' ? undefined : treatmentByName(context, value);
}

/** Returns the treatment that applies if the value is not the seller's own. */
export function treatmentByName(context: MemberContext, value: ValueFacts): Treatment | undefined {
  if (/^(?:is|has|number of) /.test(context.words)) return undefined;
  const found = findTreatment(context, value);
  // An object or array is not personal merely because it has a plural name.
  if (found !== undefined || !value.isText) return found;
  const words = toSingular(` ${context.words}`).trim();
  return words === context.words ? undefined : findTreatment({ ...context, words }, value);
}

function findTreatment(
  context: MemberContext,
  { isText, isPlainName = false }: ValueFacts,
): Treatment | undefined {
  const { words, above } = context;
  const below = NESTED_MEMBERS.get(`${above?.words ?? ''} > ${words}`);
  if (below !== undefined) return below;
  if (/[\u3040-\u30FF\u3400-\u9FFF]/u.test(words))
    return UNSPACED.find(([phrase]) => words.includes(phrase))?.[1];
  const { base, isNumbered } = withoutNumber(words);
  if (isNumbered && / (?:address|line) /.test(` ${base} `)) return 'address';
  const isBuyers = context.side === 'buyer';
  const known = (isText ? TEXTS.get(base) : undefined) ?? findEnd(base, isBuyers);
  if (known !== undefined) return known;
  if (isName(context, isPlainName)) return 'buyer name';
  const thing = getTextBeforeGenitive(base);
  if (thing !== undefined && context.ownSide === 'buyer' && NAMES.has(thing)) return 'buyer name';
  const ofThing =
    thing === undefined ? undefined : ((isText ? TEXTS.get(thing) : undefined) ?? findEnd(thing, isBuyers));
  return ofThing ?? (isText && isInBuyersAddress(context) ? 'address' : undefined);
}

/**
 * True within a buyer's address, all of which is masked but its region, because the service may add unknown
 * members.
 */
function isInBuyersAddress({ words, above }: MemberContext): boolean {
  if (above?.below !== 'buyer' || anyOfWhatStays.test(` ${words} `)) return false;
  const last = above.words.slice(above.words.lastIndexOf(' ') + 1);
  return last === 'address' || last === 'addresses' || above.words === 'ship to' || isInBuyersAddress(above);
}

/** Returns `telefonnummer` of `telefonnummer des kaufers`; undefined if there is no genitive. */
function getTextBeforeGenitive(words: string): string | undefined {
  const all = words.split(' ');
  const at = all.findIndex((word) => GENITIVE_WORDS.has(word));
  return at > 0 ? all.slice(0, at).join(' ') : undefined;
}

function withoutNumber(words: string): { base: string; isNumbered: boolean } {
  const end = words.lastIndexOf(' ');
  const last = words.slice(end + 1);
  const isNumbered = end > 0 && (NUMBERS.has(last) || /^\d$/.test(last));
  return { base: isNumbered ? words.slice(0, end) : words, isNumbered };
}

/** Looks for the longest phrase first: `delivery note` before `note`. */
function findEnd(words: string, isBuyers: boolean): Treatment | undefined {
  const found = ENDS.get(words) ?? (isBuyers ? ENDS_OF_BUYERS.get(words) : undefined);
  const blank = words.indexOf(' ');
  return found ?? (blank < 0 ? undefined : findEnd(words.slice(blank + 1), isBuyers));
}

/**
 * True for the name of a buyer. `recipientName` names the owner itself; a mere `name` takes it from its
 * parent.
 */
function isName({ words, above, ownSide }: MemberContext, isPlainName: boolean): boolean {
  const last = words.slice(words.lastIndexOf(' ') + 1);
  // This finds `nome acquirente` as well as `buyer name`.
  if (ownSide === 'buyer' && NAMES.has(words.slice(0, Math.max(0, words.indexOf(' '))))) return true;
  if (!NAMES.has(last)) return false;
  if (words !== last) return ownSide === 'buyer';
  if (above === undefined) return isPlainName;
  return above.ownSide === 'buyer' || PERSONS.has(above.words.slice(above.words.lastIndexOf(' ') + 1));
}

/**
 * Returns the words of a name, however written: `AddressLine1`, `address-line-1` and `ADDRESS_LINE_1` are
 * equal. Blanks enclose it, so that a phrase is found with one at either end: ` address line 1 `. Accents of
 * Latin letters are dropped.
 */
export function splitName(name: string): string {
  const cut = name.slice(0, MAX_READ_CHARACTERS);
  return ` ${(isAscii(cut) ? splitAsciiName(cut) : splitUnicodeName(cut)).trim()} `;
}

/** The number of characters of a name that are read: no name of the service is longer. */
const MAX_READ_CHARACTERS = 200;

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what ASCII is.
const isAscii = (name: string) => /^[\u0000-\u007F]*$/.test(name);

/**
 * Gives the same result as `splitUnicodeName` in a quarter of its time: nearly all names are ASCII, and
 * answers may have any number of them.
 */
function splitAsciiName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Za-z])([0-9])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ');
}

function splitUnicodeName(name: string): string {
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
