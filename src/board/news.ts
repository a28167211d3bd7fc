/** Builds the view of changes between two reviews. */

import type { Money, NewsChange, NewsGroup, NewsMarketplace, NewsView } from '../../views/data.ts';
import { groupBy } from '../base/group-by.ts';
import { escapeBlock } from '../base/text/escape-text.ts';
import { countNews, GROUPS, type News } from '../data/review/describe-news.ts';
import {
  compareWithEarlierReview,
  type MarketplaceNews,
  type ReviewedChange,
} from '../data/review/review-changes.ts';
import type { CollectionInfo, SqlValue, Tables } from '../data/tables/table-types.ts';
import { formatMarketplaceInRequest, formatNameInRequest } from './sentences.ts';

/** The maximum number of stored reviews that can be chosen for comparison. */
const MAX_MOMENTS = 60;

/** The maximum number of changes in the view, per marketplace. */
const MAX_CHANGES = 10_000;

const MEMBERS: Readonly<Record<keyof News, readonly ReviewedChange['member'][]>> = {
  worse: ['suppressed', 'causes'],
  better: ['suppressed'],
  added: ['listing'],
  gone: ['listing'],
  soldOut: ['stock'],
  inStock: ['stock'],
  prices: ['price'],
  lost: ['featured'],
  won: ['featured'],
};

const GOOD: ReadonlySet<keyof News> = new Set<keyof News>(['better', 'added', 'inStock', 'won']);

export interface BoardNewsOptions {
  redact(text: string): string;
  /** ISO 8601, UTC; by default the previous review. */
  since?: string | undefined;
  /** Returns the current title of a listing by marketplace and SKU. */
  titleOf(place: string, sku: string): string | null;
}

/**
 * Reads the changes since the previous review or `since`.
 * @param info of the last review; undefined when none is stored
 * @throws InputError for a `since` that is no moment
 */
export async function readNews(
  info: Pick<CollectionInfo, 'source' | 'collectedAt' | 'notes'> | undefined,
  tables: Pick<Tables, 'snapshots' | 'changes'>,
  { redact, since, titleOf }: BoardNewsOptions,
): Promise<NewsView> {
  const ask = 'Review all my listings anew (fresh), and tell me what is new since the last review.';
  if (info === undefined) return { kind: 'news', ask, places: [], moments: [] };
  const [news, kept] = await Promise.all([
    compareWithEarlierReview(info, tables, since),
    tables.snapshots.list(),
  ]);
  const moments = [...new Set(kept.map(({ at }) => at))].filter((at) => at < info.collectedAt);
  return {
    kind: 'news',
    ask,
    places: news.map((one) => toMarketplaceNews(one, info.collectedAt, { redact, titleOf })),
    moments: moments.toReversed().slice(0, MAX_MOMENTS),
    ...(since === undefined ? {} : { chosen: since }),
  };
}

type NewsFormatters = Pick<BoardNewsOptions, 'redact' | 'titleOf'>;

function toMarketplaceNews(news: MarketplaceNews, at: string, show: NewsFormatters): NewsMarketplace {
  const { marketplace, since, note } = news;
  const noted = note === undefined ? {} : { note: escapeBlock(show.redact(note)) };
  if (since === undefined) return { name: marketplace, ...noted, groups: [], changes: [] };
  const counted = countNews(news);
  const named = GROUPS.filter(({ name }) => counted[name].skus.length > 0);
  const groups = named.map(({ name, one, many, hasMoney }): NewsGroup => {
    const { skus, ours, amounts } = counted[name];
    return {
      name,
      words: skus.length === 1 ? `listing ${one}` : `listings ${many}`,
      isGood: GOOD.has(name),
      listings: skus.length,
      ours,
      standing: hasMoney ? [...amounts].map(([currency, amount]): Money => ({ amount, currency })) : [],
    };
  });
  // The changes are grouped once instead of searched for each listing.
  const bySku = groupBy(news.changes, ({ sku }) => sku);
  const changes = named.flatMap(({ name, many }) =>
    counted[name].skus.map((sku) => toChange(sku, { name, words: many }, bySku.get(sku) ?? [], news, show)),
  );
  return { name: marketplace, at, since, ...noted, groups, changes: changes.slice(0, MAX_CHANGES) };
}

function toChange(
  sku: string,
  { name, words }: { name: keyof News; words: string },
  changes: readonly ReviewedChange[],
  { marketplace, after, before }: MarketplaceNews,
  { redact, titleOf }: NewsFormatters,
): NewsChange {
  const own = changes.filter(({ member }) => MEMBERS[name].includes(member));
  const change = own[0];
  const { price = null, stock = null, currency = null } = after.get(sku) ?? before.get(sku) ?? {};
  return {
    sku: redact(sku),
    title: titleOf(marketplace, sku),
    group: words.replace(/^(?:are|have) /, ''),
    from: formatState(name, change?.old ?? null, before.get(sku)?.causes),
    to: formatState(name, change?.new ?? null, after.get(sku)?.causes),
    currency: name === 'prices' ? (change?.currency ?? null) : currency,
    amount: price === null || stock === null ? null : Math.round(price * stock * 100) / 100,
    isOurs: own.some(({ ours }) => ours),
    ask: `What happened to my listing ${formatNameInRequest(sku)} (${formatMarketplaceInRequest(marketplace)}), and what should I do?`,
  };
}

function formatState(
  name: keyof News,
  value: SqlValue,
  causes: readonly string[] = [],
): string | number | null {
  if (name === 'added' || name === 'gone') return value === null ? 'not there' : 'there';
  if (name !== 'worse' && name !== 'better') return value;
  const state = causes.length === 0 ? 'in order' : causes.join('; ');
  return state;
}
