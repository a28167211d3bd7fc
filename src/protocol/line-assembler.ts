/** A stream before the transport: passes whole lines on in one piece and drops those that are too much to be parsed. */

import { Transform } from 'node:stream';
import { exceedsBounds, parseJson } from '../base/json.ts';
import { isId } from './refuse-message.ts';

/**
 * Longest message accepted on stdin, in bytes: parsing it and looking it through holds the thread for all calls. No
 * model writes a tenth of it.
 */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** Values and member names of one message; one of 4 MB could hold two million, and is worked on by their number. */
export const MAX_LINE_VALUES = 150_000;

/** How much of each end of a dropped line is kept to find the id of its request. */
const KEPT_BYTES = 4_096;

interface LineAssemblerOptions {
  maxLineBytes?: number;
  /** Called once for each dropped line, when it has ended. */
  onDropped(line: DroppedLine): void;
}

export interface DroppedLine {
  /** Which bound it is over. */
  reason: 'bytes' | 'values';
  /** Its beginning and its end. */
  head: string;
  tail: string;
}

/** Whole lines leave as one chunk, so that the reader behind it never joins a long line piece by piece. */
export function createLineAssembler({
  maxLineBytes = MAX_LINE_BYTES,
  onDropped,
}: LineAssemblerOptions): Transform {
  let parts: Buffer[] = [];
  let size = 0;
  let dropped: Ends | undefined;

  const keep = (part: Buffer) => {
    if (dropped !== undefined) {
      dropped.tail = endsOf(Buffer.concat([dropped.tail, part])).tail;
      return;
    }
    parts.push(part);
    size += part.length;
    if (size > maxLineBytes) drop();
  };
  const drop = () => {
    dropped = endsOf(Buffer.concat(parts));
    parts = [];
  };
  const reportDropped = (reason: DroppedLine['reason'], { head, tail }: Ends) =>
    onDropped({ reason, head: head.toString('utf8'), tail: tail.toString('utf8') });
  const end = (push: (line: Buffer) => void) => {
    if (dropped !== undefined) reportDropped('bytes', dropped);
    else if (size > 0) {
      const line = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
      if (exceedsBounds(line, BOUNDS) === undefined) push(line);
      else reportDropped('values', endsOf(line));
    }
    parts = [];
    size = 0;
    dropped = undefined;
  };

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0;
      for (let newline = chunk.indexOf(0x0a); newline >= 0; newline = chunk.indexOf(0x0a, start)) {
        keep(chunk.subarray(start, newline + 1));
        end((line) => this.push(line));
        start = newline + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
      done();
    },
    flush(done) {
      end((line) => this.push(line));
      done();
    },
  });
}

/** How deep arguments may nest is theirs to say, in an answer that helps. */
const BOUNDS = { depth: Number.POSITIVE_INFINITY, values: MAX_LINE_VALUES };

interface Ends {
  head: Buffer;
  tail: Buffer;
}

/** Copies: a slice would keep the whole line alive. */
function endsOf(line: Buffer): Ends {
  return { head: Buffer.from(line.subarray(0, KEPT_BYTES)), tail: Buffer.from(line.subarray(-KEPT_BYTES)) };
}

/** A whole literal and what ends it: of a number that is cut off, the digits before the cut are another number. */
const ID = '"id"\\s*:\\s*(-?\\d[\\d.eE+-]{0,30}(?=\\s*[,}])|"(?:[^"\\\\]|\\\\.)*")';
/** Before the first nested value, and after the last one: an id inside the arguments is somebody else's. */
const ID_AT_START = new RegExp(`^\\s*\\{[^{}[\\]]*?${ID}`);
const ID_AT_END = new RegExp(`${ID}\\s*(?:,[^{}[\\]]*)?\\}\\s*$`);

/**
 * The id of the JSON-RPC request whose beginning and end are given, when it stands whole in one of them and is one that
 * the protocol allows; an answer under another id would be another request's.
 */
export function findRequestId(head: string, tail = ''): string | number | undefined {
  const [, literal] = ID_AT_START.exec(head) ?? ID_AT_END.exec(tail) ?? [];
  const id = literal === undefined ? undefined : parseJson(literal);
  return isId(id) ? id : undefined;
}
