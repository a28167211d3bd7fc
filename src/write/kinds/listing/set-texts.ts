/** Title, description and bullet points, each in one language; those in others stay. */

import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { quoteName } from '../../../base/text/quote-name.ts';
import type { ListingPlace, ListingState, SetAttribute, SetProblem } from './listing-state.ts';
import { problem } from './set-offer.ts';
import type { SetValues } from './set-values.ts';

const TEXTS = [
  ['title', 'item_name'],
  ['description', 'product_description'],
  ['bullet_points', 'bullet_point'],
  ['add_bullet_points', 'bullet_point'],
] as const;

/** Attributes that tell which language a listing is written in. */
export const TEXT_ATTRIBUTES = [...new Set(TEXTS.map(([, name]) => name))];

export function setTexts(
  { attributes }: ListingState,
  values: SetValues,
  place: ListingPlace,
): (SetAttribute | SetProblem)[] {
  const wanted = TEXTS.filter(([word]) => values[word] !== undefined);
  if (wanted.length === 0) {
    return values.language === undefined ? [] : [problem('language', 'says nothing without a text')];
  }
  if (values.bullet_points !== undefined && values.add_bullet_points !== undefined) {
    return [
      problem('add_bullet_points', 'stands beside bullet_points, which are all of them; give one of the two'),
    ];
  }
  return wanted.flatMap(([word, name]) => {
    const entries = attributes[name] ?? [];
    const others = TEXT_ATTRIBUTES.flatMap((written) => attributes[written] ?? []);
    const language = findLanguage(entries, others, values.language, word);
    if (typeof language === 'object') return [language];
    const texts = [values[word] ?? []].flat();
    if (word === 'add_bullet_points') return addTexts({ name, entries, language, texts, word }, place);
    return replaceTexts({ name, entries, language, texts, word }, place);
  });
}

interface Texts {
  name: string;
  word: string;
  entries: readonly unknown[];
  /** Empty: the entries name none. */
  language: string;
  texts: readonly string[];
}

function replaceTexts(
  { name, word, entries, language, texts }: Texts,
  { marketplaceId }: ListingPlace,
): (SetAttribute | SetProblem)[] {
  const old = entries.filter(isJsonObject).filter((entry) => languageOf(entry) === language);
  if (word !== 'bullet_points' && old.length > 1) {
    return [problem(word, `cannot be told: there are ${old.length} of it; give patches`)];
  }
  const fresh = {
    ...(language === '' ? {} : { language_tag: language }),
    marketplace_id: marketplaceId,
  };
  const made = texts.map((value, at) => {
    const same = old.find((entry) => entry.value === value);
    const like = old[word === 'bullet_points' ? at : 0];
    // What says more of one text says nothing of another.
    return (
      same ??
      (word === 'bullet_points' ? { value, ...fresh, ...selectorsOf(like) } : { ...fresh, ...like, value })
    );
  });
  const [first] = old;
  const all =
    first === undefined
      ? [...entries, ...made]
      : entries.flatMap((entry) =>
          entry === first ? made : old.some((one) => one === entry) ? [] : [entry],
        );
  return [{ name, entries: all }];
}

/** Behind those that are there, which stay as they are; one that is there is not there twice. */
function addTexts({ name, entries, language, texts }: Texts, place: ListingPlace): SetAttribute[] {
  const isOld = (entry: unknown): entry is JsonObject =>
    isJsonObject(entry) && languageOf(entry) === language;
  const old = new Set(entries.filter(isOld).map(({ value }) => value));
  const made = [...new Set(texts)]
    .filter((value) => !old.has(value))
    .map((value) => ({
      value,
      ...(language === '' ? {} : { language_tag: language }),
      marketplace_id: place.marketplaceId,
    }));
  const last = entries.findLastIndex(isOld);
  const at = last < 0 ? entries.length : last + 1;
  return made.length === 0
    ? []
    : [{ name, entries: [...entries.slice(0, at), ...made, ...entries.slice(at)] }];
}

function selectorsOf(entry: JsonObject | undefined): JsonObject {
  if (entry === undefined) return {};
  const { marketplace_id, language_tag } = entry;
  return {
    ...(marketplace_id === undefined ? {} : { marketplace_id }),
    ...(language_tag === undefined ? {} : { language_tag }),
  };
}

const languageOf = ({ language_tag: tag }: JsonObject): string => (typeof tag === 'string' ? tag : '');

const languagesOf = (entries: readonly unknown[]): string[] => [
  ...new Set(entries.filter(isJsonObject).map(languageOf)),
];

/** The one that is given, or the one that there is. */
function findLanguage(
  entries: readonly unknown[],
  others: readonly unknown[],
  given: string | undefined,
  word: string,
): string | SetProblem {
  const here = languagesOf(entries);
  const known = here.length > 0 ? here : languagesOf(others);
  const [only] = known;
  if (given !== undefined) return known.find((one) => plain(one) === plain(given)) ?? given;
  if (only !== undefined && known.length === 1) return only;
  return known.length === 0
    ? problem(
        'language',
        `is missing: the listing has no text yet whose language the ${word.replace('_', ' ')} could have; add language, such as de_DE`,
      )
    : problem(
        'language',
        `is missing: the listing is written in ${known.map((one) => (one === '' ? 'none' : quoteName(one))).join(' and ')}`,
      );
}

const plain = (tag: string) => tag.toLowerCase().replace('-', '_');
