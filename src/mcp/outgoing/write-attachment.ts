/** A message to a buyer with a file: the file is uploaded for this very message, then the message is sent with it. */

import { InputError } from '../../errors.ts';
import { isJsonObject } from '../../json.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { own } from '../../service/facts/schema-parts.ts';
import type { ToolAnswer } from '../define-tool.ts';
import { keepWrite } from '../keep-write.ts';
import { prepareWrite } from '../prepare-write.ts';
import type { ToolContext } from '../session.ts';
import { buildWriteAnswer, type WriteStructured } from '../write-answer.ts';
import { buildPreview } from '../write-preview.ts';
import { describeContent, documentLine } from './describe-document.ts';
import { type DocumentPreview, documentFacts, documentWords } from './document-preview.ts';
import { actOn } from './document-yes.ts';
import { type LoadedDocument, loadDocument } from './load-document.ts';
import type { OutgoingWrite } from './write-feed.ts';
import { upload } from './write-upload.ts';

/** Stands in the request until the file is uploaded. */
const TO_COME = 'id-of-the-uploaded-file';

/** True for a message that takes attachments. */
export function takesAttachments({ id, body, defs }: Operation): boolean {
  if (!id.startsWith('messaging/') || body === undefined) return false;
  const name = body.schema.$ref?.replace('#/$defs/', '');
  const schema = name === undefined ? body.schema : own(defs ?? {}, name);
  return schema?.properties !== undefined && Object.hasOwn(schema.properties, 'attachments');
}

/** @throws AppError; AskPerson while the person is asked */
export async function writeAttachment(
  wanted: OutgoingWrite,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const { session, person, call } = ctx;
  const { operation, account, asked, dryRun } = wanted;
  const loaded = await loadDocument(wanted.document, { account }, ctx);
  const attachment = { uploadDestinationId: TO_COME, fileName: nameOf(loaded) };
  const write = await prepareWrite(
    { operation, account, asked: { ...asked, body: withAttachment(asked.body, attachment) } },
    ctx,
  );
  const { input, request, planned, change, shown, view } = write;
  const preview: DocumentPreview = {
    head: `Attachment "${attachment.fileName}"`,
    places: [],
    content: describeContent(loaded, undefined),
    line: documentLine(loaded),
    isHidden: loaded.shown === undefined,
    next: 'It is uploaded for this message, then the message is sent with it.',
  };
  const built = await buildPreview(
    { operation, account, parameters: shown.request.parameters, ...shown },
    session,
    {
      parts: { operation, account, parameters: input.parameters, request, change },
      replaced: [...write.replaced, ...loaded.replaced],
    },
  );
  const confirmed = { message: input.body, document: loaded.document.sha256 };
  const act = actOn({ wanted, write, loaded, preview, built, body: confirmed, person });
  const writes = await session.writes();
  const code = dryRun ? undefined : await writes.agree(act, [{ input, prepared: request }]);
  const facts = { document: documentFacts(preview, loaded) };
  const parts = { account, operation, preview: `${documentWords(preview, false)}\n${built.text}`, ...shown };
  if (dryRun || code !== undefined) {
    const result =
      code === undefined
        ? ({ outcome: 'preview' } as const)
        : ({ outcome: 'needs_confirmation', code } as const);
    const answer = await buildWriteAnswer({ ...parts, result }, session);
    return { ...answer, structured: { ...answer.structured, ...facts } };
  }
  const uploadDestinationId = await uploadFor(write, loaded, ctx);
  const body = withAttachment(asked.body, { ...attachment, uploadDestinationId });
  const sent = await prepareWrite({ operation, account, asked: { ...asked, body } }, ctx);
  const { keep } = await keepWrite(write, session);
  const result = await writes.sendAgreed({
    input: sent.input,
    prepared: sent.request,
    dryRun: false,
    preview: '',
    person,
    call,
    keep,
    ...(sent.marked === undefined ? {} : { marked: sent.marked }),
    refused: (response) => view.seen(operation.id, response),
  });
  const answer = await buildWriteAnswer(
    { ...parts, result: view.result(result), look: planned.look },
    session,
  );
  return { ...answer, structured: { ...answer.structured, ...facts } };
}

/** The resource of an attachment is the path of its message. */
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
  const given = Array.isArray(body?.attachments) ? body.attachments : [];
  return { ...body, attachments: [...given, attachment] };
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
