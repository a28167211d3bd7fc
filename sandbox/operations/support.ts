/** Cases that the seller has with the support: searched, read, and what was written in each. */

import * as z from 'zod';
import { type Call, known, ok, readBody } from '../answer.ts';
import type { Played } from '../router.ts';
import type { Order } from '../world/make-orders.ts';
import { DAY_MS, HOUR_MS, isoSeconds } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import { findPlace, fits, readInteger } from './query.ts';

const spanSchema = z.object({ after: z.iso.datetime().optional(), before: z.iso.datetime().optional() });
const searchSchema = z.object({
  marketplaceId: z.string().optional(),
  caseFilters: z
    .object({
      caseStatuses: z.array(z.string()).default([]),
      primaryEmails: z.array(z.string()).default([]),
      ccEmails: z.array(z.string()).default([]),
      subjectKeywords: z.string().default(''),
      createdDate: spanSchema.optional(),
      lastOutboundDate: spanSchema.optional(),
      resolvedDate: spanSchema.optional(),
    })
    .prefault({}),
  sortField: z.string().default('CREATION_DATE'),
  sortOrder: z.enum(['ASC', 'DESC']).default('DESC'),
  maxResults: z.int().min(1).max(50).default(20),
  nextToken: z.string().optional(),
});

const SELLER = { displayName: 'Sandbox seller', role: 'SELLING_PARTNER' };
const SUPPORT = { displayName: 'Robin of Seller Support', role: 'AMAZON' };
const EMAIL = 'owner@sandbox-seller.example';

interface SupportCase {
  shown: {
    caseId: string;
    status: string;
    subject: string;
    primaryEmail: string;
    ccEmails: string[];
    createdDate: string;
    lastUpdatedDate: string;
    lastOutboundDate?: string;
    resolvedDate?: string;
    appointments: object[];
  };
  contacts: { contactId: string; createdDate: string }[];
}

export function playSupport(world: World): Played {
  let made: readonly SupportCase[] | undefined;
  const all = (now: number) => {
    made ??= makeCases(world, now);
    return made;
  };
  const find = ({ now, params: { caseId = '' } }: Call) =>
    known(
      all(now).find(({ shown }) => shown.caseId === caseId),
      'Case',
      caseId,
    );
  return {
    'support/listCases': (call) => {
      const { nextToken, ...search } = readBody(searchSchema, call.body ?? {});
      const query = new URLSearchParams(nextToken === undefined ? {} : { nextToken });
      if (nextToken === undefined) query.set('search', JSON.stringify(search));
      const place = findPlace({ ...call, query });
      const first = readBody(searchSchema, JSON.parse(place.query.get('search') ?? '{}'));
      const { items, next } = place.cut(searchCases(all(call.now), first), search.maxResults);
      return ok({ cases: items.map(({ shown }) => shown), ...next });
    },
    'support/getCase': (call) => ok(find(call).shown),
    'support/listContacts': (call) => {
      const { query, cut } = findPlace(call);
      const { contacts } = find(call);
      const sorted = query.get('sortOrder') === 'DESC' ? contacts.toReversed() : contacts;
      const { items, next } = cut(sorted, readInteger(query, 'maxResults', { most: 50, otherwise: 20 }));
      return ok({ contacts: items, ...next });
    },
  };
}

function searchCases(
  all: readonly SupportCase[],
  { caseFilters: wanted, sortField, sortOrder }: z.output<typeof searchSchema>,
): SupportCase[] {
  const within = (text: string | undefined, span: z.output<typeof spanSchema> | undefined) =>
    span === undefined ||
    (text !== undefined && text > (span.after ?? '') && (span.before === undefined || text < span.before));
  const keyOf = ({ shown }: SupportCase): string =>
    ({
      CASE_ID: shown.caseId,
      STATUS: shown.status,
      SUBJECT: shown.subject,
      PRIMARY_EMAIL: shown.primaryEmail,
      LAST_OUTBOUND_DATE: shown.lastOutboundDate,
      RESOLUTION_DATE: shown.resolvedDate,
    })[sortField] ?? shown.createdDate;
  const found = all.filter(
    ({ shown }) =>
      fits(wanted.caseStatuses, shown.status) &&
      fits(wanted.primaryEmails, shown.primaryEmail) &&
      fits(wanted.ccEmails, ...shown.ccEmails) &&
      shown.subject.toLowerCase().includes(wanted.subjectKeywords.toLowerCase()) &&
      within(shown.createdDate, wanted.createdDate) &&
      within(shown.lastOutboundDate, wanted.lastOutboundDate) &&
      within(shown.resolvedDate, wanted.resolvedDate),
  );
  const sorted = found.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)));
  return sortOrder === 'ASC' ? sorted : sorted.reverse();
}

/** Texts as people write them, with what buyers told in them. */
function makeCases(world: World, now: number): SupportCase[] {
  const [order] = world.orders().filter(({ status }) => status === 'Shipped');
  const sku = world.rows(world.markets[0]?.id ?? '')[0]?.sku ?? 'SKU-1';
  const day = (days: number) => now - days * DAY_MS;
  return [
    {
      ...begin(1, 'PENDING_MERCHANT_ACTION', `Listing ${sku} is not shown in search`, day(6)),
      contacts: [
        mail(
          day(6),
          SELLER,
          `Our listing ${sku} has not been found in search since Monday. What is missing?`,
        ),
        mail(day(5), SUPPORT, 'The main image shows a logo. Please send a picture with a white background.'),
      ],
    },
    {
      ...begin(2, 'PENDING_AMAZON_ACTION', '3 units missing from an inbound shipment', day(3)),
      contacts: [
        mail(day(3), SELLER, 'We sent 40 units, and 37 were received. The proof of delivery is attached.', [
          { name: 'proof-of-delivery.pdf' },
        ]),
        {
          channel: 'PHONE',
          at: day(2),
          phoneContent: { callNotes: 'The seller asked when the count will be repeated.' },
        },
      ],
    },
    {
      ...begin(3, 'RESOLVED', 'A-to-z claim', day(30)),
      contacts: [chat(day(30), order)],
    },
    {
      ...begin(4, 'TRANSFERRED', 'Change of the bank account', day(12)),
      contacts: [
        mail(day(12), SELLER, 'Please confirm that the new account is used from the next payout on.'),
      ],
    },
  ].map(finish);
}

const begin = (number: number, status: string, subject: string, created: number) => ({
  caseId: `sbx-case-${100 + number}`,
  status,
  subject,
  created,
});

interface Contact {
  channel: string;
  at: number;
}

const mail = (at: number, sender: object, message: string, attachments: readonly object[] = []) => ({
  channel: 'EMAIL',
  at,
  emailContent: { sender, message, ...(attachments.length > 0 && { attachments }) },
});

function chat(at: number, order: Order | undefined) {
  const { id = '', buyer } = order ?? {};
  const said = [
    { participant: SELLER, message: `The buyer of order ${id} says that nothing arrived.` },
    {
      participant: SELLER,
      message: `The buyer can be reached at ${buyer?.email ?? ''} or ${buyer?.phone ?? ''}.`,
    },
    { participant: SUPPORT, message: 'The carrier has a signature. The claim was closed in your favor.' },
  ];
  const events = said.map((one, n) => ({ timestamp: isoSeconds(at + n * 60_000), type: 'MESSAGE', ...one }));
  const transcript = said
    .map(({ participant, message }) => `${participant.displayName}: ${message}`)
    .join('\n');
  return { channel: 'CHAT', at, chatContent: { events, transcript } };
}

function finish({
  contacts,
  created,
  ...about
}: ReturnType<typeof begin> & { contacts: readonly Contact[] }): SupportCase {
  const last = Math.max(...contacts.map(({ at }) => at));
  return {
    shown: {
      ...about,
      primaryEmail: EMAIL,
      ccEmails: ['accounts@sandbox-seller.example'],
      createdDate: isoSeconds(created),
      lastUpdatedDate: isoSeconds(last + HOUR_MS),
      ...(last > created && { lastOutboundDate: isoSeconds(last) }),
      ...(about.status === 'RESOLVED' && { resolvedDate: isoSeconds(last + HOUR_MS) }),
      appointments: [],
    },
    contacts: contacts.map(({ at, ...contact }, n) => ({
      contactId: `${about.caseId}-${n + 1}`,
      createdDate: isoSeconds(at),
      ...contact,
    })),
  };
}
