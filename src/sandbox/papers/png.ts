/** A bar pattern as a real PNG, where a carrier would draw the label. */

import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 400;
const HEIGHT = 600;
const QUIET = 20;
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Gray, 400 by 600. @param text its bits are the bars, so that two texts look different. */
export function buildPng(text: string): Buffer {
  const bits = [...Buffer.from(text)].flatMap((byte) =>
    Array.from({ length: 8 }, (_, at) => (byte >> at) & 1),
  );
  const row = Buffer.alloc(WIDTH, 0xff);
  for (let x = QUIET; x < WIDTH - QUIET; x++) {
    if (bits[Math.floor(((x - QUIET) * bits.length) / (WIDTH - 2 * QUIET))] === 1) row[x] = 0;
  }
  // Each row begins with its filter: none.
  const rows = Array.from({ length: HEIGHT }, () => Buffer.concat([Buffer.of(0), row]));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.writeUInt8(8, 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
