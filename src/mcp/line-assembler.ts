/** A stream before the transport: passes whole lines on in one piece and drops those that are too long. */

import { Transform } from 'node:stream';

/** Longest message accepted on stdin, in bytes; the SDK's transport would close the connection at 10 MB. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** How much of a dropped line is kept to find the id of its request. */
const KEPT_HEAD_BYTES = 4_096;

export interface LineAssemblerOptions {
  maxLineBytes?: number;
  /** Called once for each dropped line, with its size so far and its beginning. */
  onTooLong(head: string): void;
}

/** Whole lines leave as one chunk, so that the reader behind it never joins a long line piece by piece. */
export function createLineAssembler({
  maxLineBytes = MAX_LINE_BYTES,
  onTooLong,
}: LineAssemblerOptions): Transform {
  let parts: Buffer[] = [];
  let size = 0;
  let dropping = false;

  const drop = () => {
    onTooLong(Buffer.concat(parts).subarray(0, KEPT_HEAD_BYTES).toString('utf8'));
    dropping = true;
    parts = [];
    size = 0;
  };
  const keep = (part: Buffer) => {
    if (dropping) return;
    parts.push(part);
    size += part.length;
    if (size > maxLineBytes) drop();
  };

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const end = chunk.lastIndexOf(0x0a);
      let start = 0;
      while (start <= end) {
        const newline = chunk.indexOf(0x0a, start);
        keep(chunk.subarray(start, newline + 1));
        if (!dropping) this.push(parts.length === 1 ? parts[0] : Buffer.concat(parts));
        parts = [];
        size = 0;
        dropping = false;
        start = newline + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
      done();
    },
    flush(done) {
      if (size > 0) this.push(Buffer.concat(parts));
      done();
    },
  });
}

/** The id of the JSON-RPC request whose beginning is given, when it stands there. */
export function findRequestId(head: string): string | number | undefined {
  const found = /"id"\s*:\s*(?:(\d{1,15})|"([^"\\]{1,200})")/.exec(head);
  if (found?.[1] !== undefined) return Number(found[1]);
  return found?.[2];
}
