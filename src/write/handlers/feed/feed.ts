/** Defines the shapes of feeds: the document that is sent, the feed, and the outcome of each message. */

import * as z from 'zod';
import type { AppError } from '../../../base/errors.ts';

/** A document to upload, whose size and digests are known before an approval is requested. */
export interface OutgoingDocument {
  /**
   * The content type exactly as it is declared to the service and sent with the upload: `application/json;
   * charset=UTF-8`.
   */
  contentType: string;
  bytes: number;
  /** SHA-256 in lower-case hex. */
  sha256: string;
  /** MD5 in Base64, as Content-MD5 requires it. */
  md5: string;
  /**
   * Reads the document from the beginning each time.
   * @throws InputError where a file has changed since it was digested
   */
  read(): AsyncIterable<Uint8Array>;
}

/** One message of a feed, with the ids that its processing report uses. */
export interface SentMessage {
  /** The messageId in a JSON_LISTINGS_FEED, or the number of the row, from 1, in a table. */
  messageId: number;
  /** Absent where the feed's form does not show it. */
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

/** One issue of a processing report. Its texts are untrusted: escape them where they are shown. */
export const reportIssueSchema = z.object({
  /** Absent where the issue is about the feed as a whole. */
  messageId: z.int().optional(),
  sku: z.string().optional(),
  /** UNKNOWN: the report gives no severity, or one without documentation. */
  severity: z.enum(['ERROR', 'WARNING', 'INFO', 'UNKNOWN']),
  code: z.string().optional(),
  message: z.string().optional(),
  attributes: z.array(z.string()).optional(),
});
export type ReportIssue = z.output<typeof reportIssueSchema>;

/** A processing report that was understood. */
export interface ProcessingReport {
  form: 'json' | 'table' | 'xml';
  /** The number of messages, as far as the report counts them. */
  processed?: number;
  accepted?: number;
  issues: readonly ReportIssue[];
}

/** A processing report in a form without documentation. */
export interface UnknownReport {
  form: 'unknown';
  /** The reason why it is not understood, in our own words. */
  why: string;
  /** Its first characters, which are untrusted text. */
  beginning: string;
}

/**
 * The outcome of one message. The status DONE means that it was processed; only the report shows that it was
 * accepted.
 */
export const messageOutcomeSchema = z.enum(['accepted', 'not_accepted', 'unknown']);

export interface MessageResult extends SentMessage {
  outcome: z.output<typeof messageOutcomeSchema>;
  /** Errors come first; the issues of an accepted message are warnings and notices. */
  issues: readonly ReportIssue[];
}

/** The number of messages for each outcome. */
export type MessageCounts = Record<MessageResult['outcome'], number>;

/** The final statuses of a feed. */
export const endedStatusSchema = z.enum(['DONE', 'CANCELLED', 'FATAL']);

/** A feed that has ended. */
export interface EndedFeed {
  feedId: string;
  status: z.output<typeof endedStatusSchema>;
  /** Absent where there is none, or it could not be read (`reportProblem`). */
  report?: ProcessingReport | UnknownReport;
  /** The id for collect_data and getFeedDocument. */
  reportDocumentId?: string;
  reportProblem?: AppError;
}

export type FeedResult =
  | ({ state: 'ended' } & EndedFeed)
  /** The service has the feed and has not finished it. */
  | { state: 'under way'; feedId: string; status: 'IN_QUEUE' | 'IN_PROGRESS' }
  /** The service rejected the document, the upload or the feed, so none of it is processed. */
  | { state: 'not accepted'; error: AppError }
  /** Certainly nothing was applied, and the same steps can be repeated: 429, no connection, no token. */
  | { state: 'later'; error: AppError; afterMs?: number }
  /** createFeed got no answer, and getFeeds does not show the outcome; the feed is never sent again. */
  | { state: 'unknown'; error: AppError; candidates: readonly string[] };

/** The progress of a feed, recorded before and after each step that must not happen twice. */
export const feedStepsSchema = z.object({
  /** The id of the uploaded document. */
  documentId: z.string().optional(),
  /** ISO 8601, by the service's clock: the time when it created the document's upload address. */
  documentAt: z.string().optional(),
  /** ISO 8601: the time just before createFeed. Without a feedId, the feed is searched for. */
  creating: z.string().optional(),
  feedId: z.string().optional(),
  /** ISO 8601, as far as it is known. */
  createdAt: z.string().optional(),
  /** The id of createFeed's entry in the journal. */
  journal: z.string().optional(),
});
export type FeedSteps = z.output<typeof feedStepsSchema>;
