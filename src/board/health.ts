/** Builds the view of listing health from a review. */

import type {
  HealthCause,
  HealthIssue,
  HealthListing,
  HealthMarketplace,
  HealthReview,
  HealthView,
  Money,
} from '../../views/data.ts';
import { escapeBlock } from '../base/text/escape-text.ts';
import { plural } from '../base/text/format-value.ts';
import { cutBehind } from '../base/text/shorten.ts';
import {
  type Cause,
  formatNeededValue,
  groupCauses,
  keyOf,
  roundToCents,
  worstFirst,
} from '../data/review/causes.ts';
import { type ReviewFacts, readReview } from '../data/review/read-review.ts';
import { formatEffect } from '../data/review/suppression.ts';
import { quoteIdentifier } from '../data/tables/sql-names.ts';
import type { CollectionInfo, SqlValue, Tables } from '../data/tables/table-types.ts';
import { formatMarketplaceInRequest, formatNameInRequest, isPlain } from './sentences.ts';

export interface HealthOptions {
  timeoutMs: number;
  signal: AbortSignal;
  /** The maximum number of listings in the view. */
  most: number;
  redact(text: string): string;
}

const ASK_REVIEW = 'Review all my listings, and tell me what is wrong and what to do first.';

/** The maximum characters of a message, which repeats for many hundred listings and needs only a sentence. */
const MAX_MESSAGE_LENGTH = 1_000;

const BYTES_A_ROW = 2_000;

/**
 * Reads the health view.
 * @param info of the review; undefined when none is stored
 * @throws as `Tables.query`
 */
export async function readHealth(
  info: CollectionInfo | undefined,
  tables: Pick<Tables, 'query'>,
  options: HealthOptions,
): Promise<HealthView> {
  if (info === undefined) return { kind: 'health', ask: ASK_REVIEW };
  const facts = await readReview(tables, info, options);
  const clean = (text: string) => cutBehind(options.redact(text), MAX_MESSAGE_LENGTH);
  const { issues, byListing } = await readIssues(facts, tables, options, clean);
  const { listings, left } = await readListings(facts, tables, options, { byListing, clean });
  return {
    kind: 'health',
    ask: 'Review all my listings anew (fresh), and tell me what is new.',
    review: {
      collectedAt: info.collectedAt,
      complete: info.complete,
      notes: info.notes.map((note) => escapeBlock(clean(note))),
      places: summarizeMarketplaces(facts),
      causes: worstFirst(groupCauses(facts.causes, facts.causeSkus)).map((cause) => toCause(cause, clean)),
      issues,
      listings,
      left,
    } satisfies HealthReview,
  };
}

/** Returns the lookup of listing titles for views that know only the SKU. */
export function titlesOf({ review }: HealthView): (marketplaceId: string, sku: string) => string | null {
  const keyed = new Map(
    review?.listings.map(({ place: marketplaceId, sku, title }) => [listingKey(sku, marketplaceId), title]),
  );
  return (marketplaceId, sku) => keyed.get(listingKey(sku, marketplaceId)) ?? null;
}

/** Returns one entry per marketplace, summed over its currencies. */
function summarizeMarketplaces({ marketplaces }: ReviewFacts): HealthMarketplace[] {
  const names = [...new Set(marketplaces.map(({ marketplace }) => marketplace))];
  return names.map((name) => {
    const rows = marketplaces.filter(({ marketplace }) => marketplace === name);
    const sum = (
      member: 'listings' | 'altogether' | 'search' | 'exempt' | 'unbuyable' | 'sold_out' | 'unpriced',
    ) => rows.reduce((all, row) => all + row[member], 0);
    return {
      name,
      listings: sum('listings'),
      altogether: sum('altogether'),
      search: sum('search'),
      exempt: sum('exempt'),
      unbuyable: sum('unbuyable'),
      soldOut: sum('sold_out'),
      unpriced: sum('unpriced'),
      standing: rows.flatMap(({ amount, currency }) => moneyOf(amount, currency)),
    };
  });
}

const moneyOf = (amount: number | null, currency: string | null): Money[] =>
  amount === null ? [] : [{ amount: roundToCents(amount) ?? 0, currency }];

function toCause(cause: Cause, clean: (text: string) => string): HealthCause {
  const { key, code, severity, attributes, message, effect, listings, amounts } = cause;
  const needed = formatNeededValue(cause);
  const isNamed = isPlain(attributes) && needed?.includes(attributes) !== true;
  const about = isPlain(code) ? ` (issue ${code}${isNamed ? `, ${attributes}` : ''})` : '';
  const those = `the ${plural(listings, 'listing')}${about}`;
  return {
    key,
    code: clean(code),
    severity: clean(severity),
    attributes: clean(attributes),
    message: clean(message),
    effect: effect === 'search' ? 'search' : 'altogether',
    listings,
    standing: [...amounts].flatMap(([currency, amount]) => moneyOf(amount, currency)),
    ...(needed === undefined ? {} : { needed }),
    ask:
      needed === undefined
        ? `Explain what keeps ${those} from being sold, and what I have to do for each.`
        : `Amazon needs ${needed} of ${those}. Ask me for what I alone know, then show me what you would send before you send it.`,
  };
}

// Each distinct issue appears once; listings refer to it by index.

type IssuesOf = ReadonlyMap<string, readonly (readonly [number, string | null])[]>;

async function readIssues(
  { issues: table }: ReviewFacts,
  tables: Pick<Tables, 'query'>,
  options: HealthOptions,
  clean: (text: string) => string,
): Promise<{ issues: HealthIssue[]; byListing: IssuesOf }> {
  const sql = `SELECT sku, marketplace, code, severity, attribute_names, message, effect, suppresses, exempt, exempt_until, cause
    FROM ${quoteIdentifier(table)} ORDER BY suppresses DESC, exempt DESC, severity = 'ERROR' DESC, item`;
  const rows = await readRows(sql, tables, options, 20);
  const issues: HealthIssue[] = [];
  const indexes = new Map<string, number>();
  const byListing = new Map<string, (readonly [number, string | null])[]>();
  for (const [
    sku,
    marketplace,
    code,
    severity,
    attributes,
    message,
    effect,
    suppresses,
    exempt,
    until,
    cause,
  ] of rows) {
    const issue: HealthIssue = {
      code: clean(textOf(code)),
      severity: clean(textOf(severity)),
      attributes: clean(textOf(attributes)),
      message: clean(textOf(message)),
      effect: formatEffect(textOf(effect), exempt === 1),
      isInForce: suppresses === 1,
      ...(suppresses === 1
        ? {
            cause: keyOf({
              cause: textOf(cause),
              effect: textOf(effect),
              severity: severity === null ? null : textOf(severity),
            }),
          }
        : {}),
    };
    const same = JSON.stringify(issue);
    const at = indexes.get(same) ?? issues.push(issue) - 1;
    indexes.set(same, at);
    const own = byListing.get(listingKey(sku, marketplace)) ?? [];
    byListing.set(listingKey(sku, marketplace), own);
    own.push([at, exempt === 1 ? textOf(until) : null]);
  }
  return { issues, byListing };
}

const listingKey = (sku: SqlValue | undefined, marketplace: SqlValue | undefined) =>
  JSON.stringify([sku, marketplace]);

async function readListings(
  { listings: table }: ReviewFacts,
  tables: Pick<Tables, 'query'>,
  options: HealthOptions,
  { byListing, clean }: { byListing: IssuesOf; clean: (text: string) => string },
): Promise<{ listings: HealthListing[]; left: number }> {
  const sql = `SELECT sku, marketplace, title, price, quantity, currency, stock_amount, suppressed, buyable
    FROM ${quoteIdentifier(table)}
    ORDER BY suppressed = 'altogether' DESC, suppressed = 'search' DESC, stock_amount DESC NULLS LAST, item`;
  const { rows, total } = await tables.query(sql, {
    maxRows: options.most,
    maxBytes: options.most * BYTES_A_ROW,
    ...options,
  });
  const listings = rows.map(
    ([sku, marketplace, title, price, stock, currency, amount, suppressed, buyable]) => {
      const issues = byListing.get(listingKey(sku, marketplace)) ?? [];
      const exempt = issues.flatMap(([, until]) => (until === null ? [] : [until])).sort();
      const name = textOf(sku);
      const marketplaceId = textOf(marketplace);
      return {
        sku: clean(name),
        place: marketplaceId,
        title: title === null || title === undefined ? null : clean(String(title)),
        price: numberOf(price),
        stock: numberOf(stock),
        currency: currency === null || currency === undefined ? null : clean(String(currency)),
        amount: roundToCents(numberOf(amount)),
        enforced: suppressed === 'altogether' || suppressed === 'search' ? suppressed : null,
        exemptUntil: exempt[0] ?? null,
        isBuyable: buyable === null || buyable === undefined ? null : buyable === 1,
        issues,
        ask: `What is wrong with my listing ${formatNameInRequest(name)} (${formatMarketplaceInRequest(marketplaceId)}), and how do I mend it?`,
      } satisfies HealthListing;
    },
  );
  return { listings, left: total - listings.length };
}

async function readRows(
  sql: string,
  tables: Pick<Tables, 'query'>,
  { most, timeoutMs, signal }: HealthOptions,
  times: number,
): Promise<SqlValue[][]> {
  const maxRows = most * times;
  const { rows } = await tables.query(sql, { maxRows, maxBytes: maxRows * BYTES_A_ROW, timeoutMs, signal });
  return rows;
}

const textOf = (value: SqlValue | undefined): string =>
  value === null || value === undefined ? '' : String(value);
const numberOf = (value: SqlValue | undefined): number | null => (typeof value === 'number' ? value : null);
