/** A review as an answer: counts first, then causes, exemptions and the worst listings, in both forms, as far as the budget goes. */

import { inWords } from '../../base/text/duration.ts';
import { DATA_NOTE, escapeBlock, VALUES_NOTE } from '../../base/text/escape-text.ts';
import { shortenToCharacters, tokensOf } from '../../base/text/shorten.ts';
import type { Collected } from '../collections/collect.ts';
import type { CollectionInfo } from '../tables/types.ts';
import type { ReviewFacts } from './read-review.ts';
import { fitSections, type Sections } from './review-sections.ts';

/** What one answer takes at most, in tokens: a question is answered in a few kilobytes. */
const MOST_TOKENS = 2_500;

/** Kept for what stands around the sections in the structured form: names of members, notes said once more. */
const FRAME_TOKENS = 40;

/** Characters of one note, and how many are told. */
const LONGEST_NOTE = 300;
const MOST_NOTES = 8;

export interface DescribeOptions {
  account: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** Of the settings. */
  answerTokens: number;
  redact(text: string): string;
}

export interface ReviewAnswer {
  text: string;
  structured: Sections & {
    note: string;
    state: 'done';
    account: string;
    collected_at: string;
    complete: boolean;
    notes: string[];
    next: string;
  };
}

export function describeReview(
  facts: ReviewFacts,
  { info, ageMs }: Extract<Collected, { state: 'done' }>,
  { account, now, answerTokens, redact }: DescribeOptions,
): ReviewAnswer {
  const clean = (text: string) => escapeBlock(redact(text));
  const collectedAt = timeOf(Date.parse(info.collectedAt));
  const all = [...info.notes, ...ageWords(ageMs)].map((note) =>
    shortenToCharacters(clean(note), LONGEST_NOTE),
  );
  const rest = all.length - MOST_NOTES;
  const notes = rest > 0 ? [...all.slice(0, MOST_NOTES), `${rest} more notes.`] : all;
  const next = nextWords(facts, info);
  const head = `Collected ${collectedAt}${info.complete ? '' : ', NOT ALL there are'}. Only what is enforced counts as suppressed, whatever its severity.`;
  const end = `(account ${account}; now ${timeOf(now)})`;
  const own = tokensOf([DATA_NOTE, head, ...notes, next, end].join('\n')) + FRAME_TOKENS;
  const { lines, sections } = fitSections(facts, { room: Math.min(answerTokens, MOST_TOKENS) - own, clean });
  const body = [...notes, head, ...lines, next].join('\n');
  return {
    text: [body.includes('«') ? DATA_NOTE : VALUES_NOTE, body, end].join('\n'),
    structured: {
      note: `${VALUES_NOTE} ${head}`,
      state: 'done',
      account,
      collected_at: collectedAt,
      complete: info.complete,
      notes,
      ...sections,
      next,
    },
  };
}

/** `2026-11-21T20:02Z`. */
const timeOf = (ms: number) => `${new Date(ms).toISOString().slice(0, 16)}Z`;

function ageWords(ageMs: number | undefined): string[] {
  if (ageMs === undefined) return [];
  const seconds = Math.max(1, Math.ceil(ageMs / 1_000));
  return [`Read ${inWords(seconds * 1_000)} ago; fresh: true reads anew.`];
}

/** What to ask the tables for the rest, in a query that works. */
function nextWords({ listings, issues }: ReviewFacts, { tables }: CollectionInfo): string {
  const rows = (name: string) => tables.find((table) => table.name === name)?.rows ?? 0;
  return [
    `query_data has all of it: ${listings} (${rows(listings)} rows: sku, marketplace, title, status, buyable, channel, quantity, inbound, price, currency, stock_amount, suppressed, suppressed_by, ...),`,
    `${issues} (${rows(issues)} rows: sku, marketplace, code, severity, message, effect, suppresses, exempt, exempt_until, ...).`,
    `Such as SELECT sku, title, suppressed, suppressed_by, stock_amount, currency FROM ${listings} WHERE suppressed IS NOT NULL ORDER BY stock_amount DESC`,
  ].join(' ');
}
