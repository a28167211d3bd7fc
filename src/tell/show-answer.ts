/** Where every answer of the service is masked: buyers' data become marks, documents are saved where the caller asked for that, and described in their place. */

import { InputError } from '../base/errors.ts';
import { letOthersRun } from '../base/event-loop.ts';
import type { CallOptions, CallResult } from '../call/client.ts';
import type { Tables } from '../data/tables/tables.ts';
import { hider } from '../privacy/personal/hide-values.ts';
import type { Replaced } from '../privacy/personal/personal-data.ts';
import type { AnsweredOperation } from '../service/facts/operation.ts';
import { type FoundDocument, findDocuments } from './documents/find-documents.ts';
import { mayBePersonal } from './documents/members.ts';
import type { SaveJob } from './documents/save-documents.ts';
import { isSaved, type SaveOutcome, saveDocuments } from './documents/save-documents.ts';
import { placeWords, type SavedWords, savedWords } from './documents/saved-words.ts';
import type { AnswerServices } from './service-answer.ts';

/** Left of the call's own time for the answer. */
const MARGIN_MS = 2_000;

/** Share of an answer that what was saved may take. */
const SHARE = 0.3;

interface AnswerParts {
  operation: AnsweredOperation;
  account: string;
  result: Pick<CallResult, 'bytes'>;
  /** The answer as it may be shown but for its documents and its personal data; undefined where there is no body. */
  whole: unknown;
  session: Pick<AnswerServices, 'personal' | 'settings'>;
  saveAll?: SaveAll;
  /** Of the arguments: the service may repeat them anywhere. */
  replaced?: readonly Replaced[];
}

/** Of documents in the answer; undefined where none are to be saved. @throws what ends the call */
export type SaveAll =
  | ((documents: readonly FoundDocument[]) => Promise<readonly SaveOutcome[] | undefined>)
  | undefined;

/** What was saved stands before the values. */
export interface ShownAnswer extends SavedWords {
  whole: unknown;
  /** False where nothing of it is a document. */
  hasDocuments: boolean;
}

/** Before anything of it is selected, cut or kept. @throws as `saveAll` */
export async function showAnswer(parts: AnswerParts): Promise<ShownAnswer> {
  const { operation, account, result, session, saveAll, replaced = [] } = parts;
  const personal = await session.personal();
  const { documents, withWords } = await findDocuments(operation, parts.whole, !personal.isMasking);
  const outcomes = await saveAll?.(documents);
  const words = documents.map((document, at) => placeWords(operation, document, outcomes?.[at]));
  const shown = withWords((_document, at) => words[at] ?? '');
  await letOthersRun(result.bytes);
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
  operation: AnsweredOperation,
  session: Pick<AnswerServices, 'settings'>,
): SavedWords {
  if (outcomes === undefined) return { lines: [], facts: {}, links: [] };
  if (outcomes.length === 0) return noDocument(operation);
  const maxTokens = session.settings().answerTokens * SHARE;
  return savedWords(outcomes, { operation, personal: mayBePersonal(operation), maxTokens });
}

/** Of a call and its session, what saving takes. */
interface SavingContext {
  session: Pick<SaveJob, 'files' | 'downloads'> & {
    program: { now(): number };
    tables(account: string): Promise<Pick<Tables, 'makeScratch'>>;
  };
  call: Required<Pick<CallOptions, 'signal' | 'deadline'>>;
  tell(progress: { message: string }): void;
}

/**
 * Saves all documents of an answer under this name; undefined where there is none.
 * @throws for a read only: InputError where the answer holds no document; what kept all of them from being saved.
 * A write has happened by now: of it, all that is told.
 */
export function saverOf(
  name: string | undefined,
  {
    operation,
    account,
    result,
  }: Pick<AnswerParts, 'operation' | 'account'> & { result: Pick<CallResult, 'owner'> },
  { session, call, tell }: SavingContext,
): SaveAll {
  if (name === undefined) return undefined;
  return async (documents) => {
    const isRead = operation.effect === 'read';
    if (documents.length === 0 && isRead) throw withoutDocument(operation);
    if (documents.length === 0) return [];
    const outcomes = await saveDocuments({
      documents,
      name,
      personal: mayBePersonal(operation),
      files: () => session.files(),
      downloads: () => session.downloads(),
      scratch: async () => (await session.tables(account)).makeScratch(),
      givenBy: new URL(result.owner.baseUrl).origin,
      givenAt: session.program.now(),
      signal: call.signal,
      leftMs: call.deadline - performance.now() - MARGIN_MS,
      tell: (message) => tell({ message }),
    });
    const [first] = outcomes;
    if (isRead && first !== undefined && !isSaved(first) && !outcomes.some(isSaved)) throw first.error;
    return outcomes;
  };
}

function withoutDocument({ name }: AnsweredOperation): InputError {
  return new InputError(
    `${name} was called, but its answer holds no document; nothing was saved.`,
    'Leave save_as out to see the answer. What is still being made comes with a later call.',
  );
}

/** Of a write: what it did stands before this. */
function noDocument(operation: AnsweredOperation): SavedWords {
  const words = `Nothing was saved: the answer of ${operation.name} holds no document.`;
  return { lines: [words], facts: { saved: [], not_saved: words }, links: [] };
}
