/**
 * Describes a review in both forms within the token budget: counts first, then causes, exemptions and the
 * worst listings.
 */

import { formatDuration } from '../../base/text/duration.ts';
import { DATA_NOTE, escapeBlock, showText, VALUES_NOTE } from '../../base/text/escape-text.ts';
import { count, plural } from '../../base/text/format-value.ts';
import { utcMinute } from '../../base/text/local-time.ts';
import { cutBehind, fitLevel, shortenToCharacters, tokensOf } from '../../base/text/shorten.ts';
import type { Collected } from '../collections/collection-jobs.ts';
import {
  type DescribeOptions,
  INCOMPLETE,
  MAX_NOTE_CHARACTERS,
  MAX_NOTES,
  withNote,
} from '../collections/describe-collected.ts';
import type { CollectionInfo, Tables } from '../tables/table-types.ts';
import {
  type Cause,
  type CauseMarketplace,
  formatMoney,
  formatNeededValue,
  groupCauses,
  roundToCents,
  soonestFirst,
  worstFirst,
} from './causes.ts';
import { describeNews } from './describe-news.ts';
import { type ReviewFacts, type ReviewReadOptions, readReview } from './read-review.ts';
import { compareWithEarlierReview } from './review-changes.ts';
import { formatEffect } from './suppression.ts';
import { formatTotal, sectionTotals } from './totals.ts';

/** Max tokens of one answer: a question is answered in a few kilobytes. */
const MAX_TOKENS = 2_500;

/** Max SKUs that are named for each kind of news. */
const MAX_NEW_SKUS = 4;

/** The tokens reserved for the rest of the structured form: member names and repeated notes. */
const FRAME_TOKENS = 40;

/**
 * @param since a moment as in `readWhatIsNew`.
 * @throws the errors of `Tables.query`; InputError for a wrong `since`
 */
export async function describeReview(
  tables: Pick<Tables, 'query' | 'snapshots' | 'changes'>,
  { info, ageMs, since }: Extract<Collected, { state: 'done' }> & { since?: string | undefined },
  { account, now, answerTokens, redact, ...reading }: Omit<DescribeOptions, 'told'> & ReviewReadOptions,
) {
  // The worker thread of the tables runs while the earlier states are read here.
  const asked = readReview(tables, info, reading);
  asked.catch(() => {});
  const compared = await compareWithEarlierReview(info, tables, since);
  const facts = await asked;
  const clean = (text: string) => escapeBlock(redact(text));
  const collectedAt = utcMinute(info.collectedAt);
  const all = [...info.notes, ...formatAge(ageMs)].map((note) =>
    shortenToCharacters(clean(note), MAX_NOTE_CHARACTERS),
  );
  const rest = all.length - MAX_NOTES;
  const notes = rest > 0 ? [...all.slice(0, MAX_NOTES), `${rest} more notes.`] : all;
  const next = formatNextStep(facts, info);
  const head = `Collected ${collectedAt}${info.complete ? '' : INCOMPLETE}. Only what is enforced counts as suppressed, whatever its severity.`;
  const end = `(account ${account}; now ${utcMinute(now)})`;
  const isNew = describeNews(compared, { mostSkus: answerTokens < MAX_TOKENS ? 0 : MAX_NEW_SKUS, clean });
  const used = Math.max(tokensOf(isNew.lines.join('\n')), tokensOf(JSON.stringify(isNew.data)));
  const own = tokensOf([DATA_NOTE, head, ...notes, next, end].join('\n')) + used + FRAME_TOKENS;
  const room = Math.min(answerTokens, MAX_TOKENS) - own;
  const { lines, data: sections } = fitLevel(LEVELS, room, (level) => buildSections(facts, level, clean));
  // If the account does not sell there, a note already states it.
  const news = isNew.lines.filter((line) => !notes.includes(line));
  const body = [...notes, head, ...news, ...lines, next].join('\n');
  return {
    text: withNote(body, end),
    structured: {
      note: `${VALUES_NOTE} ${head}`,
      state: 'done' as const,
      account,
      collected_at: collectedAt,
      complete: info.complete,
      notes,
      ...(compared.length === 0 ? {} : { since: isNew.data }),
      ...sections,
      next,
    },
  };
}

function formatAge(ageMs: number | undefined): string[] {
  if (ageMs === undefined) return [];
  const seconds = Math.max(1, Math.ceil(ageMs / 1_000));
  return [`Read ${formatDuration(seconds * 1_000)} ago; fresh: true reads anew.`];
}

/** Returns working queries for the rest of the data. */
function formatNextStep({ listings, issues }: ReviewFacts, { tables }: CollectionInfo): string {
  const rows = (name: string) => tables.find((table) => table.name === name)?.rows ?? 0;
  return [
    `query_data has all of it: ${listings} (${rows(listings)} rows: sku, marketplace, title, status, buyable, channel, quantity, inbound, price, currency, stock_amount, suppressed, suppressed_by, ...),`,
    `${issues} (${rows(issues)} rows: sku, marketplace, code, severity, message, effect, suppresses, exempt, exempt_until, ...).`,
    `Such as SELECT sku, title, suppressed, suppressed_by, stock_amount, currency FROM ${listings} WHERE suppressed IS NOT NULL ORDER BY stock_amount DESC`,
  ].join(' ');
}

// The sections use the most detailed level that fits; omitted entries are counted.

/** The levels of detail: the first that fits is used. */
const LEVELS = [
  { causes: 30, skus: 40, worst: 30, others: 15, codes: 40, title: 60, message: 200 },
  { causes: 30, skus: 40, worst: 20, others: 12, codes: 30, title: 50, message: 120 },
  { causes: 30, skus: 40, worst: 12, others: 10, codes: 20, title: 40, message: 100 },
  { causes: 30, skus: 20, worst: 10, others: 8, codes: 15, title: 40, message: 100 },
  { causes: 30, skus: 20, worst: 10, others: 6, codes: 10, title: 30, message: 80 },
  { causes: 30, skus: 20, worst: 10, others: 4, codes: 6, title: 25, message: 60 },
  { causes: 20, skus: 10, worst: 8, others: 6, codes: 12, title: 30, message: 100 },
  { causes: 20, skus: 5, worst: 6, others: 5, codes: 10, title: 30, message: 100 },
  { causes: 12, skus: 3, worst: 5, others: 4, codes: 8, title: 25, message: 90 },
  { causes: 8, skus: 1, worst: 3, others: 1, codes: 6, title: 20, message: 80 },
  { causes: 5, skus: 1, worst: 2, others: 1, codes: 6, title: 20, message: 80 },
  { causes: 3, skus: 0, worst: 1, others: 1, codes: 3, title: 20, message: 60 },
  { causes: 1, skus: 0, worst: 0, others: 0, codes: 0, title: 0, message: 20 },
  { causes: 0, skus: 0, worst: 0, others: 0, codes: 0, title: 0, message: 0 },
] as const;
type ReviewLevel = (typeof LEVELS)[number];

type Clean = (text: string) => string;

/** One fact in both forms. */
interface Fact {
  line: string;
  data: object | string;
}

function buildSections(facts: ReviewFacts, level: ReviewLevel, clean: Clean) {
  const described = describeMarketplaces(facts);
  const inForce = worstFirst(groupCauses(facts.causes, facts.causeSkus));
  const exempt = groupCauses(facts.exempt, facts.exemptSkus).sort(soonestFirst);
  const step = firstStep(inForce, clean);
  const totals = sectionTotals(facts.totals);
  const parts = [
    {
      name: 'causes',
      title: `Suppressed now, by cause${formatTotal(totals.causes)}:`,
      shown: inForce.slice(0, level.causes).map((cause) => describeCause(cause, level, clean)),
      of: inForce.length,
    },
    {
      name: 'exempt',
      title: `Exempt for now${formatTotal(totals.exempt)}:`,
      shown: exempt.slice(0, level.causes).map((cause) => describeCause(cause, level, clean, true)),
      of: exempt.length,
    },
    {
      name: 'worst',
      title:
        'Most inventory affected (price x stock), what cannot be sold before what is hidden from search:',
      shown: facts.worst.slice(0, level.worst).map((row) => describeWorst(row, level, clean)),
      of: facts.marketplaces.reduce((sum, row) => sum + row.altogether + row.search, 0),
    },
    {
      name: 'others',
      title: `Suppressing nothing${formatTotal(totals.others)}:`,
      shown: facts.others.slice(0, level.others).map((row) => describeOther(row, level, clean)),
      of: facts.others.length,
    },
    {
      name: 'codes',
      title: `Every issue, by code${formatTotal(totals.codes)}:`,
      shown: facts.codes.slice(0, level.codes).map((row) => describeCode(row, clean)),
      of: facts.codes.length,
      isShort: true,
    },
  ];
  const lines = described.map(({ line }) => line);
  /** The sections by their names in the structured form. */
  const sections: Record<string, (object | string)[] | object | number | string> = {
    marketplaces: described.map(({ data }) => data),
  };
  if (step !== undefined && level.skus > 0) {
    lines.push(step);
    sections.first_step = step;
  }
  if (Object.keys(totals).length > 0) sections.totals = totals;
  const left: Record<string, number> = {};
  for (const { name, title, shown, of, isShort } of parts) {
    const more = of - shown.length;
    sections[name] = shown.map(({ data }) => data);
    if (more > 0) left[`more_${name}`] = more;
    const used = [...shown.map(({ line }) => line), ...(more > 0 ? [`${more} more`] : [])];
    if (isShort === true && used.length > 0) lines.push(`${title} ${used.join(', ')}`);
    else if (used.length > 0) lines.push(title, ...used.map((line) => `- ${line}`));
  }
  return { lines, data: { ...sections, ...left } };
}

/** Describes each marketplace in one line, with amounts of different currencies side by side. */
function describeMarketplaces({ marketplaces: rows, severities }: ReviewFacts): Fact[] {
  const names = [...new Set(rows.map(({ marketplace }) => marketplace))];
  return names.map((name) =>
    describeMarketplace(
      name,
      rows.filter(({ marketplace }) => marketplace === name),
      severities.filter(({ marketplace }) => marketplace === name),
    ),
  );
}

function describeMarketplace(
  marketplace: string,
  rows: ReviewFacts['marketplaces'],
  severities: ReviewFacts['severities'],
): Fact {
  const sum = (
    member:
      | 'listings'
      | 'altogether'
      | 'search'
      | 'exempt'
      | 'unpriced'
      | 'unbuyable'
      | 'sold_out'
      | 'unfound',
  ) => rows.reduce((all, row) => all + row[member], 0);
  const [unpriced, unbuyable, unfound] = [sum('unpriced'), sum('unbuyable'), sum('unfound')];
  const standing = rows
    .filter(({ amount }) => amount !== null)
    .map(({ amount, currency }) => formatMoney(amount, currency));
  const words = [
    `${sum('altogether')} suppressed altogether`,
    `${sum('search')} hidden from search only`,
    ...(standing.length === 0 ? [] : [`${standing.join(' and ')} of inventory affected`]),
    ...(unpriced === 0 ? [] : [`price or stock of ${unpriced} of them is not known`]),
    `${sum('exempt')} exempt`,
    ...(unbuyable === 0
      ? []
      : [`${unbuyable} more cannot be bought (${formatSoldOut(unbuyable, sum('sold_out'))})`]),
    ...(unfound === 0
      ? []
      : [`${unfound} more can be bought and are not found in search (no suppression explains it)`]),
    ...(severities.length === 0 ? [] : [`issues: ${severities.map(formatSeverity).join(', ')}`]),
  ];
  return {
    line: `${countryOf(marketplace)}, ${plural(sum('listings'), 'listing')}: ${words.join(', ')}`,
    data: {
      marketplace,
      listings: sum('listings'),
      suppressed_altogether: sum('altogether'),
      hidden_from_search: sum('search'),
      standing_still: standing,
      exempt: sum('exempt'),
      ...(unpriced > 0 ? { price_or_stock_unknown: unpriced } : {}),
      ...(unbuyable > 0 ? { not_buyable_otherwise: unbuyable, out_of_stock: sum('sold_out') } : {}),
      ...(unfound > 0 ? { not_found_in_search_otherwise: unfound } : {}),
      ...(severities.length === 0 ? {} : { issues: severities.map(formatSeverity) }),
    },
  };
}

const formatSoldOut = (unbuyable: number, soldOut: number) =>
  unbuyable === soldOut ? 'out of stock' : `${soldOut} out of stock`;

/** Formats severities, which are a few words of the service; unknown ones are not repeated. */
const formatSeverity = ({ severity, issues, listings }: ReviewFacts['severities'][number]) =>
  `${count(issues)} ${/^[A-Z]{1,20}$/.test(severity ?? '') ? severity : 'of another severity'} on ${plural(listings, 'listing')}`;

/** @param isExempt is true if none of it is in force yet */
function describeCause(cause: Cause, level: ReviewLevel, clean: Clean, isExempt = false): Fact {
  const { code, effect, severity, firstUntil, lastUntil } = cause;
  const message = cut(clean(cause.message), level.message);
  const attributes = clean(cause.attributes);
  const until = firstUntil === undefined ? undefined : clean(formatRange(firstUntil, lastUntil));
  const mostSkus = Math.ceil(level.skus / Math.max(1, cause.places.length));
  const described = cause.places.map((place) => describeCauseMarketplace(place, mostSkus, clean));
  const words = [
    `${showText(clean(code))} ${showText(clean(severity))}${attributes === '' ? '' : ` (${showText(attributes)})`}: ${formatEffect(effect, isExempt)}`,
    ...(until === undefined ? [] : [`exempt until ${until}`]),
    ...(message === '' ? [] : [showText(message)]),
    ...described.map(({ line }) => line),
  ];
  return {
    line: words.join('; '),
    data: {
      code: clean(code),
      ...(attributes === '' ? {} : { attributes }),
      effect: formatEffect(effect),
      severity: clean(severity),
      listings: cause.listings,
      ...(message === '' ? {} : { message }),
      ...(until === undefined ? {} : { until }),
      where: described.map(({ data }) => data),
    },
  };
}

/** Describes a cause in one country, because each country has its own SKUs. */
function describeCauseMarketplace(place: CauseMarketplace, mostSkus: number, clean: Clean): Fact {
  const { marketplace, listings, money, skus } = place;
  const shown = skus.slice(0, mostSkus);
  const more = listings - shown.length;
  const named = shown.map(
    ({ sku, until }) =>
      `${showText(clean(sku))}${until === undefined ? '' : ` until ${showText(clean(until))}`}`,
  );
  const rest = named.length === 0 ? [] : [`: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
  const counted = `${listings} (${money.join(' and ')})`;
  return {
    line: `${countryOf(marketplace)} ${counted}${rest.join('')}`,
    data: {
      place: `${marketplace} ${counted}`,
      skus: shown.map(({ sku, until }) =>
        until === undefined ? clean(sku) : `${clean(sku)} until ${clean(until)}`,
      ),
      ...(more > 0 ? { more_listings: more } : {}),
    },
  };
}

/** Max needs that one sentence names. */
const MAX_NEEDS = 3;

/**
 * Finds the causes that a seller's value mends: the assistant is told to ask for it, because it would make
 * one up.
 */
function firstStep(causes: readonly Cause[], clean: Clean): string | undefined {
  const marketplaces = new Set<string>();
  const needs = causes.flatMap((cause) => {
    const { code, listings, places: described } = cause;
    const needed = formatNeededValue(cause);
    if (needed === undefined) return [];
    for (const { marketplace } of described) marketplaces.add(marketplace);
    const [sku] = described.flatMap(({ skus }) => skus);
    const such = sku === undefined ? '' : `, such as ${showText(clean(sku.sku))}`;
    return [`${needed} (${showText(clean(code))}) of ${plural(listings, 'listing')}${such}`];
  });
  if (needs.length === 0) return undefined;
  const all = [...needs.slice(0, MAX_NEEDS), ...(needs.length > MAX_NEEDS ? ['and more below'] : [])];
  return `Needs from you: ${all.join('; ')}. Only the seller knows this: ask, make nothing up, then send all with one change_listings${marketplaces.size > 1 ? ' for each marketplace' : ''}.`;
}

function describeWorst(
  row: ReviewFacts['worst'][number],
  { title: longest }: ReviewLevel,
  clean: Clean,
): Fact {
  const { sku, marketplace, price, quantity, currency, amount, suppressed, codes } = row;
  const title = cut(clean(row.title ?? ''), longest);
  const sum = amount === null ? 'not known' : formatMoney(amount, currency);
  const state = suppressed === 'altogether' ? 'suppressed' : 'hidden from search';
  const words = [showText(clean(sku)), countryOf(marketplace), ...(title === '' ? [] : [showText(title)])];
  return {
    line: `${words.join(' ')}: ${price ?? '?'} x ${quantity ?? '?'} = ${sum}, ${state} (${formatCodes(clean(codes ?? ''))})`,
    data: {
      sku: clean(sku),
      marketplace,
      title,
      price,
      stock: quantity,
      standing_still: roundToCents(amount),
      currency,
      state,
      codes: clean(codes ?? ''),
    },
  };
}

function describeOther(
  row: ReviewFacts['others'][number],
  { message: longest }: ReviewLevel,
  clean: Clean,
): Fact {
  const { effect, listings } = row;
  const [code, severity] = [clean(row.code ?? ''), clean(row.severity ?? '')];
  const message = cut(clean(row.message ?? ''), longest);
  const attributes = clean(row.attributes ?? '');
  return {
    line: `${showText(code)} ${showText(severity)}${attributes === '' ? '' : ` (${showText(attributes)})`}: ${plural(listings, 'listing')}, ${formatEffect(effect)}${message === '' ? '' : `; ${showText(message)}`}`,
    data: {
      code,
      severity,
      ...(attributes === '' ? {} : { attributes }),
      effect: formatEffect(effect),
      listings,
      ...(message === '' ? {} : { message }),
    },
  };
}

function describeCode(row: ReviewFacts['codes'][number], clean: Clean): Fact {
  const [code, severity] = [clean(row.code ?? ''), clean(row.severity ?? '')];
  const { listings } = row;
  return {
    line: `${showText(code)} ${showText(severity)} ${listings}`,
    data: `${code} ${severity} ${listings}`,
  };
}

const formatCodes = (codes: string) =>
  codes
    .split(', ')
    .map((code) => showText(code))
    .join(', ');

/** Marks cut text but does not count the rest, because the tables contain it whole. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return most === 0 ? '' : `${cutBehind(text, most)}...`;
}

/** Returns a country's name unchanged and quotes an unknown id, which might be any text. */
const countryOf = (name: string) => (/^[\p{L} ]{1,40}$/u.test(name) ? name : showText(name));

function formatRange(first: string, last: string | undefined): string {
  return last === undefined || last === first ? showText(first) : `${showText(first)} to ${showText(last)}`;
}
