/** A write with a document, shown and asked about: what the person reads, and exactly which document and request a yes is good for. */

import { identityOf } from '../../../accounts/owner.ts';
import { buildWriteAnswer, type WriteAnswerParts } from '../../answer/write-answer.ts';
import type { Act } from '../../ask/write-guard.ts';
import { buildPreview } from '../../ask/write-preview.ts';
import type { PreparedWrite } from '../../plan/prepare-write.ts';
import type { ToolContext } from '../../session.ts';
import type { OutgoingWrite } from '../feed/write-feed.ts';
import { documentLine } from './describe-document.ts';
import { type DocumentPreview, documentFacts, documentWords } from './document-preview.ts';
import type { LoadedDocument } from './load-document.ts';

export interface AskedDocument extends Pick<DocumentPreview, 'head' | 'places' | 'content' | 'next'> {
  wanted: OutgoingWrite;
  write: PreparedWrite;
  loaded: LoadedDocument;
  /** What is sent, with a digest of the document in it. */
  body: unknown;
}

/** @returns what takes the yes, and the answers about it: each says in both forms which document it is */
export async function askDocument(
  { wanted, write, loaded, body, ...words }: AskedDocument,
  { session, person }: ToolContext,
) {
  const { operation, account, confirmationCode } = wanted;
  const { input, request, change, shown } = write;
  const { parameters, body: shownBody } = shown.request;
  const preview = { ...words, line: documentLine(loaded), isHidden: loaded.shown === undefined };
  const built = await buildPreview({ operation, account, parameters, ...shown }, session, {
    parts: { operation, account, parameters: input.parameters, request, change },
    replaced: [...write.replaced, ...loaded.replaced],
  });
  const isMarked = write.marked !== undefined || loaded.replaced.length > 0 || loaded.isPersonal;
  const act: Act = {
    content: {
      account,
      operation: operation.id,
      body,
      parameters: { ...input.parameters, ...request.filledIn },
      identity: identityOf(request.owner),
    },
    preview: `${documentWords(preview, true)}\n${built.question}`,
    person,
    confirmationCode,
    marked: isMarked ? { parameters, body: shownBody } : undefined,
  };
  const facts = { document: documentFacts(preview, loaded) };
  const text = `${documentWords(preview, false)}\n${built.text}`;
  return {
    act,
    facts,
    async tell(result: WriteAnswerParts['result'], look?: WriteAnswerParts['look']) {
      const parts = { account, operation, preview: text, result, look, ...shown };
      const answer = await buildWriteAnswer(parts, session);
      return { ...answer, structured: { ...answer.structured, ...facts } };
    },
  };
}
