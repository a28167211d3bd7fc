/** createUploadDestinationForResource: a place for a picture of A+ content, or for the attachment of a message. */

import type { Answer, Call } from '../answer.ts';
import type { Route } from '../router.ts';
import type { UploadPlace, UploadStore } from '../signed/upload-store.ts';
import { invalid, readList } from './query.ts';

const BASE = '/uploads/2020-11-01/uploadDestinations';
const CONTENT = 'aplus/2020-11-01/contentDocuments';
const MESSAGE = 'messaging/v1/orders/{amazonOrderId}/messages/{message}';

const MD5 = /^[A-Za-z0-9+/]{22}==$/;

export interface UploadRouteParts {
  uploads: UploadStore;
  /** Of a feed's document or a message's attachment. */
  uploadAddressOf(place: UploadPlace): string;
  formAddressOf(place: UploadPlace): string;
}

/** The resource stands in the path as it is: with its slashes escaped, it is no path that the service knows. */
export function buildUploadRoutes(parts: UploadRouteParts): Route[] {
  const seller = { auth: 'seller', operation: 'createUploadDestinationForResource', method: 'POST' } as const;
  return [CONTENT, MESSAGE].map((resource) => ({
    ...seller,
    path: `${BASE}/${resource}`,
    handle: (call) => open(parts, resource, call),
  }));
}

function open(
  { uploads, uploadAddressOf, formAddressOf }: UploadRouteParts,
  resource: string,
  call: Call,
): Answer {
  const { query, params } = call;
  const md5 = query.get('contentMD5') ?? '';
  const contentType = query.get('contentType') ?? undefined;
  if (readList(query, 'marketplaceIds').length !== 1)
    return invalid('marketplaceIds: must name one marketplace.');
  if (!MD5.test(md5)) return invalid('contentMD5: must be an MD5 in base64.');
  if (resource === CONTENT) {
    if (contentType === undefined) return invalid('contentType: is required for A+ content.');
    const place = uploads.open({ contentType, md5, resource }, 'aplus-media/sc/');
    return answer(place, formAddressOf(place), {});
  }
  const own = `messaging/v1/orders/${params.amazonOrderId}/messages/${params.message}`;
  const place = uploads.open({ md5, resource: own }, '');
  const headers = { 'Content-MD5': md5, 'x-amz-server-side-encryption': 'aws:kms' };
  return answer(place, uploadAddressOf(place), headers);
}

const answer = ({ id }: UploadPlace, url: string, headers: object): Answer => ({
  status: 201,
  body: { payload: { uploadDestinationId: id, url, headers } },
});
