/** A place for a document, and the document in it: for A+ content, or a feed that is created later; its id is the answer. */

import * as z from 'zod';
import { InputError, NetworkError } from '../../errors.ts';
import { isJsonObject } from '../../json.ts';
import { showText, VALUES_NOTE } from '../../text/escape-text.ts';
import type { ToolAnswer } from '../define-tool.ts';
import { prepareWrite } from '../prepare-write.ts';
import type { ServiceArguments } from '../resolve-arguments.ts';
import type { ToolContext } from '../session.ts';
import { buildWriteAnswer, type WriteStructured } from '../write-answer.ts';
import { buildPreview } from '../write-preview.ts';
import { describeContent, documentLine } from './describe-document.ts';
import { type DocumentPreview, documentFacts, documentWords } from './document-preview.ts';
import { actOn } from './document-yes.ts';
import { type LoadedDocument, loadDocument } from './load-document.ts';
import type { OutgoingWrite } from './write-feed.ts';

const FEED_DOCUMENT = 'feeds/createFeedDocument';

/** @throws AppError; AskPerson while the person is asked */
export async function writeUpload(
  wanted: OutgoingWrite,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const { session, person } = ctx;
  const { operation, account, dryRun } = wanted;
  const loaded = await loadDocument(wanted.document, { account }, ctx);
  const asked =
    operation.id === FEED_DOCUMENT ? feedDocument(wanted, loaded) : destination(wanted.asked, loaded);
  const write = await prepareWrite({ operation, account, asked, isAsked: true }, ctx);
  const preview: DocumentPreview = {
    head: 'Upload',
    places: [],
    content: describeContent(loaded, undefined),
    line: documentLine(loaded),
    isHidden: loaded.shown === undefined,
    next: 'It is uploaded to a place of its own; nothing else is done with it.',
  };
  const { input, request, change, shown } = write;
  const built = await buildPreview(
    { operation, account, parameters: shown.request.parameters, ...shown },
    session,
    {
      parts: { operation, account, parameters: input.parameters, request, change },
      replaced: [...write.replaced, ...loaded.replaced],
    },
  );
  const told = (result: { outcome: 'preview' } | { outcome: 'needs_confirmation'; code: string }) =>
    buildWriteAnswer(
      { account, operation, preview: `${documentWords(preview, false)}\n${built.text}`, result, ...shown },
      session,
    );
  const facts = { document: documentFacts(preview, loaded) };
  if (dryRun) {
    const answer = await told({ outcome: 'preview' });
    return { ...answer, structured: { ...answer.structured, ...facts } };
  }
  const sent = isJsonObject(input.body) ? input.body : {};
  const body = { ...sent, document: loaded.document.sha256 };
  const act = actOn({ wanted, write, loaded, preview, built, body, person });
  const acted = await (await session.writes()).act(act, () => upload(write, loaded, ctx));
  if (acted.outcome === 'needs_confirmation') {
    const answer = await told(acted);
    return { ...answer, structured: { ...answer.structured, ...facts } };
  }
  const { result: id, journalId } = acted;
  const member = operation.id === FEED_DOCUMENT ? 'feedDocumentId' : 'uploadDestinationId';
  const next =
    operation.id === FEED_DOCUMENT
      ? 'createFeed takes it as inputFeedDocumentId.'
      : 'A content document or message takes it by this id.';
  return {
    text: [
      VALUES_NOTE,
      `Uploaded: ${documentLine(loaded)}. ${member}: ${showText(id, 300)}. ${next}`,
      `Journal entry ${journalId}.`,
    ].join('\n'),
    structured: {
      note: VALUES_NOTE,
      outcome: 'done',
      account,
      operation: operation.id,
      [member]: id,
      next_step: next,
      journal_id: journalId,
      ...facts,
    },
    links: [],
  };
}

function feedDocument({ asked }: OutgoingWrite, { document }: LoadedDocument): ServiceArguments {
  return { ...asked, body: { contentType: document.contentType } };
}

/** @throws InputError for a resource that nobody uploads to by itself */
function destination(
  { parameters = {}, body }: ServiceArguments,
  { document }: LoadedDocument,
): ServiceArguments {
  if (body !== undefined)
    throw new InputError(
      'createUploadDestinationForResource takes no body; nothing was sent.',
      'Give parameters and document.',
    );
  return {
    parameters: { ...parameters, contentMD5: document.md5, contentType: document.contentType },
  };
}

const placeSchema = z.union([
  z
    .looseObject({ feedDocumentId: z.string().min(1), url: z.string().min(1) })
    .transform(({ feedDocumentId: id, url }) => ({ id, url, headers: {} })),
  z
    .looseObject({
      payload: z.looseObject({
        uploadDestinationId: z.string().min(1),
        url: z.string().min(1),
        headers: z.record(z.string(), z.string()).optional().catch(undefined),
      }),
    })
    .transform(({ payload: { uploadDestinationId: id, url, headers = {} } }) => ({ id, url, headers })),
]);

/** Gives the id of the place. @throws the client's errors, and those of `Uploads.upload` */
export async function upload(
  { input, request }: Pick<Awaited<ReturnType<typeof prepareWrite>>, 'input' | 'request'>,
  { document }: LoadedDocument,
  { session, call }: ToolContext,
): Promise<string> {
  const client = await session.client();
  const { body } = await client.call({ ...input, owner: request.owner }, call);
  const place = placeSchema.safeParse(body);
  if (!place.success) {
    throw new NetworkError(
      'NO_ADDRESS',
      'not-sent',
      `${input.operation.name} answered without an address for the upload; nothing was sent.`,
      'Call again in a minute.',
    );
  }
  const { id, url, headers } = place.data;
  const uploads = await session.uploads();
  await uploads.upload(url, document, { givenBy: request.owner.baseUrl, headers, signal: call.signal });
  return id;
}
