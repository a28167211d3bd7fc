/** The document of a feed: a place for it is asked for, and it is uploaded there with the very content type that it was made for. */

import * as z from 'zod';
import { NetworkError } from '../errors.ts';
import { ask, type FeedParts } from './feed-parts.ts';
import type { OutgoingDocument } from './types.ts';

/** Places that are asked for in all: an address ends after five minutes. */
const MOST_ADDRESSES = 3;

const placeSchema = z.looseObject({ feedDocumentId: z.string().min(1), url: z.string().min(1) });

export interface UploadedDocument {
  documentId: string;
  /** ISO 8601, by the service's clock; absent where it does not tell. No feed that was created before is one of it. */
  documentAt?: string;
}

/**
 * Gives the id of the document. One that was uploaded and never used is nothing to the service.
 * @param stage is told before the upload begins
 * @throws the client's errors, and those of `Uploads.upload`
 */
export async function uploadDocument(
  document: OutgoingDocument,
  parts: FeedParts,
  stage: (stage: 'document' | 'upload') => void,
): Promise<UploadedDocument> {
  const { uploads, clock, givenBy, signal, operations, tell } = parts;
  for (let attempt = 1; ; attempt++) {
    stage('document');
    const body = { contentType: document.contentType };
    const answer = await ask(parts, operations.createFeedDocument, { parameters: {}, body });
    const place = placeSchema.safeParse(answer.body);
    if (!place.success) throw noPlace();
    const { feedDocumentId, url } = place.data;
    stage('upload');
    tell({ message: `Uploads ${document.bytes.toLocaleString('en-US')} bytes` });
    try {
      await uploads.upload(url, document, { givenBy, givenAt: clock.wallClock(), signal });
      const at = Date.parse(answer.headers.date ?? '');
      const documentAt = Number.isNaN(at) ? {} : { documentAt: new Date(at).toISOString() };
      return { documentId: feedDocumentId, ...documentAt };
    } catch (error) {
      const hasEnded = error instanceof NetworkError && error.code === 'ADDRESS_EXPIRED';
      if (!hasEnded || attempt >= MOST_ADDRESSES) throw error;
    }
  }
}

function noPlace(): NetworkError {
  return new NetworkError(
    'NO_ADDRESS',
    'not-sent',
    'createFeedDocument answered without an address for the upload; nothing was sent.',
    'Call again in a minute.',
  );
}
