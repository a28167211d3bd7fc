/** Renders labels, packing slips and invoices as files. */

import { crc32, deflateSync } from 'node:zlib';
import type { Order } from '../world/make-orders.ts';
import { amountText, isoSeconds } from '../world/plain-values.ts';
import { buildPdf } from './pdf.ts';

export const LABEL_FORMATS = ['PDF', 'PNG', 'ZPL203', 'ZPL300'] as const;
export type LabelFormat = (typeof LABEL_FORMATS)[number];

export interface ShippingDocument {
  bytes: Buffer;
  mediaType: 'application/pdf' | 'application/zpl' | 'image/png';
}

/** Formats the address of a parcel, in lines as on an envelope. */
const envelopeOf = ({ buyer }: Order): string[] => [
  buyer.name,
  buyer.street,
  `${buyer.town.postalCode} ${buyer.town.city} ${buyer.town.state}`.trim(),
  buyer.countryCode,
  buyer.phone,
];

export function labelOf(order: Order, format: LabelFormat, trackingId: string): ShippingDocument {
  const lines = ['SANDBOX CARRIER - NOT A REAL LABEL', '', ...envelopeOf(order), '', trackingId];
  if (format === 'PDF') return { bytes: buildPdf(lines), mediaType: 'application/pdf' };
  if (format === 'PNG') return { bytes: buildPng(lines.join('\n')), mediaType: 'image/png' };
  return { bytes: Buffer.from(zplOf(lines, format === 'ZPL300' ? 300 : 203)), mediaType: 'application/zpl' };
}

/** `^CI28` is UTF-8; a caret or a tilde of a text would be a command. */
function zplOf(lines: readonly string[], dotsPerInch: number): string {
  const height = Math.round(dotsPerInch * 0.15);
  const fields = lines.map((line, at) => {
    const text = line.replace(/[\^~]/g, ' ');
    return `^FO40,${40 + at * Math.round(height * 1.5)}^A0N,${height},${height}^FD${text}^FS`;
  });
  return ['^XA', '^CI28', ...fields, '^XZ', ''].join('\n');
}

export function packingSlipOf(order: Order): ShippingDocument {
  const items = order.items.map(({ ordered, row }) => `${ordered} x ${row.sku}  ${row.title}`);
  const bytes = buildPdf(['Packing slip', `Order ${order.id}`, '', ...envelopeOf(order), '', ...items]);
  return { bytes, mediaType: 'application/pdf' };
}

export function invoiceOf(order: Order, number: string): Buffer {
  const { currency } = order.market;
  const items = order.items.map(
    ({ ordered, row, priceCents }) =>
      `${ordered} x ${row.sku}  ${amountText(priceCents, order.market)} ${currency}`,
  );
  return buildPdf([
    `Invoice ${number}`,
    `Order ${order.id} of ${isoSeconds(order.purchasedAt)}`,
    '',
    order.buyer.name,
    order.buyer.street,
    order.buyer.email,
    '',
    ...items,
  ]);
}

// A bar pattern as a real PNG, where a carrier would draw the label.

const WIDTH = 400;
const HEIGHT = 600;
const QUIET = 20;
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Gray, 400 by 600. @param text its bits are the bars, so that two texts look different. */
function buildPng(text: string): Buffer {
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
