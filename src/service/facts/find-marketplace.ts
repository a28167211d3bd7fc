/**
 * Finds the marketplace of an ID, a country code or a country's name, in English or in a marketplace's
 * language.
 */

import { distance } from 'fastest-levenshtein';
import { quoteText } from '../../base/text/escape-text.ts';
import { type Marketplace, marketplaceById, marketplaceLabel, marketplaces } from './marketplaces.ts';

export type FoundMarketplace =
  | { kind: 'known'; marketplace: Marketplace }
  /**
   * The value may be an ID that is newer than the table, so it is sent unchanged; `warning` is a sentence for
   * users.
   */
  | { kind: 'unknown'; near?: Marketplace; warning: string }
  /** The value cannot be an ID; `problem` continues a sentence that begins with the name of the member. */
  | { kind: 'refused'; near?: Marketplace; elsewhere?: string; problem: string };

/** The help text shown wherever a marketplace is requested. */
const HOW_TO_NAME_A_MARKETPLACE = "a marketplace's ID, a country code or a country name (DE, Germany)";

/** The maximum length compared; every name and ID is shorter. */
const MAX_COMPARED = 64;
/** The maximum characters of an unknown value that a sentence repeats. */
const MAX_SHOWN_LENGTH = 40;

export function findMarketplace(given: string): FoundMarketplace {
  const text = given.trim();
  if (text.length > MAX_COMPARED) return { kind: 'unknown', warning: formatUnknown(text, undefined) };
  const key = keyOf(text);
  const marketplace = marketplaceById(text) ?? knownNames().get(key) ?? foreignNames().get(key);
  if (marketplace !== undefined) return { kind: 'known', marketplace };
  const elsewhere = otherCountry(text);
  if (elsewhere !== undefined) {
    const named = elsewhere === text ? quoteText(text) : `${quoteText(text)} (${elsewhere})`;
    return {
      kind: 'refused',
      elsewhere,
      problem: `names a country without a marketplace known here: ${named}. ${formatKnown()}`,
    };
  }
  const near = nearest(text);
  if (isName(text) || (near !== undefined && !ID_LIKE.test(text))) {
    const meant = near === undefined ? formatKnown() : `Did you mean ${near.name} (${near.country})?`;
    const problem = `must be ${HOW_TO_NAME_A_MARKETPLACE}; ${quoteText(text)} is none. ${meant}`;
    return { kind: 'refused', ...(near && { near }), problem };
  }
  return { kind: 'unknown', ...(near && { near }), warning: formatUnknown(text, near) };
}

/**
 * Explains a refused value without repeating it, because it may be a secret in the wrong field. The text
 * continues a sentence that begins with the name of the member, and has no full stop.
 */
export function problemUnquoted({ near, elsewhere }: { near?: Marketplace; elsewhere?: string }): string {
  const must = `must be ${HOW_TO_NAME_A_MARKETPLACE}`;
  if (near !== undefined) return `${must}; did you mean ${near.name}?`;
  const none = elsewhere === undefined ? '' : `. In ${elsewhere} there is none`;
  return `${must}${none}. ${formatKnown().slice(0, -1)}`;
}

const formatKnown = () =>
  `Known: ${marketplaces()
    .map(({ name }) => name)
    .join(', ')}; any other by its ID.`;

function formatUnknown(text: string, near: Marketplace | undefined): string {
  const shown = quoteText(text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}...` : text);
  const meant = near === undefined ? '' : ` Did you mean ${marketplaceLabel(near.id)}?`;
  return `${shown} is no marketplace known here and is sent as it is.${meant}`;
}

/** The form of IDs. */
const ID_LIKE = /^[A-Z0-9]{10,20}$/;

/**
 * Returns true for a text that cannot be an ID: it has a space, a comma or a letter beyond ASCII, or is
 * written like a country's name. A lower-case word (`invalid`) may be a test's, which has to be sent.
 */
function isName(text: string): boolean {
  if (/[\s,]|[^\x21-\x7e]/.test(text)) return true;
  return /^[A-Z][a-z]+$/.test(text) || /^[A-Za-z]{2}$/.test(text);
}

/** Normalizes `U.S.A.`, `united-states` and `The United States` to one key each. */
function keyOf(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{Mark}/gu, '');
  return plain
    .toLowerCase()
    .replace(/^the\s+/, '')
    .replace(/[\s._'’-]/g, '');
}

let known: ReadonlyMap<string, Marketplace> | undefined;

function knownNames(): ReadonlyMap<string, Marketplace> {
  known ??= new Map(
    marketplaces().flatMap((one) =>
      [one.id, one.country, one.name, ...one.also].map((name) => [keyOf(name), one] as const),
    ),
  );
  return known;
}

/** The languages of the marketplaces in whose names Node knows countries: `España`, `Alemania`, `スペイン`. */
const LANGUAGES = 'es de fr it ja pt nl sv pl tr ar hi'.split(' ');

let foreign: ReadonlyMap<string, Marketplace> | undefined;

function foreignNames(): ReadonlyMap<string, Marketplace> {
  foreign ??= new Map(
    LANGUAGES.flatMap((language) => {
      const names = regionNames(language);
      return marketplaces().map((one) => [keyOf(names.of(one.country) ?? one.name), one] as const);
    }),
  );
  return foreign;
}

const regionNames = (language: string) =>
  new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });

/**
 * Returns the marketplace whose name or ID differs by one or two letters. Codes of two or three letters are
 * excluded, because they are near to every other.
 */
function nearest(text: string): Marketplace | undefined {
  const key = keyOf(text);
  const maxDistance = key.length > 5 ? 2 : 1;
  let found: { marketplace: Marketplace; away: number } | undefined;
  for (const [name, marketplace] of knownNames()) {
    if (name.length < 4 || Math.abs(name.length - key.length) > maxDistance) continue;
    const away = distance(name, key);
    if (away <= maxDistance && away < (found?.away ?? maxDistance + 1)) found = { marketplace, away };
  }
  return found?.marketplace;
}

let others: ReadonlyMap<string, string> | undefined;

/**
 * Returns the English name of a country without a marketplace in the table, by its code or a name; undefined
 * for no country.
 */
function otherCountry(text: string): string | undefined {
  others ??= new Map(
    isoCountries().flatMap(({ name, called }) => called.map((one) => [keyOf(one), name] as const)),
  );
  return others.get(keyOf(text));
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

function isoCountries(): { name: string; called: string[] }[] {
  const english = regionNames('en');
  const others = LANGUAGES.map(regionNames);
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return codes.flatMap((code) => {
    const name = english.of(code);
    if (name === undefined) return [];
    return [{ name, called: [code, name, ...others.flatMap((names) => names.of(code) ?? [])] }];
  });
}
