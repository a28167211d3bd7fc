/** A write with a document, shown and asked about: what the person reads, and exactly which document and request a yes is good for. */

import { identityOf } from '../../../accounts/owner.ts';
import { escapeText } from '../../../base/text/escape-text.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import type { WriteAnswerParts } from '../../answer/tell-write.ts';
import { buildWriteAnswer } from '../../answer/write-answer.ts';
import { buildPreview } from '../../ask/write-preview.ts';
import { placesWords } from '../../model/words/subject.ts';
import type { PreparedWrite } from '../../model/write-view.ts';
import type { ServiceArguments } from '../../plan/resolve-arguments.ts';
import type { HowToWrite, ToolContext } from '../../session.ts';
import type { Act } from '../../write-guard.ts';
import { type DocumentContent, documentLine } from './describe-document.ts';
import type { DocumentArgument } from './document-argument.ts';
import type { LoadedDocument } from './load-document.ts';

/** A write with a document, as a call asks for it. */
export interface OutgoingWrite extends HowToWrite {
  operation: Operation;
  account: string;
  asked: ServiceArguments;
  document: DocumentArgument;
}

interface AskedDocument extends Pick<DocumentPreview, 'head' | 'places' | 'content' | 'next'> {
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
  const { input, request } = write;
  const shown = loaded.isPrivate ? hideDigest(write.shown, loaded) : write.shown;
  const { parameters, body: shownBody } = shown.request;
  const replaced = [...write.replaced, ...loaded.replaced];
  const built = await buildPreview({ ...write, shown, replaced }, {}, session);
  const isMarked = write.marked !== undefined || loaded.replaced.length > 0 || loaded.isPersonal;
  const act: Act = {
    content: {
      account,
      operation: operation.id,
      body,
      parameters: { ...input.parameters, ...request.filledIn },
      identity: identityOf(request.owner),
    },
    preview: `${documentWords(words, loaded, true)}\n${built.question}`,
    person,
    confirmationCode,
    marked: isMarked ? { parameters, body: shownBody } : undefined,
  };
  const facts = { document: documentFacts(words, loaded) };
  const text = `${documentWords(words, loaded, false)}\n${built.text}`;
  return {
    act,
    facts,
    async tell(result: WriteAnswerParts['result']) {
      const parts = { account, operation, preview: text, result, ...shown };
      const answer = await buildWriteAnswer(parts, session);
      return { ...answer, structured: { ...answer.structured, ...facts } };
    },
  };
}

// What a person is told of a document before it goes out, and the same for the assistant.

interface DocumentPreview {
  /** `Feed JSON_LISTINGS_FEED`. */
  head: string;
  /** Ids of marketplaces. */
  places: readonly string[];
  content: DocumentContent;
  /** What is done with it. */
  next: string;
}

/** @param isClear for the person */
function documentWords(
  { head, places, content, next }: DocumentPreview,
  loaded: LoadedDocument,
  isClear: boolean,
): string {
  const where = placesWords(places);
  const { count, lines, remarks } = isClear ? content.forPerson : content.forAssistant;
  return [
    `${escapeText(head)}${where === '' ? '' : `, ${where}`}${count === '' ? '' : `: ${count}`}.`,
    ...lines.map((one) => `  ${one}`),
    ...(loaded.shown === undefined && !isClear ? ['  What is in it is shown to the person alone.'] : []),
    ...remarks,
    `Document: ${documentLine(loaded, isClear)}.`,
    next,
  ].join('\n');
}

/** For hosts that show the model no text. */
function documentFacts(
  { content, places }: Pick<DocumentPreview, 'content' | 'places'>,
  loaded: LoadedDocument,
) {
  const { document, name } = loaded;
  const { count, lines, remarks } = content.forAssistant;
  return {
    ...(name === undefined ? {} : { file: escapeText(name) }),
    content_type: document.contentType,
    ...(count === '' ? {} : { content: count }),
    ...(places.length === 0 ? {} : { where: placesWords(places) }),
    ...(lines.length === 0 ? {} : { first: lines }),
    ...(remarks.length === 0 ? {} : { remarks }),
    summary: documentLine(loaded, false),
  };
}

const HIDDEN = 'hidden';

/** The request without the digest of the document, from which a masked value could be found by trying. */
function hideDigest(
  { request, change }: PreparedWrite['shown'],
  { document: { md5 } }: LoadedDocument,
): PreparedWrite['shown'] {
  const { parameters, url } = request;
  return {
    change,
    request: {
      ...request,
      url: url.replaceAll(encodeURIComponent(md5), HIDDEN),
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, value]) => [name, value === md5 ? HIDDEN : value]),
      ),
    },
  };
}
