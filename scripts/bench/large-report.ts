/** A report as large as they come, the same in every run: orders in 28 columns, packed with gzip. */

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

const COLUMNS =
  `amazon-order-id merchant-order-id purchase-date last-updated-date order-status fulfillment-channel
  sales-channel order-channel ship-service-level product-name sku asin item-status quantity currency item-price item-tax
  shipping-price shipping-tax gift-wrap-price gift-wrap-tax item-promotion-discount ship-promotion-discount ship-city
  ship-state ship-postal-code ship-country promotion-ids`.split(/\s+/);
const CITIES = ['Berlin', 'München', 'Köln', 'Hamburg', 'Frankfurt am Main', 'Leipzig', 'Nürnberg'];
const STATES = ['Shipped', 'Shipped', 'Shipped', 'Unshipped', 'Pending', 'Cancelled'];
const START = Date.UTC(2026, 0, 1);
const ROWS_AT_ONCE = 5_000;

/** Writes a report of so many rows. */
export async function writeLargeReport(file: string, rows: number): Promise<void> {
  await pipeline(Readable.from(pieces(rows)), createGzip({ level: 4 }), createWriteStream(file));
}

function* pieces(rows: number): Generator<string> {
  yield `${COLUMNS.join('\t')}\r\n`;
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    const count = Math.min(ROWS_AT_ONCE, rows - from);
    yield `${Array.from({ length: count }, (_, i) => orderRow(from + i)).join('\r\n')}\r\n`;
  }
}

/** Spread over a year, about 210 bytes each. */
function orderRow(i: number): string {
  const at = new Date(START + ((i * 7_919) % 525_600) * 60_000).toISOString().replace('.000Z', '+00:00');
  const state = STATES[i % STATES.length];
  const price = ((i * 37) % 20_000) / 100 + 4.99;
  return [
    `304-${String(1_000_000 + i)}-${String((i * 31) % 10_000_000).padStart(7, '0')}`,
    '',
    at,
    at,
    state,
    i % 3 === 0 ? 'Merchant' : 'Amazon',
    'Amazon.de',
    '',
    'Standard',
    `Lamp ${i % 5_000}, 19" rack`,
    `SKU-${String(i % 5_000).padStart(6, '0')}`,
    `B0${String(i % 5_000).padStart(8, '0')}`,
    state,
    String(1 + (i % 4)),
    'EUR',
    price.toFixed(2),
    (price * 0.19).toFixed(2),
    i % 5 === 0 ? '4.90' : '',
    i % 5 === 0 ? '0.78' : '',
    '',
    '',
    i % 11 === 0 ? '1.50' : '',
    '',
    CITIES[i % CITIES.length],
    '',
    String(10_000 + (i % 89_999)),
    'DE',
    i % 11 === 0 ? 'PAWS-V2-123456789-1' : '',
  ].join('\t');
}
