/** A multipart form with one file: enough of it for a signed upload. */

export interface UploadForm {
  fields: Readonly<Record<string, string>>;
  file: Buffer;
  /** Of the file. */
  contentType: string;
}

/** Undefined where it is none. */
export function readForm(bytes: Buffer, contentType: string): UploadForm | undefined {
  const [, boundary] =
    /^multipart\/form-data; ?boundary="?([\w'()+,./:=?-]{1,70})"?$/.exec(contentType) ?? [];
  if (boundary === undefined) return undefined;
  const fields: Record<string, string> = {};
  let file: Pick<UploadForm, 'file' | 'contentType'> | undefined;
  const opening = Buffer.from(`--${boundary}\r\n`);
  const closing = Buffer.from(`\r\n--${boundary}`);
  for (let at = bytes.indexOf(opening); at >= 0; ) {
    const start = at + opening.length;
    const body = bytes.indexOf('\r\n\r\n', start);
    const end = bytes.indexOf(closing, body);
    if (body < 0 || end < 0) return undefined;
    const head = bytes.subarray(start, body).toString('utf8');
    const [, name = ''] = / name="([^"]*)"/.exec(head) ?? [];
    const content = bytes.subarray(body + 4, end);
    if (/ filename="/.test(head)) {
      const [, type = ''] = /content-type: ?([^\r\n]*)/i.exec(head) ?? [];
      file = { file: Buffer.from(content), contentType: type };
    } else fields[name] = content.toString('utf8');
    at = bytes.indexOf(opening, end);
  }
  return file === undefined ? undefined : { fields, ...file };
}
