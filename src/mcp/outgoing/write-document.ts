/** An operation with a document: which of them take one, and how each is gone about. */

import { InputError } from '../../errors.ts';
import type { ToolAnswer } from '../define-tool.ts';
import type { ToolContext } from '../session.ts';
import type { WriteStructured } from '../write-answer.ts';
import { takesAttachments, writeAttachment } from './write-attachment.ts';
import { type OutgoingWrite, writeFeed } from './write-feed.ts';
import { writeUpload } from './write-upload.ts';

/** Those that are not messages. */
const WAYS: Readonly<Record<string, typeof writeFeed>> = {
  'feeds/createFeed': writeFeed,
  'feeds/createFeedDocument': writeUpload,
  'uploads/createUploadDestinationForResource': writeUpload,
};

/** @throws InputError for an operation that takes none; what its way throws */
export async function writeDocument(
  wanted: OutgoingWrite,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const { operation, stop } = wanted;
  const way = Object.hasOwn(WAYS, operation.id) ? WAYS[operation.id] : undefined;
  if (stop === true && way !== writeFeed) {
    throw new InputError('"stop" ends the following of a feed, or a list of calls.', 'Leave it out.');
  }
  if (way !== undefined) return way(wanted, ctx);
  if (takesAttachments(operation)) return writeAttachment(wanted, ctx);
  throw new InputError(
    `${operation.id} takes no document; nothing was sent.`,
    'document goes with createFeed, createFeedDocument, createUploadDestinationForResource, and messages with attachments.',
  );
}

/** @throws InputError for what says what to do with an answer, and has none here */
export function refuseBesideDocument(others: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(others).filter((name) => others[name] !== undefined);
  if (names.length === 0) return;
  throw new InputError(
    `document and ${names.join(', ')} were both given; nothing was sent.`,
    'What becomes of each message is told, and stands in a table for query_data.',
  );
}
