/** Runs the operations that take a document, each with its own steps. */

import * as z from 'zod';
import { InputError } from '../../../base/errors.ts';
import { isJsonObject, toObject } from '../../../base/json.ts';
import { showText, VALUES_NOTE } from '../../../base/text/escape-text.ts';
import type { ToolAnswer } from '../../../render/tool-answer.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import { own } from '../../../service/facts/schema-parts.ts';
import { toShownOutcome, type WriteStructured } from '../../model/outcome.ts';
import { prepareWrite } from '../../plan/prepare-write.ts';
import type { ServiceArguments } from '../../plan/resolve-arguments.ts';
import { sendThroughGuard } from '../../run/send-prepared-write.ts';
import type { ToolContext } from '../../session.ts';
import { missingInAnswer, NO_UPLOAD_ADDRESS } from '../feed/feed-parts.ts';
import { writeFeed } from '../feed/write-feed.ts';
import { describeDocument, documentLine } from './describe-document.ts';
import { buildDocumentApproval, type OutgoingWrite } from './document-approval.ts';
import { type LoadedDocument, loadDocument } from './load-document.ts';

// The functions below create an upload address and upload the document to it, for A+ content or for a feed
// that is created later. The answer is its id.

const FEED_DOCUMENT = 'feeds/createFeedDocument';

/** @throws AppError; AskPerson while the user's approval is requested */
async function writeUpload(wanted: OutgoingWrite, ctx: ToolContext): Promise<ToolAnswer<WriteStructured>> {
  const { operation, account, dryRun } = wanted;
  const loaded = await loadDocument(wanted.document, { account }, ctx);
  const asked =
    operation.id === FEED_DOCUMENT ? feedDocument(wanted, loaded) : destination(wanted.asked, loaded);
  const write = await prepareWrite({ operation, account, asked, isAsked: true }, ctx);
  const sent = toObject(write.input.body);
  const body = { ...sent, document: loaded.document.sha256 };
  const parts = {
    head: 'Upload',
    places: [],
    content: await describeDocument(loaded, {}, ctx),
    next: 'It is uploaded to a place of its own; nothing else is done with it.',
  };
  const { approval, facts, tell } = await buildDocumentApproval(
    { wanted, write, loaded, body, ...parts },
    ctx,
  );
  if (dryRun) return tell(toShownOutcome(undefined));
  const guard = await ctx.session.writeGuard();
  const approved = await guard.runApproved(approval, () => upload(write, loaded, ctx));
  if (approved.outcome === 'needs_confirmation') return tell(approved);
  const { result: id, journalId, journalProblem: problem } = approved;
  const member = operation.id === FEED_DOCUMENT ? 'feedDocumentId' : 'uploadDestinationId';
  const next =
    operation.id === FEED_DOCUMENT
      ? 'createFeed takes it as inputFeedDocumentId.'
      : 'A content document or message takes it by this id.';
  return {
    text: [
      VALUES_NOTE,
      `Uploaded: ${documentLine(loaded, false)}. ${member}: ${showText(id, 300)}. ${next}`,
      `Journal entry ${journalId}.${problem === undefined ? '' : ` ${problem}`}`,
    ].join('\n'),
    structured: {
      note: VALUES_NOTE,
      outcome: 'done',
      account,
      operation: operation.id,
      [member]: id,
      next_step: next,
      journal_id: journalId,
      ...(problem === undefined ? {} : { journal_problem: problem }),
      ...facts,
    },
    links: [],
  };
}

function feedDocument({ asked }: OutgoingWrite, { document }: LoadedDocument): ServiceArguments {
  return { ...asked, body: { contentType: document.contentType } };
}

/** @throws InputError for a call with a body */
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

const uploadSlotSchema = z.union([
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

/** Returns the id of the uploaded document. @throws the client's errors, and those of `Uploads.upload` */
async function upload(
  { input, request }: Pick<Awaited<ReturnType<typeof prepareWrite>>, 'input' | 'request'>,
  { document }: LoadedDocument,
  { session, call }: ToolContext,
): Promise<string> {
  const client = await session.client();
  const { body } = await client.call({ ...input, owner: request.owner }, call);
  const slot = uploadSlotSchema.safeParse(body);
  if (!slot.success) {
    throw missingInAnswer(input.operation.name, NO_UPLOAD_ADDRESS);
  }
  const { id, url, headers } = slot.data;
  const uploads = await session.uploads();
  await uploads.upload(url, document, { givenBy: request.owner.baseUrl, headers, signal: call.signal });
  return id;
}

/** The functions for operations with a document, except messages. */
const WRITERS: Readonly<Record<string, typeof writeFeed>> = {
  'feeds/createFeed': writeFeed,
  'feeds/createFeedDocument': writeUpload,
  'uploads/createUploadDestinationForResource': writeUpload,
};

/** @throws InputError for an operation that takes no document; what the operation's function throws */
export async function writeDocument(
  wanted: OutgoingWrite,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const { operation, stop } = wanted;
  const writer = Object.hasOwn(WRITERS, operation.id) ? WRITERS[operation.id] : undefined;
  if (stop === true && writer !== writeFeed) {
    throw new InputError('"stop" ends the following of a feed, or a list of calls.', 'Leave it out.');
  }
  if (writer !== undefined) return writer(wanted, ctx);
  if (takesAttachments(operation)) return writeAttachment(wanted, ctx);
  throw new InputError(
    `${operation.id} takes no document; nothing was sent.`,
    'document goes with createFeed, createFeedDocument, createUploadDestinationForResource, and messages with attachments.',
  );
}

/** @throws InputError for arguments about an answer, because a call with a document has none */
export function refuseBesideDocument(others: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(others).filter((name) => others[name] !== undefined);
  if (names.length === 0) return;
  throw new InputError(
    `document and ${names.join(', ')} were both given; nothing was sent.`,
    'What becomes of each message is told, and stands in a table for query_data.',
  );
}

// The functions below send a message with a file to a buyer. The file is uploaded for this message, which is
// then sent with its id.

/** The id in the request until the file is uploaded. */
const PENDING_UPLOAD_ID = 'id-of-the-uploaded-file';

/** Returns true for a message that takes attachments. */
function takesAttachments({ id, body, defs }: Operation): boolean {
  if (!id.startsWith('messaging/') || body === undefined) return false;
  const name = body.schema.$ref?.replace('#/$defs/', '');
  const schema = name === undefined ? body.schema : own(defs ?? {}, name);
  return schema?.properties !== undefined && Object.hasOwn(schema.properties, 'attachments');
}

/** @throws AppError; AskPerson while the user's approval is requested */
async function writeAttachment(
  wanted: OutgoingWrite,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const { session, call } = ctx;
  const { operation, account, asked, dryRun } = wanted;
  const loaded = await loadDocument(wanted.document, { account }, ctx);
  const attachment = { uploadDestinationId: PENDING_UPLOAD_ID, fileName: nameOf(loaded) };
  const write = await prepareWrite(
    { operation, account, asked: { ...asked, body: withAttachment(asked.body, attachment) } },
    ctx,
  );
  const { input, request, view } = write;
  const parts = {
    head: `Attachment "${attachment.fileName}"`,
    places: [],
    content: await describeDocument(loaded, {}, ctx),
    next: 'It is uploaded for this message, then the message is sent with it.',
  };
  const confirmed = { message: input.body, document: loaded.document.sha256 };
  const { approval, tell } = await buildDocumentApproval(
    { wanted, write, loaded, body: confirmed, ...parts },
    ctx,
  );
  const guard = await session.writeGuard();
  const code = dryRun ? undefined : await guard.requestApproval(approval, [{ input, prepared: request }]);
  if (dryRun || code !== undefined) return tell(toShownOutcome(code));
  const uploadDestinationId = await uploadFor(write, loaded, ctx);
  const body = withAttachment(asked.body, { ...attachment, uploadDestinationId });
  const sent = await prepareWrite({ operation, account, asked: { ...asked, body } }, ctx);
  const { input: filled, request: made, marked } = sent;
  const result = await sendThroughGuard({ ...write, input: filled, request: made, marked }, call, session);
  return tell('verdict' in result ? view.judged(result) : result);
}

/** Uploads the attachment, whose resource is the path of its message. */
async function uploadFor(
  { input, request }: Awaited<ReturnType<typeof prepareWrite>>,
  loaded: LoadedDocument,
  ctx: ToolContext,
): Promise<string> {
  const registry = await ctx.session.program.registry();
  const operation = registry.find('uploads/createUploadDestinationForResource');
  const all: Readonly<Record<string, unknown>> = { ...input.parameters, ...request.filledIn };
  const resource = input.operation.path
    .slice(1)
    .replace(/\{(\w+)\}/g, (_all, name: string) => String(all[name] ?? ''));
  const { md5: contentMD5, contentType } = loaded.document;
  const parameters = { resource, contentMD5, contentType, marketplaceIds: all.marketplaceIds };
  return upload({ input: { operation, account: input.account, parameters }, request }, loaded, ctx);
}

function withAttachment(body: unknown, attachment: object): Record<string, unknown> {
  if (body !== undefined && !isJsonObject(body)) {
    throw new InputError('body must be a JSON object; nothing was sent.', 'Give it as {"text": "..."}.');
  }
  const { attachments } = toObject(body);
  return { ...body, attachments: [...(Array.isArray(attachments) ? attachments : []), attachment] };
}

const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'text/csv': 'csv',
  'image/png': 'png',
  'image/jpeg': 'jpg',
};

function nameOf({ name, document }: LoadedDocument): string {
  const [type = ''] = document.contentType.split(';');
  return name ?? `attachment.${ENDINGS[type] ?? 'txt'}`;
}
