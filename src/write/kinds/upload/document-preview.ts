/** What a person is told of a document before it goes out, and the same for the assistant. */

import { escapeText } from '../../../base/text/escape-text.ts';
import { placesWords } from '../../ask/words/subject.ts';
import type { DocumentContent } from './describe-document.ts';
import type { LoadedDocument } from './load-document.ts';

export interface DocumentPreview {
  /** `Feed JSON_LISTINGS_FEED`. */
  head: string;
  /** Ids of marketplaces. */
  places: readonly string[];
  content: DocumentContent;
  /** Where it is from, its size and type. */
  line: string;
  /** What is in it is for the person alone. */
  isHidden: boolean;
  /** What is done with it. */
  next: string;
}

/** @param isClear for the person */
export function documentWords(
  { head, places, content, line, isHidden, next }: DocumentPreview,
  isClear: boolean,
): string {
  const where = placesWords(places);
  const lines = content.lines(isClear);
  return [
    `${escapeText(head)}${where === '' ? '' : `, ${where}`}${content.count === '' ? '' : `: ${content.count}`}.`,
    ...lines.map((one) => `  ${one}`),
    ...(isHidden && !isClear && lines.length === 0 ? ['  What is in it is shown to the person alone.'] : []),
    ...content.remarks,
    `Document: ${line}.`,
    next,
  ].join('\n');
}

/** For hosts that show the model no text. */
export function documentFacts(
  { content, line, places }: DocumentPreview,
  { document, name }: LoadedDocument,
) {
  const lines = content.lines(false);
  return {
    ...(name === undefined ? {} : { file: escapeText(name) }),
    bytes: document.bytes,
    content_type: document.contentType,
    sha256: document.sha256,
    ...(content.count === '' ? {} : { content: content.count }),
    ...(places.length === 0 ? {} : { where: placesWords(places) }),
    ...(lines.length === 0 ? {} : { first: lines }),
    ...(content.remarks.length === 0 ? {} : { remarks: content.remarks }),
    summary: line,
  };
}
