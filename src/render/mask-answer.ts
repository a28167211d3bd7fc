/**
 * Masks every answer of the service: buyers' data become placeholders, and documents, saved or not, become
 * descriptions.
 */

import { LARGE_BYTES, yieldToEventLoop } from '../base/event-loop.ts';
import type { CallResult } from '../call/client-types.ts';
import { createValueHider } from '../privacy/personal/hide-values.ts';
import type { ReplacedPlaceholder } from '../privacy/personal/personal-data.ts';
import type { Operation } from '../service/facts/operation.ts';
import {
  describeSavedDocuments,
  documentPlaceholder,
  type SavedDocumentsText,
} from './documents/describe-saved-documents.ts';
import { mayBePersonalDocument } from './documents/document-members.ts';
import { findDocuments } from './documents/find-documents.ts';
import type { SaveDocuments, SaveOutcome } from './documents/save-documents.ts';
import type { ReadingSession } from './reading-session.ts';

/** The share of an answer that saved documents may take. */
const SHARE = 0.3;

interface AnswerParts {
  operation: Operation;
  account: string;
  result: Pick<CallResult, 'bytes'>;
  /** The answer before its documents and personal data are replaced; undefined if there is no body. */
  whole: unknown;
  session: Pick<ReadingSession, 'personal' | 'settings'>;
  saveAll?: SaveDocuments;
  /** Placeholders replaced in the arguments, because the service may repeat their values anywhere. */
  replaced?: readonly ReplacedPlaceholder[];
}

/** The masked answer; its lines on saved documents come before the values. */
export interface MaskedAnswer extends SavedDocumentsText {
  whole: unknown;
  /** False if no part of it is a document. */
  hasDocuments: boolean;
}

/** Masks an answer before anything of it is selected, cut or stored. @throws as `saveAll` */
export async function maskServiceAnswer(parts: AnswerParts): Promise<MaskedAnswer> {
  const { operation, account, result, session, saveAll, replaced = [] } = parts;
  const personal = await session.personal();
  const { documents, withWords } = await findDocuments(operation, parts.whole, !personal.isMasking);
  const outcomes = saveAll && (await saveAll(documents));
  const descriptions = documents.map((document, at) =>
    documentPlaceholder(operation, document, outcomes?.[at]),
  );
  const shown = withWords((_document, at) => descriptions[at] ?? '');
  if (result.bytes >= LARGE_BYTES) await yieldToEventLoop();
  // The descriptions are our own text, and so are not searched for personal data.
  const masked = personal.maskAnswer(account, { operation: operation.id }, shown, new Set(descriptions));
  return {
    whole: createValueHider(replaced)(masked),
    hasDocuments: documents.length > 0,
    ...describeOutcomes(outcomes, operation, session),
  };
}

function describeOutcomes(
  outcomes: readonly SaveOutcome[] | undefined,
  operation: Operation,
  session: Pick<ReadingSession, 'settings'>,
): SavedDocumentsText {
  if (outcomes === undefined) return { lines: [], facts: {}, links: [] };
  if (outcomes.length === 0) return describeNoDocument(operation);
  const maxTokens = session.settings().answerTokens * SHARE;
  return describeSavedDocuments(outcomes, {
    operation,
    personal: mayBePersonalDocument(operation),
    maxTokens,
  });
}

/** Reports that a write returned no document; its outcome comes before this. */
function describeNoDocument(operation: Operation): SavedDocumentsText {
  const notice = `Nothing was saved: the answer of ${operation.name} holds no document.`;
  return { lines: [notice], facts: { saved: [], not_saved: notice }, links: [] };
}
