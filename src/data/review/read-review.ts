/**
 * Reads the facts of a review from its two tables: counts and money by marketplace, causes with their SKUs,
 * the worst listings.
 */

import * as z from 'zod';
import { parseJson } from '../../base/json.ts';
import { quoteIdentifier } from '../tables/sql-names.ts';
import type { CollectionInfo, QueryOptions, Tables } from '../tables/table-types.ts';

/** These limits exceed the room of an answer. */
const MAX_SECTION_ROWS = { groups: 100, skus: 40, worst: 60 } as const;

const ANSWER_LIMITS = { maxRows: 5_000, maxBytes: 400_000 } as const;

export type ReviewReadOptions = Pick<QueryOptions, 'timeoutMs' | 'signal'>;

const text = z.string().nullable();
const number = z.number().nullable();

const marketplaceRow = z.object({
  marketplace: z.string(),
  currency: text,
  listings: z.number(),
  altogether: z.number(),
  search: z.number(),
  exempt: z.number(),
  /** The price x stock of suppressed listings; null if none is known. */
  amount: number,
  /** The number of suppressed listings with an unknown price or stock. */
  unpriced: z.number(),
  /** The number of listings that no issue suppresses but that cannot be bought. */
  unbuyable: z.number(),
  sold_out: z.number(),
  /**
   * Counts listings that no issue suppresses and that can be bought, though the service does not say that
   * search finds them.
   */
  unfound: z.number(),
});

const causeRow = z.object({
  cause: z.string(),
  code: text,
  effect: z.string(),
  severity: text,
  message: text,
  attributes: text,
  categories: text,
  marketplace: z.string(),
  currency: text,
  listings: z.number(),
  amount: number,
  /** The amount without stock that another marketplace has counted. */
  once: number,
  /** The first and the last end of exemptions. */
  first_until: text,
  last_until: text,
});

const skuRow = z.object({
  cause: z.string(),
  effect: z.string(),
  severity: text,
  sku: z.string(),
  marketplace: z.string(),
  until: text,
});

const worstRow = z.object({
  sku: z.string(),
  marketplace: z.string(),
  title: text,
  price: number,
  quantity: number,
  currency: text,
  amount: number,
  suppressed: z.string(),
  codes: text,
});

const otherRow = z.object({
  code: text,
  attributes: text,
  severity: text,
  effect: z.string(),
  message: text,
  listings: z.number(),
});

const codeRow = z.object({ code: text, severity: text, listings: z.number() });

const severityRow = z.object({
  marketplace: z.string(),
  severity: text,
  issues: z.number(),
  listings: z.number(),
});

const totalRow = z.object({
  section: z.enum(['causes', 'exempt', 'others', 'codes']),
  currency: text,
  /** Counts each listing once, regardless of the number of its groups in the section. */
  listings: z.number(),
  amount: number,
  /** 1 if marketplaces share stock, which counts once. */
  is_shared: z.number(),
  /** The number of listings with an unknown price or stock. */
  unpriced: z.number(),
  /** The number of listings in several groups of the section. */
  in_several: z.number(),
});

/** The sections with one row for each SKU come last, so that a large review cuts those and no figure. */
const factsSchema = z.object({
  marketplaces: z.array(marketplaceRow),
  totals: z.array(totalRow),
  causes: z.array(causeRow),
  exempt: z.array(causeRow),
  worst: z.array(worstRow),
  /** Errors, warnings and other issues that keep no listing from being sold or found. */
  others: z.array(otherRow),
  /** All issue codes, including warnings. */
  codes: z.array(codeRow),
  severities: z.array(severityRow),
  causeSkus: z.array(skuRow),
  exemptSkus: z.array(skuRow),
});
const PARTS = factsSchema.keyof().options;

/** The facts, and the names of the two tables. */
export type ReviewFacts = z.output<typeof factsSchema> & { listings: string; issues: string };

/** @throws the errors of `Tables.query` */
export async function readReview(
  tables: Pick<Tables, 'query'>,
  info: CollectionInfo,
  options: ReviewReadOptions,
): Promise<ReviewFacts> {
  // The order of the tables depends on which of them has rows.
  const named = (column: string) =>
    info.tables.find(({ columns }) => columns.some(({ name }) => name === column))?.name ?? '';
  const listings = named('suppressed_by');
  const issues = named('suppresses');
  const sql = factsSql(quoteIdentifier(listings), quoteIdentifier(issues));
  const { rows } = await tables.query(sql, { ...ANSWER_LIMITS, ...options });
  const of = (part: string) =>
    rows.filter(([name]) => name === part).map(([, row]) => parseJson(String(row)));
  const facts = factsSchema.parse(Object.fromEntries(PARTS.map((part) => [part, of(part)])));
  return { listings, issues, ...facts };
}

/**
 * Builds one statement, since each costs a turn of the worker and a link to the file.
 * @param l listings
 * @param i issues, both quoted
 */
function factsSql(l: string, i: string): string {
  const parts = {
    marketplaces: marketplacesSql(l),
    totals: totalsSql(l, i),
    causes: causesSql(l, i, 'i.suppresses = 1'),
    causeSkus: skusSql(l, i, 'i.suppresses = 1', 'l.stock_amount DESC NULLS LAST'),
    exempt: causesSql(l, i, 'i.exempt = 1'),
    exemptSkus: skusSql(l, i, 'i.exempt = 1', 'i.exempt_until NULLS LAST'),
    worst: worstSql(l),
    others: othersSql(i),
    codes: codesSql(i),
    severities: severitiesSql(i),
  };
  return PARTS.map(
    (part) =>
      `SELECT '${part}' AS part, ${asJson(factsSchema.shape[part].element)} AS row FROM (${parts[part]})`,
  ).join('\nUNION ALL\n');
}

function asJson({ shape }: z.ZodObject): string {
  const members = Object.keys(shape).map((name) => `'${name}', ${name}`);
  return `json_object(${members.join(', ')})`;
}

const marketplacesSql = (l: string) => `
  SELECT marketplace, currency, count(*) AS listings, total(suppressed = 'altogether') AS altogether,
    total(suppressed = 'search') AS search, total(exempt_issues > 0) AS exempt,
    sum(CASE WHEN suppressed IS NOT NULL THEN stock_amount END) AS amount,
    total(suppressed IS NOT NULL AND stock_amount IS NULL) AS unpriced,
    total(suppressed IS NULL AND buyable = 0) AS unbuyable,
    total(suppressed IS NULL AND buyable = 0 AND quantity = 0) AS sold_out,
    total(suppressed IS NULL AND buyable = 1 AND discoverable = 0) AS unfound
  FROM ${l} GROUP BY marketplace_id, currency ORDER BY listings DESC, marketplace, currency LIMIT ${MAX_SECTION_ROWS.groups}`;

/** The effects that the section of issues without a suppression distinguishes. */
const OTHER_EFFECT = `CASE WHEN effect IN ('attribute', 'other') THEN effect ELSE 'none' END`;

/**
 * Counts each listing once in each section, because the groups of a section overlap: their sums count a
 * listing again for every cause. A SKU that has the same quantity in several marketplaces of one currency is
 * one stock that they share, as in Europe, and its money counts once.
 */
const totalsSql = (l: string, i: string) => `
  SELECT section, currency, sum(places) AS listings, sum(amount) AS amount, total(added - amount) > 0 AS is_shared,
    sum(unpriced) AS unpriced, sum(in_several) AS in_several
  FROM (SELECT section, currency, count(*) AS places, max(stock_amount) AS amount, sum(stock_amount) AS added,
      total(stock_amount IS NULL OR currency IS NULL) AS unpriced, total(groups > 1) AS in_several
    FROM (SELECT section, sku, marketplace_id, count(DISTINCT key) AS groups FROM (
        SELECT iif(suppresses = 1, 'causes', iif(exempt = 1, 'exempt', 'others')) AS section, sku, marketplace_id,
          json_array(cause, severity, iif(suppresses = 1 OR exempt = 1, effect, ${OTHER_EFFECT})) AS key FROM ${i}
        UNION ALL SELECT 'codes', sku, marketplace_id, json_array(code, severity) FROM ${i}
      ) GROUP BY section, sku, marketplace_id)
    JOIN (SELECT sku, marketplace_id, currency, quantity, stock_amount FROM ${l}) USING (sku, marketplace_id)
    GROUP BY section, currency, sku, quantity)
  GROUP BY section, currency`;

/** The key of one cause: what to mend, its severity and its effect. */
const CAUSE = 'cause, effect, severity';

/** Selects each issue once for each listing, even if a listing has it twice. */
const hits = (l: string, i: string, which: string, more = '') => `
  SELECT i.cause, i.code, i.effect, i.severity, min(i.message) AS message, min(i.attribute_names) AS attributes,
    min(i.categories) AS categories, i.sku, l.marketplace, l.marketplace_id, l.currency, l.stock_amount,
    min(i.exempt_until) AS until${more}
  FROM ${i} i JOIN ${l} l ON l.sku = i.sku AND l.marketplace_id = i.marketplace_id
  WHERE ${which} GROUP BY i.cause, i.effect, i.severity, l.item`;

/**
 * Sorts causes that stop sales before those that hide, most listings first, so that an answer cuts the least
 * important.
 */
const causesSql = (l: string, i: string, which: string) => `
  SELECT cause, min(code) AS code, effect, severity, min(message) AS message, min(attributes) AS attributes,
    min(categories) AS categories, marketplace, currency, count(*) AS listings,
    sum(stock_amount) AS amount, sum(CASE WHEN nth = 1 THEN stock_amount END) AS once,
    min(until) AS first_until, max(until) AS last_until
  FROM (${hits(l, i, which, `, row_number() OVER (PARTITION BY i.cause, i.effect, i.severity, i.sku, l.currency, l.quantity ORDER BY l.stock_amount DESC, l.marketplace_id) AS nth`)})
  GROUP BY ${CAUSE}, marketplace_id, currency
  ORDER BY effect = 'search', sum(count(*)) OVER (PARTITION BY ${CAUSE}) DESC, ${CAUSE}, listings DESC LIMIT ${MAX_SECTION_ROWS.groups}`;

const skusSql = (l: string, i: string, which: string, order: string) => `
  SELECT ${CAUSE}, sku, marketplace, until
  FROM (SELECT *, row_number() OVER (PARTITION BY ${CAUSE}, marketplace_id ORDER BY place) AS nth
    FROM (${hits(l, i, which, `, row_number() OVER (ORDER BY ${order}, i.sku) AS place`)}))
  WHERE nth <= ${MAX_SECTION_ROWS.skus} ORDER BY ${CAUSE}, marketplace, nth`;

/**
 * Sorts unsellable listings before hidden ones; within each, currencies take turns, because their amounts are
 * not comparable.
 */
const worstSql = (l: string) => `
  SELECT sku, marketplace, title, price, quantity, currency, stock_amount AS amount, suppressed, suppressed_by AS codes
  FROM ${l} WHERE suppressed IS NOT NULL
  ORDER BY suppressed = 'search',
    row_number() OVER (PARTITION BY suppressed, currency ORDER BY stock_amount DESC NULLS LAST, sku), stock_amount DESC, sku
  LIMIT ${MAX_SECTION_ROWS.worst}`;

const othersSql = (i: string) => `
  SELECT min(code) AS code, severity, ${OTHER_EFFECT} AS effect,
    min(message) AS message, min(attribute_names) AS attributes,
    count(DISTINCT sku || ' ' || marketplace_id) AS listings
  FROM ${i} WHERE suppresses = 0 AND exempt = 0
  GROUP BY cause, 2, 3 ORDER BY effect = 'none', severity = 'ERROR' DESC, listings DESC, severity, cause LIMIT ${MAX_SECTION_ROWS.groups}`;

const codesSql = (i: string) => `
  SELECT code, severity, count(DISTINCT sku || ' ' || marketplace_id) AS listings
  FROM ${i} GROUP BY 1, 2 ORDER BY listings DESC, code, severity LIMIT ${MAX_SECTION_ROWS.groups}`;

const severitiesSql = (i: string) => `
  SELECT marketplace, severity, count(*) AS issues, count(DISTINCT sku) AS listings
  FROM ${i} GROUP BY marketplace_id, severity ORDER BY severity = 'ERROR' DESC, severity = 'WARNING' DESC, severity LIMIT ${MAX_SECTION_ROWS.groups}`;
