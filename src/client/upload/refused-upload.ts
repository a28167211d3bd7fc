/** Why a signed address did not take a document: ended, another content type than it was made for, or anything else. */

import type { Dispatcher } from 'undici';
import { NetworkError } from '../../errors.ts';
import { escapeText } from '../../text/escape-text.ts';
import { readReason } from '../transport/read-reason.ts';

interface Refused {
  host: string;
  contentType: string;
}

/** @throws NetworkError always */
export async function refuseUpload(
  answer: Dispatcher.ResponseData,
  { host, contentType }: Refused,
): Promise<never> {
  const { statusCode: status } = answer;
  const reason = await readReason(answer);
  answer.body.on('error', () => {}).destroy();
  // A name of the storage's own, such as SignatureDoesNotMatch: letters only.
  const [, code] = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(reason) ?? [];
  const said = `HTTP ${status}${code === undefined ? '' : `, ${code}`}`;
  if (status < 500 && /expired/i.test(reason)) {
    throw new NetworkError(
      'ADDRESS_EXPIRED',
      'not-sent',
      `The signed address for the upload is no longer valid (${said} from ${host}); nothing was uploaded.`,
      'Call again: that asks for a new address.',
    );
  }
  if (code === 'SignatureDoesNotMatch') {
    throw new NetworkError(
      'UPLOAD_REFUSED',
      'not-sent',
      `${host} refused the upload (${said}): the address was made for another content type than ${escapeText(contentType)}, or for other headers. Nothing was uploaded.`,
      'Check contentType: it has to be one that this kind of document takes.',
    );
  }
  if (status >= 300 && status < 400) {
    throw new NetworkError(
      'UPLOAD_REFUSED',
      'not-sent',
      `${host} redirects uploads (${said}), which are not sent anywhere else; nothing was uploaded.`,
      'Call again later; report it to the service if it stays so.',
    );
  }
  if (status < 500 && status !== 429 && status !== 408) {
    throw new NetworkError(
      'UPLOAD_REFUSED',
      'not-sent',
      `${host} refused the upload (${said}); nothing was uploaded.`,
      HINTS[code ?? ''] ?? 'Check the document and its content type.',
    );
  }
  const message = `${host} answered HTTP ${status} to the upload.`;
  throw new NetworkError(`HTTP_${status}`, 'unknown', message, 'Call again in a few minutes.');
}

const HINTS: Readonly<Record<string, string>> = {
  EntityTooLarge: 'It is larger than this address takes: make it smaller.',
  EntityTooSmall: 'It is smaller than this address takes: is the document empty?',
  InvalidDigest: 'The service did not accept the MD5 that it was told; call again.',
  BadDigest: 'It did not arrive as it was sent; call again.',
};
