/** Makes up the details of a buyer: tax number, gift message, wishes for the delivery, a comment on a return. */

import type { Order } from './make-orders.ts';
import { createSequence, pick } from './sequence.ts';

export interface BuyerDetails {
  addressLine2: string;
  locale: string;
  /** The company of a business buyer; absent for others. */
  company?: { name: string; taxId: string; purchaseOrderNumber: string };
  /** The gift messages, by order item id. */
  giftMessages: ReadonlyMap<string, string>;
  deliveryNote?: string;
  /** The contact of the buyer for a return; empty if the buyer gives none. */
  reach: string;
}

/** The same for the same order, without a change to the sequence that orders are made from. */
export function detailsOf({ id, market, isBusiness, buyer, items }: Order): BuyerDetails {
  const next = createSequence(Number(id.replaceAll('-', '').slice(-9)));
  const { words } = market;
  const names = buyer.name.split(' ');
  const { name, email, phone } = buyer;
  const known = { name, email, phone, first: names[0] ?? name, last: names.at(-1) ?? name };
  const say = (text: string, n?: number) => fill(text, { ...known, n: `${n}` });
  const gifts = items.filter(() => next() % 6 === 0);
  const reach = say(pick(next, words.reach));
  return {
    addressLine2: next() % 3 === 0 ? say(words.apartment, 1 + (next() % 90)) : '',
    locale: market.tag.replace('_', '-'),
    ...(isBusiness && {
      company: {
        name: say(words.company),
        taxId: `SBX${100_000_000 + (next() % 900_000_000)}`,
        purchaseOrderNumber: `PO-${10_000 + (next() % 90_000)}`,
      },
    }),
    giftMessages: new Map(gifts.map((item) => [item.id, say(pick(next, words.gifts))])),
    ...(next() % 5 === 0 && { deliveryNote: say(words.note) }),
    reach,
  };
}

/** `{name}` is what stands under it. */
const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
