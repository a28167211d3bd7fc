/** createUploadDestinationForResource: a place for a picture of A+ content, or for the attachment of a message. */

import { type Answer, type Call, invalid, okPayload } from '../answer.ts';
import type { Played } from '../router.ts';
import type { Addresses } from '../signed/signed-address.ts';
import type { UploadSlot, UploadStore } from '../signed/upload-store.ts';
import { readList } from './query.ts';

const MD5 = /^[A-Za-z0-9+/]{22}==$/;

interface Parts {
  uploads: UploadStore;
  addresses: Addresses;
}

/** The resource stands in the path as it is: with its slashes escaped, it is no path that the service knows. */
export const playUploads = (parts: Parts): Played => ({
  'uploads/createUploadDestinationForResource aplus/2020-11-01/contentDocuments': (call) =>
    openForContent(parts, call),
  'uploads/createUploadDestinationForResource messaging/v1/orders/{amazonOrderId}/messages/{message}': (
    call,
  ) => openForMessage(parts, call),
});

/** @returns the MD5 of what will be uploaded. @throws Refusal */
function readMd5({ query }: Call): string {
  const md5 = query.get('contentMD5') ?? '';
  if (readList(query, 'marketplaceIds').length !== 1) invalid('marketplaceIds: must name one marketplace.');
  return MD5.test(md5) ? md5 : invalid('contentMD5: must be an MD5 in base64.');
}

function openForContent({ uploads, addresses }: Parts, call: Call): Answer {
  const md5 = readMd5(call);
  const contentType = call.query.get('contentType') ?? invalid('contentType: is required for A+ content.');
  const slot = uploads.open({ contentType, md5 }, 'aplus-media/sc/');
  return answer(slot, addresses.form(slot), {});
}

function openForMessage({ uploads, addresses }: Parts, call: Call): Answer {
  const md5 = readMd5(call);
  const slot = uploads.open({ md5 }, '');
  const headers = { 'Content-MD5': md5, 'x-amz-server-side-encryption': 'aws:kms' };
  return answer(slot, addresses.upload(slot), headers);
}

const answer = ({ id }: UploadSlot, url: string, headers: object): Answer =>
  okPayload({ uploadDestinationId: id, url, headers }, 201);
