/** What else a made-up buyer leaves with an order: tax number, gift message, wishes for the delivery, a word on a return. */

import type { Order } from './make-orders.ts';
import { createSequence, pick } from './sequence.ts';

export interface BuyerDetails {
  addressLine2: string;
  locale: string;
  /** Of a business alone. */
  company?: { name: string; taxId: string; purchaseOrderNumber: string };
  /** By order item id. */
  giftMessages: ReadonlyMap<string, string>;
  deliveryNote?: string;
  /** What the buyer writes when something is sent back. */
  returnComment: string;
}

const GIFTS = ['Happy birthday from', 'Get well soon, yours', 'For your new home, with love from'] as const;
const COMPLAINTS = [
  'Too small.',
  'Arrived broken.',
  'The color is another one.',
  'Not needed any more.',
] as const;
const LOCALES = { US: 'en-US', CA: 'en-CA', MX: 'es-MX', DE: 'de-DE' } as const;

/** The same for the same order, without a change to the sequence that orders are made from. */
export function detailsOf({ id, market, isBusiness, buyer, items }: Order): BuyerDetails {
  const next = createSequence(Number(id.replaceAll('-', '').slice(-9)));
  const [first = buyer.name] = buyer.name.split(' ');
  const gifts = items.filter(() => next() % 6 === 0);
  const reach = pick(next, [
    '',
    ` Please write to ${buyer.email}.`,
    ` Call me on ${buyer.phone} after five.`,
    ` ${first}, ${buyer.phone}, ${buyer.email}`,
  ]);
  return {
    addressLine2: next() % 3 === 0 ? `Apartment ${1 + (next() % 90)}` : '',
    locale: LOCALES[market.country],
    ...(isBusiness && {
      company: {
        name: `${buyer.name.split(' ').at(-1)} & Company`,
        taxId: `SBX${100_000_000 + (next() % 900_000_000)}`,
        purchaseOrderNumber: `PO-${10_000 + (next() % 90_000)}`,
      },
    }),
    giftMessages: new Map(gifts.map((item) => [item.id, `${pick(next, GIFTS)} ${buyer.name}`])),
    ...(next() % 5 === 0 && {
      deliveryNote: `Ring twice, or call ${buyer.phone}. Leave it with ${first}'s neighbor.`,
    }),
    returnComment: `${pick(next, COMPLAINTS)}${reach}`,
  };
}
