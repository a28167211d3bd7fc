/** What the sandbox makes of an uploaded feed: each message is applied or refused, and a processing report says which. */

import * as z from 'zod';
import { isJsonObject, parseJson } from '../../src/base/json.ts';
import type { Answer } from '../answer.ts';
import type { ListingStore } from '../operations/listing-store.ts';
import { patchAt, putAt, removeAt } from '../operations/write-listing.ts';

export interface FeedRequest {
  feedType: string;
  marketplaceIds: readonly string[];
  /** What was uploaded; undefined where nothing was. */
  document: Buffer | undefined;
  sellerId: string;
  feedId: string;
}

/** Undefined: the feed is broken off, since nothing of it can be read. */
export interface ProcessedFeed {
  isFatal: boolean;
  report: string;
  contentType: string;
}

const MOST_MESSAGES = 25_000;

export function processFeed(listings: ListingStore, request: FeedRequest): ProcessedFeed {
  return request.feedType === 'JSON_LISTINGS_FEED'
    ? processListings(listings, request)
    : processTable(listings, request);
}

interface Issue {
  messageId?: number;
  code: string;
  severity: string;
  message: string;
  attributeName?: string;
}

const feedSchema = z.looseObject({
  header: z.looseObject({ sellerId: z.string(), version: z.literal('2.0') }),
  messages: z.array(
    z.looseObject({ messageId: z.int().min(1), sku: z.string().min(1), operationType: z.string() }),
  ),
});
type Message = z.output<typeof feedSchema>['messages'][number];

function processListings(listings: ListingStore, request: FeedRequest): ProcessedFeed {
  const parsed = feedSchema.safeParse(parseJson(request.document?.toString('utf8') ?? ''));
  const wrong = !parsed.success
    ? 'The feed does not fit its schema.'
    : parsed.data.header.sellerId !== request.sellerId
      ? 'The sellerId of the header is not that of the caller.'
      : parsed.data.messages.length > MOST_MESSAGES
        ? `The feed has more than ${MOST_MESSAGES} messages.`
        : undefined;
  if (wrong !== undefined || !parsed.success) {
    const issues = [{ code: '4000000', severity: 'ERROR', message: wrong ?? '' }];
    return { isFatal: true, ...jsonReport(request, 0, 0, issues) };
  }
  const { messages } = parsed.data;
  const issues = messages.map((message) => apply(listings, message, request.marketplaceIds));
  const refused = issues.filter((of) => of.some(({ severity }) => severity === 'ERROR')).length;
  return { isFatal: false, ...jsonReport(request, messages.length, refused, issues.flat()) };
}

function apply(listings: ListingStore, message: Message, marketplaceIds: readonly string[]): Issue[] {
  const { messageId, sku, operationType } = message;
  const place = { sku, marketplaceIds, isPreview: false };
  const answer =
    operationType === 'DELETE'
      ? removeAt(listings, place)
      : operationType === 'UPDATE'
        ? putAt(listings, place, message)
        : operationType === 'PARTIAL_UPDATE'
          ? patchAt(listings, place, { ...message, patches: toPatches(message) })
          : patchAt(listings, place, message);
  return issuesOf(answer).map((issue) => ({ messageId, ...issue }));
}

const toPatches = ({ attributes }: Message) =>
  Object.entries(isJsonObject(attributes) ? attributes : {}).map(([name, value]) => ({
    op: 'replace',
    path: `/attributes/${name}`,
    value,
  }));

const issueSchema = z.looseObject({
  code: z.string(),
  severity: z.string().default('ERROR'),
  message: z.string(),
  details: z.string().default(''),
  attributeNames: z.array(z.string()).default([]),
});

function issuesOf({ body }: Answer): Issue[] {
  const holder = isJsonObject(body) ? body : {};
  const list = [holder.issues, holder.errors].find(Array.isArray) ?? [];
  return list.flatMap((one: unknown) => {
    const { data } = issueSchema.safeParse(one);
    if (data === undefined) return [];
    const [attributeName] = data.attributeNames;
    const message = [data.message, data.details].filter((text) => text !== '').join(' ');
    const { code, severity } = data;
    return [{ code, severity, message, ...(attributeName !== undefined && { attributeName }) }];
  });
}

function jsonReport(
  { sellerId, feedId }: FeedRequest,
  processed: number,
  invalid: number,
  issues: readonly Issue[],
) {
  const count = (wanted: string) => issues.filter(({ severity }) => severity === wanted).length;
  const report = {
    header: { sellerId, version: '2.0', feedId },
    issues,
    summary: {
      errors: count('ERROR'),
      warnings: count('WARNING'),
      messagesProcessed: processed,
      messagesAccepted: processed - invalid,
      messagesInvalid: invalid,
    },
  };
  return { report: JSON.stringify(report), contentType: 'application/json; charset=UTF-8' };
}

/** Any feed in a table with a column of SKUs: those that nobody knows are refused. */
function processTable(listings: ListingStore, { document }: FeedRequest): ProcessedFeed {
  const [head = '', ...rows] = (document?.toString('utf8') ?? '')
    .split(/\r?\n/)
    .filter((line) => line !== '');
  const at = head.split('\t').findIndex((name) => /^(seller-)?sku$/i.test(name));
  const skus = rows.map((row) => row.split('\t')[at] ?? '');
  const errors = skus.flatMap((sku, row) =>
    listings.latest(sku) === undefined
      ? [`${row + 1}\t${sku}\t13013\tError\tThis SKU does not exist in the catalog: ${sku}`]
      : [],
  );
  const report = [
    'Feed Processing Summary:',
    `\tNumber of records processed\t\t${rows.length}`,
    `\tNumber of records successful\t\t${rows.length - errors.length}`,
    '',
    'original-record-number\tsku\terror-code\terror-type\terror-message',
    ...errors,
    '',
  ].join('\n');
  return { isFatal: document === undefined || at < 0, report, contentType: 'text/plain; charset=UTF-8' };
}
