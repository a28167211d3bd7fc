/** Where every answer of the service is masked: buyers' data become marks, and documents, saved or not, are described in their place. */

import { LARGE_BYTES, letOthersRun } from '../base/event-loop.ts';
import type { CallResult } from '../call/client-types.ts';
import { hider } from '../privacy/personal/hide-values.ts';
import type { Replaced } from '../privacy/personal/personal-data.ts';
import type { Operation } from '../service/facts/operation.ts';
import { mayBePersonal } from './documents/document-members.ts';
import { findDocuments } from './documents/find-documents.ts';
import type { SaveAll, SaveOutcome } from './documents/save-documents.ts';
import { placeWords, type SavedWords, savedWords } from './documents/saved-words.ts';
import type { ReadingSession } from './reading-session.ts';

/** Share of an answer that what was saved may take. */
const SHARE = 0.3;

interface AnswerParts {
  operation: Operation;
  account: string;
  result: Pick<CallResult, 'bytes'>;
  /** The answer as it may be shown but for its documents and its personal data; undefined where there is no body. */
  whole: unknown;
  session: Pick<ReadingSession, 'personal' | 'settings'>;
  saveAll?: SaveAll;
  /** Of the arguments: the service may repeat them anywhere. */
  replaced?: readonly Replaced[];
}

/** What was saved stands before the values. */
export interface MaskedAnswer extends SavedWords {
  whole: unknown;
  /** False where nothing of it is a document. */
  hasDocuments: boolean;
}

/** Before anything of it is selected, cut or kept. @throws as `saveAll` */
export async function maskedAnswer(parts: AnswerParts): Promise<MaskedAnswer> {
  const { operation, account, result, session, saveAll, replaced = [] } = parts;
  const personal = await session.personal();
  const { documents, withWords } = await findDocuments(operation, parts.whole, !personal.isMasking);
  const outcomes = saveAll && (await saveAll(documents));
  const words = documents.map((document, at) => placeWords(operation, document, outcomes?.[at]));
  const shown = withWords((_document, at) => words[at] ?? '');
  if (result.bytes >= LARGE_BYTES) await letOthersRun();
  // The words are ours, and so not searched for personal data.
  const masked = personal.maskAnswer(account, { operation: operation.id }, shown, new Set(words));
  return {
    whole: hider(replaced)(masked),
    hasDocuments: documents.length > 0,
    ...wordsOn(outcomes, operation, session),
  };
}

function wordsOn(
  outcomes: readonly SaveOutcome[] | undefined,
  operation: Operation,
  session: Pick<ReadingSession, 'settings'>,
): SavedWords {
  if (outcomes === undefined) return { lines: [], facts: {}, links: [] };
  if (outcomes.length === 0) return noDocument(operation);
  const maxTokens = session.settings().answerTokens * SHARE;
  return savedWords(outcomes, { operation, personal: mayBePersonal(operation), maxTokens });
}

/** Of a write: what it did stands before this. */
function noDocument(operation: Operation): SavedWords {
  const words = `Nothing was saved: the answer of ${operation.name} holds no document.`;
  return { lines: [words], facts: { saved: [], not_saved: words }, links: [] };
}
