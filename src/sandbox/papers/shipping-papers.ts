/** What goes onto and into a parcel, and what the buyer gets for it: labels, packing slips and invoices as files. */

import type { Order } from '../world/make-orders.ts';
import { isoSeconds, moneyText } from '../world/plain-values.ts';
import { buildPdf } from './pdf.ts';
import { buildPng } from './png.ts';

export const LABEL_FORMATS = ['PDF', 'PNG', 'ZPL203', 'ZPL300'] as const;
export type LabelFormat = (typeof LABEL_FORMATS)[number];

export interface Paper {
  bytes: Buffer;
  mediaType: 'application/pdf' | 'application/zpl' | 'image/png';
}

/** Where a parcel goes, in lines as on an envelope. */
const envelopeOf = ({ buyer }: Order): string[] => [
  buyer.name,
  buyer.street,
  `${buyer.town.postalCode} ${buyer.town.city} ${buyer.town.state}`.trim(),
  buyer.countryCode,
  buyer.phone,
];

export function labelOf(order: Order, format: LabelFormat, trackingId: string): Paper {
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

export function packingSlipOf(order: Order): Paper {
  const items = order.items.map(({ ordered, row }) => `${ordered} x ${row.sku}  ${row.title}`);
  const bytes = buildPdf(['Packing slip', `Order ${order.id}`, '', ...envelopeOf(order), '', ...items]);
  return { bytes, mediaType: 'application/pdf' };
}

export function invoiceOf(order: Order, number: string): Buffer {
  const { currency } = order.market;
  const items = order.items.map(
    ({ ordered, row, priceCents }) => `${ordered} x ${row.sku}  ${moneyText(priceCents)} ${currency}`,
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
