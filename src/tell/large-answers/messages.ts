/** What the main thread and the threads that read large answers say to each other. */

import type { Page } from '../../data/collections/parse-page.ts';
import type { FileKind } from '../../data/documents/file-kind.ts';
import type { SavedFile } from '../../disk/files/files.ts';
import type { FoundApart, FoundMark, PersonalMirror } from '../../privacy/personal/personal-data.ts';
import type { AnsweredOperation, Paging } from '../../service/facts/operation.ts';
import type { KeptAnswer } from '../answer-store.ts';
import type { AddressedDocument, AnswerDocument } from '../documents/find-documents.ts';
import type { ReadAnswer, ReadAnswerParts } from '../read-answer.ts';

/** The part of a session that a thread works with. */
export interface Mirror {
  personal: PersonalMirror;
  secrets: readonly string[];
  answerTokens: number;
  /** Milliseconds since the epoch. */
  now: number;
}

export type ReadingRequest =
  /** An answer: opened first, finished last. */
  | { do: 'open'; bytes: Uint8Array; parts: PlainParts; mirror: Mirror }
  /** The bytes of a document in it. */
  | { do: 'document'; index: number }
  | { do: 'finish'; outcomes: readonly PlainOutcome[] | undefined }
  /** What was masked in the last one that was finished: some at a time, none at the end. */
  | { do: 'marks' }
  /** The texts of what is kept of it, in this order: the largest part of the work, and nobody waits for it. */
  | { do: 'kept' }
  | { do: 'page'; bytes: Uint8Array; operation: AnsweredOperation; paging: Paging };

/** What comes from a header is told by its words. */
export type PlainParts = Omit<ReadAnswerParts, 'result'> & {
  result: Omit<ReadAnswerParts['result'], 'requestId' | 'rateLimit'> & {
    requestId?: string;
    rateLimit?: string;
  };
};

export type PlainDocument = Omit<AnswerDocument, 'read'> | AddressedDocument;

export type PlainOutcome = { file: SavedFile; kind: FileKind } | { reason: string };

export interface Refused {
  code: string;
  message: string;
}

export interface ReadingReplies {
  open: { documents: PlainDocument[] } | { refused: Refused };
  document: Uint8Array;
  finish: {
    answer: ReadAnswer;
    found: Pick<FoundApart, 'count' | 'own'>;
    kept: KeptAnswer[];
    supplySources: string[];
    /** The line on masking stands in it. */
    tellsMasking: boolean;
  };
  marks: readonly FoundMark[];
  kept: Uint8Array[];
  page: { page: PlainPage } | { refused: Refused };
}

export interface PlainPage extends Omit<Page, 'lists' | 'fingerprint'> {
  /** Pieces are lists of items as JSON. */
  lists: { name?: string; at: readonly string[]; count: number; pieces: Uint8Array[] }[];
  /** The same for the same items. */
  fingerprint: string;
}
