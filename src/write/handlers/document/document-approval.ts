/**
 * Shows a write with a document and requests its approval: the approval covers exactly the document and
 * request that the user reads.
 */

import { identityOf } from '../../../accounts/owner.ts';
import { InputError } from '../../../base/errors.ts';
import { thisComputer } from '../../../base/invocation.ts';
import { escapeText, quoteText } from '../../../base/text/escape-text.ts';
import { count } from '../../../base/text/format-value.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import { buildPreview } from '../../approval/write-preview.ts';
import { withNotice } from '../../approval/write-question.ts';
import { formatMarketplaceIds } from '../../model/format/subject.ts';
import type { PreparedWrite } from '../../model/write-view.ts';
import type { ServiceArguments } from '../../plan/resolve-arguments.ts';
import type { WriteAnswerParts } from '../../render/render-write.ts';
import { buildWriteAnswer } from '../../render/write-answer.ts';
import type { ToolContext, WriteFlags } from '../../session.ts';
import type { ApprovalRequest } from '../../write-guard.ts';
import { type DescribedDocument, documentLine } from './describe-document.ts';
import type { DocumentArgument } from './document-argument.ts';
import type { LoadedDocument } from './load-document.ts';

/** A write with a document, as a call requests it. */
export interface OutgoingWrite extends WriteFlags {
  operation: Operation;
  account: string;
  asked: ServiceArguments;
  document: DocumentArgument;
}

interface DocumentApprovalParts extends Pick<DocumentPreview, 'head' | 'places' | 'content' | 'next'> {
  wanted: OutgoingWrite;
  write: PreparedWrite;
  loaded: LoadedDocument;
  /** The request's body, with a digest of the document in it. */
  body: unknown;
}

/**
 * @returns the approval request, and a function that builds answers; both forms of an answer identify the
 * document
 */
export async function buildDocumentApproval(
  { wanted, write, loaded, body, ...description }: DocumentApprovalParts,
  ctx: ToolContext,
) {
  const { session, person } = ctx;
  const { operation, account, confirmationCode } = wanted;
  const { input, request } = write;
  const shown = loaded.isPrivate ? hideDigest(write.shown, loaded) : write.shown;
  const { parameters, body: shownBody } = shown.request;
  const replaced = [...write.replaced, ...loaded.replaced];
  const built = await buildPreview({ ...write, shown, replaced }, {}, session);
  const saved = await saveDocument(wanted, loaded, ctx);
  const preview: DocumentPreview = { ...description, loaded, saved };
  const isMarked = write.marked !== undefined || loaded.replaced.length > 0 || loaded.isPersonal;
  const approval: ApprovalRequest = {
    content: {
      account,
      operation: operation.id,
      body,
      parameters: { ...input.parameters, ...request.filledIn },
      identity: identityOf(request.owner),
    },
    preview: documentText(preview, { text: built.question, isCut: built.isCut.question, isForPerson: true }),
    person,
    confirmationCode,
    marked: isMarked ? { parameters, body: shownBody } : undefined,
    ...rowsOf(preview, built.question, ctx),
  };
  const facts = { document: documentFacts(preview) };
  const text = documentText(preview, { text: built.text, isCut: built.isCut.text, isForPerson: false });
  return {
    approval,
    facts,
    async tell(result: WriteAnswerParts['result']) {
      const parts = { account, operation, preview: text, result, ...shown };
      const answer = await buildWriteAnswer(parts, session);
      return { ...answer, structured: { ...answer.structured, ...facts } };
    },
  };
}

/** Saves the document unchanged where the user asked for a copy, but not again after the approval. */
async function saveDocument(
  { saveAs, confirmationCode }: OutgoingWrite,
  { document, isPrivate }: LoadedDocument,
  { session, person }: ToolContext,
): Promise<string | undefined> {
  if (saveAs !== undefined && isPrivate) throw new InputError(...PRIVATE_COPY);
  const isAnswered = confirmationCode !== undefined || person.answer('confirm') !== undefined;
  if (saveAs === undefined || isAnswered) return undefined;
  const files = await session.files();
  return (await files.save(saveAs, document.read(), { personal: false, bytes: document.bytes })).path;
}

/** No copy is saved, because its size would reveal the length of a masked value. */
const PRIVATE_COPY = [
  'The document holds personal data, and no copy of it is saved; nothing was sent.',
  'Leave save_as out: the person sees the real values in the question.',
] as const;

// The functions below describe a document for the user before it is sent, and for the assistant.

interface DocumentPreview {
  /** `Feed JSON_LISTINGS_FEED`. */
  head: string;
  /** The ids of marketplaces. */
  places: readonly string[];
  content: DescribedDocument;
  /** A sentence that says what happens with the document. */
  next: string;
  loaded: LoadedDocument;
  /** The path of a file with the same content. */
  saved: string | undefined;
}

const NOT_COMPARED = 'What is there now is not compared with it; change_listings shows the values before.';

/** Renders the lines around the items. */
function partsOf({ head, places, content, next, loaded, saved }: DocumentPreview, isForPerson: boolean) {
  const { count, warnings, totals } = isForPerson ? content.forPerson : content.forAssistant;
  const where = formatMarketplaceIds(places);
  const isHidden = loaded.shown === undefined && !isForPerson;
  return {
    head: `${escapeText(head)}${where === '' ? '' : `, ${where}`}${count === '' ? '' : `: ${count}`}.`,
    warnings,
    rest: [
      ...totals,
      ...(isHidden ? ['  What is in it is shown to the person alone.'] : []),
      ...(content.sellerId === undefined ? [] : [NOT_COMPARED]),
      `Document: ${documentLine(loaded, isForPerson)}.`,
      ...(saved === undefined ? [] : [`It is saved on ${thisComputer()}: ${escapeText(saved)}`]),
      next,
    ],
  };
}

/** Returns where the user can see the whole document. */
function describeFullCopy({ loaded: { source, name, isPrivate }, saved }: DocumentPreview): string {
  if (saved !== undefined) return escapeText(saved);
  if (source !== 'file' && isPrivate) return 'say no and ask for several smaller documents';
  return source === 'file'
    ? `${quoteText(name ?? '')} in the files folder`
    : 'say no and ask for the document as a file (save_as)';
}

/** @param request the text of the request; `isCut` means that its first line says that something is cut */
function documentText(
  preview: DocumentPreview,
  { text, isCut, isForPerson }: { text: string; isCut: boolean; isForPerson: boolean },
): string {
  const { head, warnings, rest } = partsOf(preview, isForPerson);
  const { lines, notShown } = isForPerson ? preview.content.forPerson : preview.content.forAssistant;
  const total = isForPerson ? preview.content.total : preview.content.shownTotal;
  const [first = '', ...others] = text.split('\n');
  const notice = notShown === 0 ? undefined : `SUMMED UP OR CUT HERE: ${formatNotice(notShown, total)}`;
  const all = [head, ...warnings, ...lines.map((one) => `  ${one}`), ...rest];
  return withNotice(
    isCut ? [first, ...all, ...others] : [...all, ...text.split('\n')],
    notice,
  )(describeFullCopy(preview));
}

const formatNotice = (notShown: number, total: number) =>
  total === 0 ? 'WHAT THE DOCUMENT HOLDS' : `${count(notShown)} OF ${count(total)}`;

/** Returns every item as a row of the page; none can be taken out of a document. */
function rowsOf(
  preview: DocumentPreview,
  question: string,
  { session, call }: ToolContext,
): Pick<ApprovalRequest, 'rows'> {
  const { content, loaded } = preview;
  const { total, shownTotal, forPerson, read } = content;
  if (total === 0 || (total === 1 && forPerson.notShown === 0)) return {};
  const { head, warnings, rest } = partsOf(preview, true);
  return {
    rows: {
      // The assistant gets this number too, so it must not depend on masked values.
      total: shownTotal,
      isWhole: true,
      head,
      around: [...warnings, ...rest, ...question.split('\n')],
      async rows() {
        const threads = await session.contentThreads();
        // The user reads the page after the call that opened it, so the rows have a deadline of their own.
        const within = { signal: new AbortController().signal, deadline: performance.now() + PAGE_MS };
        return threads.pageRows(loaded.bytes, read, describeFullCopy(preview), { ...call, ...within });
      },
      renew: () => undefined,
    },
  };
}

/** The rows of a page are read within this time. */
const PAGE_MS = 120_000;

/** Returns the structured members, for hosts that show the model no text. */
function documentFacts(preview: DocumentPreview) {
  const { content, places, loaded } = preview;
  const { document, name } = loaded;
  const { count, lines, warnings, totals } = content.forAssistant;
  const remarks = [...warnings, ...totals, ...(content.sellerId === undefined ? [] : [NOT_COMPARED])];
  return {
    ...(name === undefined ? {} : { file: escapeText(name) }),
    content_type: document.contentType,
    ...(count === '' ? {} : { content: count }),
    ...(places.length === 0 ? {} : { where: formatMarketplaceIds(places) }),
    ...(lines.length === 0 ? {} : { first: lines }),
    ...(remarks.length === 0 ? {} : { remarks }),
    summary: documentLine(loaded, false),
  };
}

const HIDDEN = 'hidden';

/** Removes the document's digest from the request, because a masked value could be guessed with it. */
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
