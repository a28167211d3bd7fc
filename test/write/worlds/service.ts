/**
 * Simulates a seller's listings and stores at the service: submitted and offered values become visible late,
 * others write too, stock sells, and the service refuses, answers late, or loses its answer.
 */

import * as z from 'zod';
import { NetworkError } from '../../../src/base/errors.ts';
import { parseJson } from '../../../src/base/json.ts';
import type { ApiRequest, ApiResponse } from '../../../src/call/api-request.ts';
import { createRandom } from '../../helpers/random.ts';

export const US = 'ATVPDKIKX0DER';
export const SKUS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L'] as const;
export const STORES = ['S1', 'S2', 'S3'] as const;

export const isStore = (thing: string): boolean => STORES.some((store) => store === thing);

/** Members are sent with those that stand in the same part of the listing, or of the store. */
const PARTS = {
  purchasable_offer: ['price', 'minimum_price'],
  fulfillment_availability: ['quantity', 'handling_time'],
  store: ['alias', 'timezone'],
} as const;
export type Member = (typeof PARTS)[keyof typeof PARTS][number];
export const MEMBERS: readonly Member[] = Object.values(PARTS).flat();
export type Value = number | string;

/** Describes how the service behaves; a frequency is a number of calls in a hundred. */
export interface Mood {
  seed: number;
  refuses: number;
  loses: number;
  isBusy: number;
  latencyMs: number;
  /** Limits each of the two delays of a write: until it shows as submitted, and then as offered. */
  unseenMs: number;
  /** States the rate limit of writes that its answers report. */
  perSecond: number;
  /** Limits how long a tool call may take. */
  callMs: number;
}

/**
 * Records one value that a member was given, by whom, and since when a read shows it as submitted and as
 * offered.
 */
export interface Write {
  by: 'us' | 'other' | 'sale' | 'start';
  value: Value;
  at: number;
  submittedAt: number;
  offeredAt: number;
}

/** Records a write of ours that arrived. */
export interface Arrival {
  thing: string;
  /** Identifies the process that sent it. */
  pid: number;
  /** Holds all members of the parts that were sent. */
  values: ReadonlyMap<Member, Value>;
  at: number;
  isAccepted: boolean;
  /** Is true where the answer came back. */
  isAnswered: boolean;
  /** Is true where it came as a message of a feed. */
  isFeed: boolean;
}

/** Tells a request that changes something from one that reads, or only asks whether a change would be accepted. */
export const isWrite = ({ operation, url }: ApiRequest): boolean =>
  ['patchListingsItem', 'updateSupplySource', 'createFeed'].includes(operation.name) &&
  !new URL(url).searchParams.has('mode');

export type Service = ReturnType<typeof createService>;

const NEVER_OFFERED: readonly Member[] = ['minimum_price', 'handling_time', 'alias', 'timezone'];

const patchSchema = z.object({
  patches: z.array(z.object({ path: z.string(), value: z.array(z.looseObject({})) })),
});
const amount = z.array(z.object({ schedule: z.array(z.object({ value_with_tax: z.number() })) }));
const offerSchema = z.object({ our_price: amount, minimum_seller_allowed_price: amount });
const stockSchema = z.object({ quantity: z.number(), lead_time_to_ship_max_days: z.number() });
const feedSchema = z.object({
  messages: z.array(patchSchema.extend({ messageId: z.number(), sku: z.string() })),
});
const storeSchema = z.object({ alias: z.string(), configuration: z.object({ timezone: z.string() }) });

/**
 * Creates the service. @param now milliseconds of the simulated clock @param onArrival runs before a write
 * takes effect
 */
export function createService(given: Mood, now: () => number, onArrival: (arrival: Arrival) => void) {
  let mood = given;
  const random = createRandom(mood.seed);
  const among = (hundred: number) => random() * 100 < hundred;
  const members = new Map<string, Write[]>();
  const refused = new Set<string>();
  const arrivals: Arrival[] = [];
  const feeds: Feed[] = [];
  /** Lists when feeds were created whose answers were lost. */
  const lostFeeds: number[] = [];
  /** Maps the address of each document, which ends in its ID, to its text. */
  const documents = new Map<string, string>();
  const delays = () => [random() * mood.unseenMs, random() * mood.unseenMs];
  let downUntil = 0;

  const setsOf = (thing: string, member: Member): Write[] => {
    const key = `${thing} ${member}`;
    const known = members.get(key) ?? [];
    members.set(key, known);
    return known;
  };
  const set = (thing: string, member: Member, value: Value, by: Write['by'], delays = [0, 0]) => {
    const [submitted = 0, offered = 0] = delays;
    const at = now();
    const submittedAt = by === 'sale' ? Number.POSITIVE_INFINITY : at + submitted;
    setsOf(thing, member).push({ by, value, at, submittedAt, offeredAt: at + submitted + offered });
  };
  /** Returns the time since when a read shows a write. */
  const seenAt = (member: Member, write: Write): number =>
    NEVER_OFFERED.includes(member) ? write.submittedAt : write.offeredAt;
  const seen = (thing: string, member: Member, which: 'submittedAt' | 'offeredAt'): Value =>
    setsOf(thing, member).findLast((one) => one[which] <= now())?.value ?? 0;
  /** Returns the value that a read shows. */
  const shown = (thing: string, member: Member): Value =>
    setsOf(thing, member).findLast((one) => seenAt(member, one) <= now())?.value ?? 0;

  const takes = (pid: number, thing: string, values: ReadonlyMap<Member, Value>): Arrival => {
    const isAccepted = !refused.has(thing) && !among(mood.refuses);
    const arrival = {
      thing,
      pid,
      values,
      at: now(),
      isAccepted,
      isAnswered: !among(mood.loses),
      isFeed: false,
    };
    arrivals.push(arrival);
    onArrival(arrival);
    const late = delays();
    if (isAccepted) {
      for (const [member, value] of values) {
        if (setsOf(thing, member).at(-1)?.value !== value) set(thing, member, value, 'us', late);
      }
    }
    return arrival;
  };
  /** Processes each message; what it sets counts as of another writer, because no change of a listing records it. */
  const process = (feed: Feed) => {
    const { messages } = feedSchema.parse(parseJson(documents.get(feed.document) ?? ''));
    const issues = messages.flatMap(({ messageId, sku, ...json }) => {
      const isAccepted = !refused.has(sku) && !among(mood.refuses);
      const values = patched(json);
      const arrival = { thing: sku, pid: 0, values, at: now(), isAccepted, isAnswered: true, isFeed: true };
      arrivals.push(arrival);
      onArrival(arrival);
      if (!isAccepted) return [{ messageId, code: '1', severity: 'ERROR', message: 'No.' }];
      for (const [member, value] of values) set(sku, member, value, 'other', delays());
      return [];
    });
    const [messagesProcessed, errors] = [messages.length, issues.length];
    const summary = { errors, warnings: 0, messagesProcessed, messagesAccepted: messagesProcessed - errors };
    documents.set(
      `report-${feed.feedId}`,
      JSON.stringify({ issues, summary: { ...summary, messagesInvalid: errors } }),
    );
    feed.processingStatus = 'DONE';
    feed.resultFeedDocumentId = `report-${feed.feedId}`;
  };
  const answerFeed = (name: string, thing: string, json: unknown): Answer | undefined => {
    const url = (id: string) => `https://files.example/${id}`;
    switch (name) {
      case 'createFeedDocument': {
        const feedDocumentId = `document-${feeds.length}-${documents.size}`;
        return { status: 201, body: { feedDocumentId, url: url(feedDocumentId) } };
      }
      case 'createFeed': {
        const { inputFeedDocumentId: document } = createdSchema.parse(json);
        const createdTime = new Date().toISOString();
        const feedId = `feed-${feeds.length}`;
        const feed: Feed = { feedId, feedType: FEED, createdTime, document, processingStatus: 'IN_QUEUE' };
        feeds.push(feed);
        setTimeout(() => process(feed), 5_000 + random() * mood.unseenMs);
        if (!among(mood.loses)) return { status: 202, body: { feedId: feed.feedId } };
        lostFeeds.push(now());
        return undefined;
      }
      case 'getFeeds':
        return { status: 200, body: { feeds } };
      case 'getFeed':
        return { status: 200, body: feeds.find(({ feedId }) => feedId === thing) };
      case 'getFeedDocument':
        return { status: 200, body: { feedDocumentId: thing, url: url(thing) } };
      default:
        return { status: 404, body: { errors: [] } };
    }
  };
  const show = (sku: string) => ({
    sku,
    summaries: [{ marketplaceId: US, productType: 'LAMP', itemName: `Lamp ${sku}` }],
    attributes: {
      purchasable_offer: [
        offer(seen(sku, 'price', 'submittedAt'), seen(sku, 'minimum_price', 'submittedAt')),
      ],
      fulfillment_availability: [
        {
          fulfillment_channel_code: 'DEFAULT',
          marketplace_id: US,
          quantity: seen(sku, 'quantity', 'submittedAt'),
          lead_time_to_ship_max_days: seen(sku, 'handling_time', 'submittedAt'),
        },
      ],
    },
    offers: [
      {
        marketplaceId: US,
        offerType: 'B2C',
        price: { currencyCode: 'USD', amount: String(shown(sku, 'price')) },
      },
    ],
    fulfillmentAvailability: [{ fulfillmentChannelCode: 'DEFAULT', quantity: shown(sku, 'quantity') }],
  });
  const showStore = (supplySourceId: string) => ({
    supplySourceId,
    supplySourceCode: supplySourceId.toLowerCase(),
    alias: shown(supplySourceId, 'alias'),
    status: 'Active',
    configuration: { timezone: shown(supplySourceId, 'timezone') },
  });
  /** Answers a request; returns undefined where the answer is lost. */
  const answer = ({ operation, url, body }: ApiRequest, pid: number): Answer | undefined => {
    const { pathname, searchParams } = new URL(url);
    if (pathname === '/auth/o2/token') {
      return { status: 200, body: { access_token: 'Atza|one', token_type: 'bearer', expires_in: 360_000 } };
    }
    if (among(mood.isBusy)) return { status: 429, body: { errors: [] } };
    const thing = decodeURIComponent(pathname.split('/').at(-1) ?? '');
    const json = parseJson(body ?? '');
    switch (operation.name) {
      case 'searchListingsItems': {
        const items = (searchParams.get('identifiers') ?? '').split(',').map(show);
        return { status: 200, body: { numberOfResults: items.length, items } };
      }
      case 'getListingsItem':
        return { status: 200, body: show(thing) };
      case 'getSupplySources':
        return { status: 200, body: { supplySources: STORES.map(showStore) } };
      case 'getSupplySource':
        return { status: 200, body: showStore(thing) };
      case 'patchListingsItem': {
        if (searchParams.has('mode'))
          return { status: 200, body: { sku: thing, status: 'VALID', issues: [] } };
        const { isAccepted, isAnswered } = takes(pid, thing, patched(json));
        const issues = isAccepted ? [] : [{ code: '1', message: 'No.', severity: 'ERROR' }];
        const status = isAccepted ? 'ACCEPTED' : 'INVALID';
        return isAnswered
          ? { status: 200, body: { sku: thing, status, submissionId: 's', issues } }
          : undefined;
      }
      case 'updateSupplySource': {
        const { alias, configuration } = storeSchema.parse(json);
        const values = new Map<Member, Value>([
          ['alias', alias],
          ['timezone', configuration.timezone],
        ]);
        const { isAccepted, isAnswered } = takes(pid, thing, values);
        if (!isAnswered) return undefined;
        return isAccepted
          ? { status: 204, body: undefined }
          : { status: 400, body: { errors: [{ code: 'X' }] } };
      }
      default:
        return answerFeed(operation.name, thing, json);
    }
  };
  for (const [at, sku] of SKUS.entries()) {
    set(sku, 'price', 100 + at, 'start');
    set(sku, 'minimum_price', 10 + at, 'start');
    set(sku, 'quantity', 20 + at, 'start');
    set(sku, 'handling_time', 2, 'start');
  }
  for (const store of STORES) {
    set(store, 'alias', `Store ${store}`, 'start');
    set(store, 'timezone', 'UTC', 'start');
  }
  return {
    arrivals,
    lostFeeds,
    refused,
    setsOf,
    shown,
    seenAt,
    /** Sets a member as somebody else or a sale does. */
    set,
    /** Makes the service accept and answer everything from now on. */
    calm() {
      mood = { ...mood, refuses: 0, loses: 0, isBusy: 0 };
      refused.clear();
    },
    delays,
    documents,
    /** Restarts: it refuses every connection for a while, and keeps what it has. */
    restart(ms: number) {
      downUntil = now() + ms;
    },
    /** Takes a request in the step in which its first byte is sent, and rejects it where it is too late. */
    async send(request: ApiRequest, pid: number): Promise<ApiResponse> {
      const late = request.whyTooLate?.();
      if (late !== undefined) throw late;
      const half = () => new Promise((resolve) => setTimeout(resolve, 1 + random() * mood.latencyMs));
      await half();
      if (now() < downUntil)
        throw new NetworkError('ECONNREFUSED', 'not-sent', 'The connection was refused.');
      const made = answer(request, pid);
      await half();
      if (made === undefined) throw new NetworkError('ECONNRESET', 'unknown', 'The connection was reset.');
      const perSecond = request.operation.effect === 'read' ? 20 : mood.perSecond;
      return { ...made, headers: { 'x-amzn-ratelimit-limit': String(perSecond) }, bytes: 100 };
    },
  };
}

const FEED = 'JSON_LISTINGS_FEED';
const createdSchema = z.object({ inputFeedDocumentId: z.string() });

interface Feed {
  feedId: string;
  feedType: string;
  createdTime: string;
  processingStatus: string;
  resultFeedDocumentId?: string;
  /** ID of the document that it was created with. */
  document: string;
}

interface Answer {
  status: number;
  body: unknown;
}

export const offer = (price: Value, minimum: Value) => ({
  currency: 'USD',
  audience: 'ALL',
  marketplace_id: US,
  our_price: schedule(price),
  minimum_seller_allowed_price: schedule(minimum),
});
const schedule = (value_with_tax: Value) => [{ schedule: [{ value_with_tax }] }];
const amountIn = ([price]: z.infer<typeof amount>) => price?.schedule[0]?.value_with_tax ?? 0;

function patched(json: unknown): Map<Member, Value> {
  const values = new Map<Member, Value>();
  for (const { path, value } of patchSchema.parse(json).patches) {
    const [entry] = value;
    if (path.endsWith('/purchasable_offer')) {
      const { our_price, minimum_seller_allowed_price } = offerSchema.parse(entry);
      values.set('price', amountIn(our_price)).set('minimum_price', amountIn(minimum_seller_allowed_price));
    } else if (path.endsWith('/fulfillment_availability')) {
      const { quantity, lead_time_to_ship_max_days: days } = stockSchema.parse(entry);
      values.set('quantity', quantity).set('handling_time', days);
    } else throw new Error(`The service has no ${path}`);
  }
  return values;
}
