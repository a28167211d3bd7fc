/** What all that is about feeds agrees on: the document that goes out, the feed it becomes, and what came of each message. */

import * as z from 'zod';
import type { AppError } from '../../../base/errors.ts';

/** A document that is to be uploaded: bounded, and known to the byte before anybody is asked. */
export interface OutgoingDocument {
  /** Exactly as it is told to the service and sent with the upload: `application/json; charset=UTF-8`. */
  contentType: string;
  bytes: number;
  /** Lower-case hex. */
  sha256: string;
  /** Base64, as Content-MD5 wants it. */
  md5: string;
  /** From the beginning, each time. @throws InputError where a file is no longer what was looked at */
  read(): AsyncIterable<Uint8Array>;
}

/** One message of a feed, by which its processing report speaks of it. */
export interface SentMessage {
  /** JSON_LISTINGS_FEED: its messageId; a table: the number of its row, from 1. */
  messageId: number;
  /** Absent where the feed's form does not tell. */
  sku?: string;
}

/** A feed before it is sent. */
export interface Feed {
  feedType: string;
  marketplaceIds: readonly string[];
  feedOptions?: Readonly<Record<string, string>>;
  document: OutgoingDocument;
  /** Empty where the document could not be read as messages. */
  messages: readonly SentMessage[];
}

/** What one remark of a processing report says. Texts are the service's: escape them where they are shown. */
export const reportIssueSchema = z.object({
  /** Absent where it is about the feed as a whole. */
  messageId: z.int().optional(),
  sku: z.string().optional(),
  /** UNKNOWN: it says none, or one that nobody has described. */
  severity: z.enum(['ERROR', 'WARNING', 'INFO', 'UNKNOWN']),
  code: z.string().optional(),
  message: z.string().optional(),
  attributes: z.array(z.string()).optional(),
});
export type ReportIssue = z.output<typeof reportIssueSchema>;

/** A processing report that was understood. */
export interface ProcessingReport {
  form: 'json' | 'table' | 'xml';
  /** As far as the report counts: messages. */
  processed?: number;
  accepted?: number;
  issues: readonly ReportIssue[];
}

/** A processing report in a form that nobody has described. */
export interface UnknownReport {
  form: 'unknown';
  /** Why it is not understood, in words of ours. */
  why: string;
  /** Its first characters: the service's text. */
  beginning: string;
}

/** What came of one message. DONE says that it was processed, only the report that it was accepted. */
export const messageOutcomeSchema = z.enum(['accepted', 'not_accepted', 'unknown']);

export interface MessageResult extends SentMessage {
  outcome: z.output<typeof messageOutcomeSchema>;
  /** Errors first; those of an accepted message are warnings and remarks. */
  issues: readonly ReportIssue[];
}

/** Messages by their outcomes. */
export type MessageCounts = Record<MessageResult['outcome'], number>;

/** How a feed ends. */
export const endedStatusSchema = z.enum(['DONE', 'CANCELLED', 'FATAL']);

/** A feed at its end. */
export interface EndedFeed {
  feedId: string;
  status: z.output<typeof endedStatusSchema>;
  /** Absent where there is none, or it could not be had (`reportProblem`). */
  report?: ProcessingReport | UnknownReport;
  /** For collect_data and getFeedDocument. */
  reportDocumentId?: string;
  reportProblem?: AppError;
}

export type FeedResult =
  | ({ state: 'ended' } & EndedFeed)
  /** The service has it and is not done with it. */
  | { state: 'under way'; feedId: string; status: 'IN_QUEUE' | 'IN_PROGRESS' }
  /** The service refused the document, the upload or the feed: nothing of it is processed. */
  | { state: 'not accepted'; error: AppError }
  /** Certainly nothing was applied, and the same steps can be gone again: 429, no connection, no token. */
  | { state: 'later'; error: AppError; afterMs?: number }
  /** createFeed got no answer, and what getFeeds lists does not tell: it is never sent again. */
  | { state: 'unknown'; error: AppError; candidates: readonly string[] };

/** How far a feed has come: noted before and after what must not happen twice. */
export const feedStepsSchema = z.object({
  /** The document that was uploaded. */
  documentId: z.string().optional(),
  /** ISO 8601, as the service's own clock tells it: when it made the place for the document. */
  documentAt: z.string().optional(),
  /** ISO 8601: createFeed was about to be called. Without a feedId beside it, the feed is looked for. */
  creating: z.string().optional(),
  feedId: z.string().optional(),
  /** ISO 8601, as far as known here. */
  createdAt: z.string().optional(),
  /** Of the entry that createFeed has in the journal. */
  journal: z.string().optional(),
});
export type FeedSteps = z.output<typeof feedStepsSchema>;
