/**
 * Describes the outcome of saving documents, in both forms: full paths, sizes and kinds, and the documents
 * that failed.
 */

import { dirname } from 'node:path';
import { escapeText } from '../../base/text/escape-text.ts';
import { shortenToCharacters, takeLines, takeValues, tokensOf } from '../../base/text/shorten.ts';
import { formatSize } from '../../base/text/size.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { errorMessageOf } from '../error-result.ts';
import type { ResourceLink } from '../tool-answer.ts';
import { canBeSaved, describeDocument, formatDocumentKind, REAL_VALUES } from './describe-document.ts';
import { operationToReadAgain } from './document-members.ts';
import type { FoundDocument } from './find-documents.ts';
import { type FailedDocument, isSaved, type SavedDocument, type SaveOutcome } from './save-documents.ts';

/** The limit of links beside an answer, and the tokens that each costs. */
const MAX_LINKS = 5;
const LINK_TOKENS = 60;

/** The limits in characters of a path in the answer, and of a reason. */
const MAX_PATH = 150;
const MAX_REASON = 300;

export interface SavedDocumentsText {
  lines: string[];
  facts: Readonly<Record<string, unknown>>;
  links: ResourceLink[];
}

/** Returns the text that replaces a document in the answer. */
export function documentPlaceholder(
  operation: Operation,
  document: FoundDocument,
  outcome?: SaveOutcome,
): string {
  if (outcome === undefined) {
    return `${describeDocument(document)}; ${canBeSaved(document) ? describeSaving(operation) : 'it cannot be saved'}`;
  }
  if (!isSaved(outcome)) return `${describeDocument(document)}; not saved`;
  const { file, kind } = outcome;
  return `${formatDocumentKind(kind.name, document.subject)}, ${formatSize(file.bytes)}; saved as ${file.name}`;
}

/** A write must not be repeated only for its documents. */
function describeSaving(operation: Operation): string {
  if (operation.effect === 'read' || operation.effect === 'request') return 'save_as saves it';
  const again = operationToReadAgain(operation);
  return again === undefined ? 'not saved' : `read_operation ${again} with save_as saves it`;
}

/** @param maxTokens for the lines, and for the facts */
export function describeSavedDocuments(
  outcomes: readonly SaveOutcome[],
  { operation, personal, maxTokens }: { operation: Operation; personal: boolean; maxTokens: number },
): SavedDocumentsText {
  const saved = outcomes.filter(isSaved);
  const failed = outcomes.flatMap((outcome) => (isSaved(outcome) ? [] : [outcome]));
  const real = personal && saved.length > 0 ? [REAL_VALUES] : [];
  const head = headLine(saved, outcomes.length);
  const next = failed.length === 0 ? [] : nextSteps(operation);
  const rest = maxTokens - tokensOf([head, ...real, ...next].join('\n'));
  const one = saved.length === 1;
  const all = [
    ...failed.map(({ document, error }) => `NOT SAVED: ${locationOf(document)}: ${formatReason(error)}`),
    ...(one
      ? []
      : saved.map(
          (each) =>
            `${escapeText(each.file.name)} (${describeSaved(each)}) from ${locationOf(each.document)}`,
        )),
  ];
  const lines = takeLines(all, rest, (missing) => `... and ${missing} more`);
  return {
    lines: [head, ...real, ...lines, ...next],
    facts: {
      saved: takeWithin(saved.map(savedFact), maxTokens / 2),
      ...(saved.length > 1 ? { saved_files: saved.length } : {}),
      ...(real.length > 0 ? { real_values: REAL_VALUES } : {}),
      ...(failed.length === 0
        ? {}
        : {
            not_saved: takeWithin(failed.map(failedFact), maxTokens / 4),
            ...(next[0] ? { save_next: next[0] } : {}),
          }),
    },
    links: saved
      .slice(0, Math.min(MAX_LINKS, Math.ceil(maxTokens / 4 / LINK_TOKENS)))
      .map(({ file, kind }) => ({
        uri: file.uri,
        name: file.name,
        mimeType: kind.mimeType,
      })),
  };
}

function headLine(saved: readonly SavedDocument[], count: number): string {
  const [first] = saved;
  if (first === undefined) return 'Nothing was saved.';
  if (saved.length === 1) {
    const of = count > 1 ? `1 of ${count} documents: ` : '';
    return `Saved ${of}${escapeText(first.file.path)} (${describeSaved(first)}${count > 1 ? `, from ${locationOf(first.document)}` : ''})`;
  }
  const number = saved.length === count ? `${count}` : `${saved.length} of ${count}`;
  return `Saved ${number} documents in ${escapeText(dirname(first.file.path))}:`;
}

function nextSteps(operation: Operation): string[] {
  if (operation.effect === 'read' || operation.effect === 'request')
    return ['Call again with save_as for what is missing; addresses of documents end after minutes.'];
  const again = operationToReadAgain(operation);
  return [
    again === undefined
      ? 'Do not repeat the write for that: find an operation that reads its documents, and give it save_as.'
      : `Do not repeat the write for that: read_operation ${again} with save_as saves what is missing.`,
  ];
}

const describeSaved = ({ document, kind, file }: SavedDocument) =>
  `${formatDocumentKind(kind.name, document.subject)}, ${formatSize(file.bytes)}`;

const locationOf = ({ at }: FoundDocument) => shortenToCharacters(escapeText(at), MAX_PATH);

/** Returns a text of our own, in which text of the service is delimited. */
const formatReason = (error: unknown) => shortenToCharacters(escapeText(errorMessageOf(error)), MAX_REASON);

const savedFact = ({ document, file, kind }: SavedDocument) => ({
  path: escapeText(file.path),
  kind: formatDocumentKind(kind.name, document.subject),
  bytes: file.bytes,
  at: locationOf(document),
  uri: file.uri,
});

const failedFact = ({ document, error }: FailedDocument) => ({
  at: locationOf(document),
  reason: formatReason(error),
});

/** Returns as many as fit into so many tokens, but at least one. */
function takeWithin<T>(values: readonly T[], maxTokens: number): T[] {
  const taken = takeValues(values, maxTokens);
  return taken.length === 0 ? values.slice(0, 1) : taken;
}
