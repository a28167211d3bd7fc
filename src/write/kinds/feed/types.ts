/** What the rooms around feeds agree on: the document that goes out, the feed it becomes, and what came of each message. */

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
export interface ReportIssue {
  /** Absent where it is about the feed as a whole. */
  messageId?: number;
  sku?: string;
  /** UNKNOWN: it says none, or one that nobody has described. */
  severity: 'ERROR' | 'WARNING' | 'INFO' | 'UNKNOWN';
  code?: string;
  message?: string;
  attributes?: readonly string[];
}

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
export interface MessageResult extends SentMessage {
  outcome: 'accepted' | 'not_accepted' | 'unknown';
  /** Errors first; those of an accepted message are warnings and remarks. */
  issues: readonly ReportIssue[];
}

/** Messages by their outcomes. */
export type MessageCounts = Record<MessageResult['outcome'], number>;

/** A feed at its end. */
export interface EndedFeed {
  feedId: string;
  status: 'DONE' | 'CANCELLED' | 'FATAL';
  /** Absent where there is none, or it could not be had (`reportProblem`). */
  report?: ProcessingReport | UnknownReport;
  /** For collect_data and getFeedDocument. */
  reportDocumentId?: string;
  reportProblem?: AppError;
}

export type FeedResult =
  | ({ state: 'ended' } & EndedFeed)
  /** The service has it and is not done with it; `sinceMs`: since it was created. */
  | { state: 'under way'; feedId: string; status: 'IN_QUEUE' | 'IN_PROGRESS'; sinceMs: number }
  /** The service refused the document, the upload or the feed: nothing of it is processed. */
  | { state: 'not accepted'; stage: FeedStage; error: AppError }
  /** Certainly nothing was applied, and the same steps can be gone again: 429, no connection, no token. */
  | { state: 'later'; stage: FeedStage; error: AppError; afterMs?: number }
  /** createFeed got no answer, and what getFeeds lists does not tell: it is never sent again. */
  | { state: 'unknown'; error: AppError; candidates: readonly string[] };

export type FeedStage = 'document' | 'upload' | 'feed';

/** How far a feed has come: noted before and after what must not happen twice. JSON. */
export interface FeedSteps {
  /** The document that was uploaded. */
  documentId?: string;
  /** ISO 8601, as the service's own clock tells it: when it made the place for the document. */
  documentAt?: string;
  /** ISO 8601: createFeed was about to be called. Without a feedId beside it, the feed is looked for. */
  creating?: string;
  feedId?: string;
  /** ISO 8601, as far as known here. */
  createdAt?: string;
}
