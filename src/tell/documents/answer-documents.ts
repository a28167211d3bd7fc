/** What an answer of the service holds in documents: saved where the caller asked for that, described in their place. */

import { InputError } from '../../base/errors.ts';
import type { CallResult } from '../../call/client.ts';
import type { AnsweredOperation } from '../../service/facts/operation.ts';
import type { AnswerServices, ReadingContext } from '../session.ts';
import type { ResourceLink } from '../tool-answer.ts';
import { type FoundDocument, type FoundDocuments, findDocuments } from './find-documents.ts';
import { mayBePersonal } from './members.ts';
import { isSaved, type SaveOutcome, saveDocuments } from './save-documents.ts';
import { placeWords, savedWords } from './saved-words.ts';

/** Left of the call's own time for the answer. */
const MARGIN_MS = 2_000;

/** Share of an answer that what was saved may take. */
const SHARE = 0.3;

export interface AnswerParts {
  operation: AnsweredOperation;
  account: string;
  result: Pick<CallResult, 'owner'>;
  /** The answer as it may be shown but for its documents. */
  whole: unknown;
  /** Where its documents are to be saved. */
  saveAs: string | undefined;
}

export interface ShownAnswer {
  /** The answer with words in the place of its documents. */
  whole: unknown;
  /** These words: ours, and so not searched for personal data. */
  words: ReadonlySet<string>;
  /** False where it is the answer as it came. */
  hasDocuments: boolean;
  /** What was saved, to stand before the values. */
  lines: string[];
  facts: Readonly<Record<string, unknown>>;
  links: ResourceLink[];
}

/**
 * @throws for a read only: InputError where the answer holds no document; what kept all of them from being saved.
 * A write has happened by now: of it, all that is told.
 */
export async function showDocuments(parts: AnswerParts, ctx: ReadingContext): Promise<ShownAnswer> {
  const { operation, whole, saveAs } = parts;
  const { isMasking } = await ctx.session.personal();
  const found = await findDocuments(operation, whole, !isMasking);
  const outcomes =
    saveAs === undefined ? undefined : await saveFound(found.documents, { ...parts, saveAs }, ctx);
  return placeDocuments(found, outcomes, operation, ctx.session);
}

/** @param outcomes of each document, in their order; undefined where none was to be saved */
export function placeDocuments(
  found: FoundDocuments,
  outcomes: readonly SaveOutcome[] | undefined,
  operation: AnsweredOperation,
  session: Pick<AnswerServices, 'settings'>,
): ShownAnswer {
  const words = found.documents.map((document, at) => placeWords(operation, document, outcomes?.[at]));
  const shown = {
    whole: found.withWords((_document, at) => words[at] ?? ''),
    words: new Set(words),
    hasDocuments: found.documents.length > 0,
  };
  if (outcomes === undefined) return { ...shown, lines: [], facts: {}, links: [] };
  if (found.documents.length === 0) return { ...shown, ...noDocument(operation) };
  const { answerTokens } = session.settings();
  const options = { operation, personal: mayBePersonal(operation), maxTokens: answerTokens * SHARE };
  return { ...shown, ...savedWords(outcomes, options) };
}

/** @throws as `showDocuments` */
export async function saveFound(
  documents: readonly FoundDocument[],
  { operation, account, result, saveAs: name }: Omit<AnswerParts, 'whole' | 'saveAs'> & { saveAs: string },
  { session, call, tell }: ReadingContext,
): Promise<SaveOutcome[]> {
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
}

function withoutDocument({ name }: AnsweredOperation): InputError {
  return new InputError(
    `${name} was called, but its answer holds no document; nothing was saved.`,
    'Leave save_as out to see the answer. What is still being made comes with a later call.',
  );
}

/** Of a write: what it did stands before this. */
function noDocument(operation: AnsweredOperation) {
  const words = `Nothing was saved: the answer of ${operation.name} holds no document.`;
  return { lines: [words], facts: { saved: [], not_saved: words }, links: [] };
}
