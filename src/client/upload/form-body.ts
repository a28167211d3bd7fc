/** The form in which some signed addresses want a file: their own parameters as fields, the file as the last of them. */

import { randomBytes } from 'node:crypto';
import { byteLength } from '../../json.ts';

export interface FormBody {
  url: URL;
  contentType: string;
  /** Of the whole body. */
  bytes: number;
  wrap(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

/** True for an address whose signature stands for a form (a policy): A+ content gets such ones. */
export const wantsForm = (url: URL) => url.searchParams.has('policy');

export function buildForm(url: URL, content: { contentType: string; bytes: number }): FormBody {
  const boundary = `----form-${randomBytes(12).toString('hex')}`;
  const fields = [...url.searchParams].map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\nContent-Type: ${content.contentType}\r\n\r\n`;
  const head = fields.join('') + file;
  const end = `\r\n--${boundary}--\r\n`;
  return {
    url: new URL(url.pathname, url.origin),
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: byteLength(head) + content.bytes + byteLength(end),
    async *wrap(pieces) {
      yield Buffer.from(head);
      yield* pieces;
      yield Buffer.from(end);
    },
  };
}

/** As browsers write it. */
const quoted = (name: string) => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
