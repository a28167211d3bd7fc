/**
 * Describes the changes since an earlier review in both forms: one line a marketplace, the worst first, with
 * money and the effect of our writes.
 */

import { showText } from '../../base/text/escape-text.ts';
import { count } from '../../base/text/format-value.ts';
import { utcMinute } from '../../base/text/local-time.ts';
import { decimalsOf } from '../../service/facts/marketplaces.ts';
import type { SqlValue } from '../tables/table-types.ts';
import type { ListingStates } from './compare-states.ts';
import type { MarketplaceNews, ReviewedChange } from './review-changes.ts';

/** The changes of one marketplace by group; each group's SKUs are sorted by amount. */
export interface News {
  worse: NewsGroup;
  better: NewsGroup;
  added: NewsGroup;
  gone: NewsGroup;
  soldOut: NewsGroup;
  inStock: NewsGroup;
  prices: NewsGroup;
  /** The listings whose featured offer is now another seller's. */
  lost: NewsGroup;
  won: NewsGroup;
}

interface NewsGroup {
  skus: string[];
  /** The last change of each SKU that counts here. */
  changes: ReadonlyMap<string, ReviewedChange>;
  /** The number of changes made by writes of this server. */
  ours: number;
  /** The current price x stock, by currency. */
  amounts: ReadonlyMap<string, number>;
}

const RANKS: Readonly<Record<string, number>> = { altogether: 2, search: 1 };
const rankOf = (suppressed: SqlValue) => RANKS[String(suppressed)] ?? 0;

export function countNews({ changes, after }: Pick<MarketplaceNews, 'changes' | 'after'>): News {
  const of = (isIt: (change: ReviewedChange) => boolean) => groupOf(changes.filter(isIt), after);
  const moved = new Set(changes.filter(({ member }) => member === 'suppressed').map(({ sku }) => sku));
  const isSuppressed = (change: ReviewedChange, sign: 1 | -1) =>
    change.member === 'suppressed' && Math.sign(rankOf(change.new) - rankOf(change.old)) === sign;
  /** Returns true for a listing that was suppressed before and now has a further cause. */
  const hasMore = ({ sku, member, old, new: now }: ReviewedChange) =>
    member === 'causes' && !moved.has(sku) && causesOf(now).some((cause) => !causesOf(old).includes(cause));
  return {
    worse: of((change) => isSuppressed(change, 1) || hasMore(change)),
    better: of((change) => isSuppressed(change, -1)),
    added: of(({ member, old }) => member === 'listing' && old === null),
    gone: of(({ member, old }) => member === 'listing' && old !== null),
    soldOut: of(({ member, new: now, old }) => member === 'stock' && now === 0 && old !== null),
    inStock: of(({ member, new: now, old }) => member === 'stock' && old === 0 && now !== null),
    prices: of(({ member }) => member === 'price'),
    lost: of(({ member, old, new: now }) => member === 'featured' && old === 1 && now === 0),
    won: of(({ member, old, new: now }) => member === 'featured' && old === 0 && now === 1),
  };
}

const causesOf = (value: SqlValue): string[] => (value === null ? [] : String(value).split('; '));

/** Sorts by the highest amount regardless of currency, because one marketplace has one currency. */
function groupOf(changes: readonly ReviewedChange[], after: ListingStates): NewsGroup {
  const worth = (sku: string) => {
    const { price = null, stock = null } = after.get(sku) ?? {};
    return price === null || stock === null ? 0 : price * stock;
  };
  const skus = [...new Set(changes.map(({ sku }) => sku))].sort((one, other) => worth(other) - worth(one));
  const amounts = new Map<string, number>();
  for (const sku of skus) {
    const currency = after.get(sku)?.currency ?? undefined;
    if (currency !== undefined) amounts.set(currency, (amounts.get(currency) ?? 0) + worth(sku));
  }
  const bySku = new Map(changes.map((change) => [change.sku, change]));
  return {
    skus,
    changes: bySku,
    amounts,
    ours: new Set(changes.filter(({ ours }) => ours).map(({ sku }) => sku)).size,
  };
}

type Redact = (text: string) => string;

/** The topics that a user can select. */
export const TOPICS = ['suppressed', 'stock', 'prices', 'listings', 'offers'] as const;
export type Topic = (typeof TOPICS)[number];

interface GroupText {
  name: keyof News;
  topic: Topic;
  /** The verb phrase after a count, as in `3 listings are worse`. */
  one: string;
  many: string;
  hasMoney: boolean;
}

/** The groups, worst first. */
export const GROUPS: readonly GroupText[] = [
  {
    name: 'worse',
    topic: 'suppressed',
    one: 'has new or more suppression',
    many: 'have new or more suppression',
    hasMoney: true,
  },
  { name: 'gone', topic: 'listings', one: 'is gone', many: 'are gone', hasMoney: false },
  { name: 'soldOut', topic: 'stock', one: 'sold out', many: 'sold out', hasMoney: false },
  {
    name: 'lost',
    topic: 'offers',
    one: 'is not the featured offer any more',
    many: 'are not the featured offer any more',
    hasMoney: true,
  },
  { name: 'prices', topic: 'prices', one: 'has another price', many: 'have other prices', hasMoney: false },
  {
    name: 'better',
    topic: 'suppressed',
    one: 'has less or no suppression',
    many: 'have less or no suppression',
    hasMoney: true,
  },
  { name: 'inStock', topic: 'stock', one: 'is in stock again', many: 'are in stock again', hasMoney: false },
  {
    name: 'won',
    topic: 'offers',
    one: 'is the featured offer now',
    many: 'are the featured offer now',
    hasMoney: false,
  },
  { name: 'added', topic: 'listings', one: 'is new', many: 'are new', hasMoney: false },
];

export interface NewsDescriptionOptions {
  /** Max SKUs that each group names. */
  mostSkus: number;
  /** The topics to include; all if omitted. */
  only?: readonly Topic[] | undefined;
  clean: Redact;
}

export function describeNews(news: readonly MarketplaceNews[], options: NewsDescriptionOptions) {
  const described = news.map((one) => describeMarketplace(one, options));
  return {
    lines: described.map(({ line }) => line),
    data: described.map(({ data }) => data),
    isNew: described.some(({ isNew }) => isNew),
  };
}

function describeMarketplace(news: MarketplaceNews, { mostSkus, only, clean }: NewsDescriptionOptions) {
  const { since } = news;
  const note = news.note === undefined ? undefined : clean(news.note);
  const marketplace = /^[\p{L} ]{1,40}$/u.test(news.marketplace)
    ? news.marketplace
    : showText(news.marketplace);
  const noted = note === undefined ? {} : { note };
  if (since === undefined)
    return { line: `${marketplace}: ${note ?? ''}.`, data: { marketplace, ...noted }, isNew: false };
  const counted = countNews(news);
  const groups = GROUPS.filter(
    ({ name, topic }) => counted[name].skus.length > 0 && only?.includes(topic) !== false,
  );
  const from = utcMinute(since);
  const words = groups.map((group) => describeGroup(group, counted[group.name], news.after, mostSkus, clean));
  const of = only === undefined ? '' : ` (of ${only.join(', ')})`;
  const all = words.length === 0 ? `nothing is new${of}` : words.map(({ line }) => line).join('; ');
  return {
    line: `${marketplace}, since ${from}${note === undefined ? '' : ` (${note})`}: ${all}.`,
    data: {
      marketplace,
      since: from,
      ...noted,
      ...Object.fromEntries(words.map(({ name, data }) => [name, data])),
    },
    isNew: groups.length > 0,
  };
}

function describeGroup(
  words: GroupText,
  group: NewsGroup,
  after: ListingStates,
  mostSkus: number,
  clean: Redact,
) {
  const { name, one, many, hasMoney } = words;
  const { skus, ours, amounts } = group;
  const money = hasMoney
    ? [...amounts]
        .filter(([, sum]) => sum > 0)
        .map(([currency, sum]) => `${sum.toFixed(2)} ${showText(clean(currency))}`)
    : [];
  const about = [
    ...money.map((one) => `${one} of inventory`),
    ...(ours === 0 ? [] : [`${count(ours)} after a write from here`]),
  ];
  const named = skus.slice(0, mostSkus).map((sku) => ({
    sku: clean(sku),
    state: formatValues(name, group.changes.get(sku), clean) ?? formatState(name, after, sku, clean),
  }));
  const hasValues = VALUED.has(name) && named.length > 0;
  const rest = skus.length - named.length;
  const list = named
    .map(({ sku, state }) => `${showText(sku)}${state === '' ? '' : ` (${state})`}`)
    .join(', ');
  return {
    name: NAMES[name],
    line: `${count(skus.length)} ${skus.length === 1 ? one : many}${about.length === 0 ? '' : ` (${about.join(', ')})`}${list === '' ? '' : `: ${list}${rest > 0 ? ` and ${count(rest)} more` : ''}`}`,
    data: {
      listings: skus.length,
      ...(money.length === 0 ? {} : { money }),
      ...(ours === 0 ? {} : { after_writes_from_here: ours }),
      ...(named.length === 0 ? {} : { skus: named.map(({ sku }) => sku) }),
      ...(hasValues ? { old_and_new: named.map(({ state }) => state) } : {}),
    },
  };
}

/** The names in the structured form. */
const NAMES: Readonly<Record<keyof News, string>> = {
  worse: 'worse',
  better: 'better',
  added: 'new',
  gone: 'gone',
  soldOut: 'sold_out',
  inStock: 'in_stock_again',
  prices: 'prices',
  lost: 'featured_offer_lost',
  won: 'featured_offer_won',
};

/** The groups in which one value replaces another. */
const VALUED: ReadonlySet<keyof News> = new Set(['prices', 'soldOut', 'inStock']);

/** @returns text such as `314.99 -> 330.74 USD` or `0 -> 12`; undefined for a group without two values */
function formatValues(
  name: keyof News,
  change: ReviewedChange | undefined,
  clean: Redact,
): string | undefined {
  if (change === undefined || !VALUED.has(name)) return undefined;
  const isPrice = change.member === 'price';
  const of = (value: SqlValue) => {
    if (value === null) return 'none';
    return isPrice && typeof value === 'number'
      ? value.toFixed(decimalsOf(change.currency ?? ''))
      : String(value);
  };
  const currency = isPrice && change.currency !== null ? ` ${showText(clean(change.currency))}` : '';
  return `${of(change.old)} -> ${of(change.new)}${currency}`;
}

function formatState(name: keyof News, after: ListingStates, sku: string, clean: Redact): string {
  const state = after.get(sku);
  if (state === undefined || (name !== 'worse' && name !== 'better')) return '';
  if (name === 'better') return state.suppressed === null ? 'not suppressed now' : 'hidden from search only';
  const does = state.suppressed === 'altogether' ? 'suppressed' : 'hidden from search';
  return `${does}: ${state.causes.map((cause) => showText(clean(cause))).join(', ')}`;
}
