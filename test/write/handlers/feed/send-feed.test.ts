/** Feeds from document to report, against the sandbox over loopback: what is sent, how it ends, and what never happens twice. */

import { describe, expect, it } from 'vitest';
import {
  AccountChangedError,
  CancelledError,
  CredentialError,
  RateLimitError,
} from '../../../../src/base/errors.ts';
import { documentOfBytes } from '../../../../src/write/handlers/document/outgoing-document.ts';
import type { Feed, FeedResult } from '../../../../src/write/handlers/feed/feed.ts';
import type { FeedParts } from '../../../../src/write/handlers/feed/feed-parts.ts';
import { describeDelay } from '../../../../src/write/handlers/feed/follow-feed.ts';
import { joinReport } from '../../../../src/write/handlers/feed/join-report.ts';
import {
  buildListingsFeed,
  type ListingsFeedItem,
} from '../../../../src/write/handlers/feed/listings-feed.ts';
import { sendFeed } from '../../../../src/write/handlers/feed/send-feed.ts';
import { fakeClock } from '../../../helpers/fake-clock.ts';
import { type FeedSetup, setUpFeeds, US } from './helpers.ts';

const price = (sku: string, amount: number): ListingsFeedItem => ({
  sku,
  productType: 'PRODUCT',
  patches: [
    {
      op: 'replace',
      path: '/attributes/purchasable_offer',
      value: [
        { currency: 'USD', our_price: [{ schedule: [{ value_with_tax: amount }] }], marketplace_id: US },
      ],
    },
  ],
});

const feedOf = ({ sandbox }: FeedSetup, ...items: ListingsFeedItem[]): Feed =>
  buildListingsFeed(items, { sellerId: sandbox.sellerId, marketplaceIds: [US] });

const ended = (result: FeedResult) => {
  if (result.state !== 'ended') throw new Error(`it is ${result.state}`);
  return result;
};

it('a feed is uploaded with its content type, created once, followed, and its report joined with what was sent', async () => {
  const setup = await setUpFeeds();
  const feed = feedOf(setup, price('MUG-SAND-350', 17), price('NO-SUCH-SKU', 3), price('LMP-CON-BLU-28', -5));
  const result = ended(await sendFeed(feed, setup.parts()));
  expect(result).toMatchObject({ status: 'DONE', report: { form: 'json', processed: 3 } });
  expect(
    joinReport(feed.messages, result).map(({ sku, outcome, issues }) => [sku, outcome, issues[0]?.code]),
  ).toEqual([
    ['MUG-SAND-350', 'accepted', undefined],
    ['NO-SUCH-SKU', 'not_accepted', 'NOT_FOUND'],
    ['LMP-CON-BLU-28', 'not_accepted', expect.any(String)],
  ]);
  expect(setup.noted.map((steps) => Object.keys(steps))).toEqual([
    ['documentId', 'documentAt'],
    ['documentId', 'documentAt', 'creating'],
    ['documentId', 'documentAt', 'creating', 'feedId', 'createdAt'],
  ]);
  const [steps] = setup.noted;
  const bytes = setup.sandbox.uploaded(steps?.documentId ?? '');
  expect(JSON.parse(bytes?.toString() ?? '')).toMatchObject({
    header: { sellerId: setup.sandbox.sellerId, version: '2.0' },
    messages: [{ messageId: 1, sku: 'MUG-SAND-350', operationType: 'PATCH', productType: 'PRODUCT' }, {}, {}],
  });
  expect(setup.sent('createFeed')).toBe(1);
});

describe('a feed that ends otherwise', () => {
  it('FATAL: nothing of it is told as accepted', async () => {
    const setup = await setUpFeeds();
    setup.sandbox.nextFeed({ ends: 'FATAL' });
    const feed = feedOf(setup, price('MUG-SAND-350', 17));
    const result = ended(await sendFeed(feed, setup.parts()));
    expect(result.status).toBe('FATAL');
    expect(joinReport(feed.messages, result)).toMatchObject([{ outcome: 'unknown' }]);
  });

  it('CANCELLED: nothing of it was done', async () => {
    const setup = await setUpFeeds();
    setup.sandbox.nextFeed({ ends: 'CANCELLED' });
    const feed = feedOf(setup, price('MUG-SAND-350', 17));
    const result = ended(await sendFeed(feed, setup.parts()));
    expect(joinReport(feed.messages, result)).toMatchObject([{ outcome: 'not_accepted' }]);
  });

  it('with a report that is no JSON: its beginning is kept, and nothing is told as accepted', async () => {
    const setup = await setUpFeeds();
    setup.sandbox.nextFeed({ report: '<html>Service Unavailable</html>' });
    const feed = feedOf(setup, price('MUG-SAND-350', 17));
    const result = ended(await sendFeed(feed, setup.parts()));
    expect(result).toMatchObject({
      status: 'DONE',
      report: { form: 'unknown', beginning: expect.stringContaining('<html>') },
    });
    expect(joinReport(feed.messages, result)).toMatchObject([{ outcome: 'unknown' }]);
  });

  it('whose report cannot be fetched: it has ended all the same, and says why', async () => {
    const setup = await setUpFeeds();
    setup.sandbox.faults.next({ operation: 'downloadDocument', status: 404, times: 2 });
    const result = ended(await sendFeed(feedOf(setup, price('MUG-SAND-350', 17)), setup.parts()));
    expect(result).toMatchObject({ status: 'DONE', reportProblem: { code: 'HTTP_404' } });
  });

  it('that stays in progress is under way, with its id; the next run goes on with it', async () => {
    const setup = await setUpFeeds();
    setup.sandbox.nextFeed({ takesMs: 1_500 });
    const feed = feedOf(setup, price('MUG-SAND-350', 17));
    const ending = new AbortController();
    const sending = sendFeed(feed, setup.parts({ ending: ending.signal }));
    await expect.poll(() => setup.sent('getFeed')).toBeGreaterThan(0);
    ending.abort();
    const result = await sending;
    expect(result).toMatchObject({ state: 'under way', status: 'IN_PROGRESS', feedId: expect.any(String) });
    const steps = setup.noted.at(-1) ?? {};
    expect(ended(await sendFeed(feed, setup.parts({ steps })))).toMatchObject({ status: 'DONE' });
    expect(setup.sent('createFeed')).toBe(1);
  });
});

describe('an upload', () => {
  it('refused for its content type is told as refused, and no feed is created', async () => {
    const setup = await setUpFeeds();
    const feed = feedOf(setup, price('MUG-SAND-350', 17));
    // The place is asked for with one type, the upload sent with another.
    const client = { call: setup.parts().client.call };
    const parts = setup.parts({
      client: {
        call: (input, options) =>
          client.call(
            input.operation.name === 'createFeedDocument'
              ? { ...input, body: { contentType: 'text/xml' } }
              : input,
            options,
          ),
      },
    });
    const result = await sendFeed(feed, parts);
    expect(result).toMatchObject({
      state: 'not accepted',
      error: { code: 'UPLOAD_REFUSED' },
    });
    expect(setup.sent('createFeed')).toBe(0);
  });

  it('whose address has ended goes to a new one', async () => {
    const setup = await setUpFeeds();
    setup.sandbox.faults.next({
      operation: 'uploadDocument',
      status: 403,
      body: '<Error><Message>Request has expired</Message></Error>',
    });
    const result = ended(await sendFeed(feedOf(setup, price('MUG-SAND-350', 17)), setup.parts()));
    expect(result.status).toBe('DONE');
    expect(setup.sent('createFeedDocument')).toBe(2);
  });
});

describe('createFeed', () => {
  it('with a 429 goes another time, with the document that is there', async () => {
    const setup = await setUpFeeds();
    const feed = feedOf(setup, price('MUG-SAND-350', 17));
    const submit = () => Promise.reject(new RateLimitError(120_000, 'There is no place for two minutes.'));
    const result = await sendFeed(feed, setup.parts({ submit }));
    // It had not left: a process that is killed while it waits leaves nothing in doubt.
    expect(setup.noted.some(({ creating }) => creating !== undefined)).toBe(false);
    expect(result).toMatchObject({ state: 'later', afterMs: 120_000 });
    const steps = setup.noted.at(-1) ?? {};
    expect(steps).toEqual({ documentId: expect.any(String), documentAt: expect.any(String) });
    expect(ended(await sendFeed(feed, setup.parts({ steps }))).status).toBe('DONE');
    expect(setup.sent('createFeedDocument')).toBe(1);
  });

  it('that left and was refused is noted as not begun: another process would look for it in vain', async () => {
    const setup = await setUpFeeds();
    const feed = feedOf(setup, price('MUG-SAND-350', 17));
    const isBegun = () => setup.noted.at(-1)?.creating !== undefined;
    const seen: boolean[] = [];
    const submit: FeedParts['submit'] = async (_body, dispatchHooks) => {
      await dispatchHooks.beforeDispatch();
      seen.push(isBegun());
      await dispatchHooks.onNotApplied();
      seen.push(isBegun());
      await dispatchHooks.beforeDispatch();
      throw new RateLimitError(120_000, 'There is no place for two minutes.');
    };
    await sendFeed(feed, setup.parts({ submit }));
    expect([...seen, isBegun()]).toEqual([true, false, false]);
    expect(setup.noted.at(-1)).toHaveProperty('documentId');
  });

  it('that may have arrived is looked for from then on, however late another attempt leaves', async () => {
    const setup = await setUpFeeds();
    const clock = fakeClock();
    const times: (string | undefined)[] = [];
    const leave = async (dispatchHooks: Parameters<FeedParts['submit']>[1]) => {
      await dispatchHooks.beforeDispatch();
      times.push(setup.noted.at(-1)?.creating);
      clock.jump(120_000);
    };
    const submit: FeedParts['submit'] = async (_body, dispatchHooks) => {
      // Refused, without an answer, refused.
      await leave(dispatchHooks);
      await dispatchHooks.onNotApplied();
      for (let attempt = 0; attempt < 2; attempt += 1) await leave(dispatchHooks);
      await dispatchHooks.onNotApplied();
      times.push(setup.noted.at(-1)?.creating);
      throw new RateLimitError(120_000, 'There is no place for two minutes.');
    };
    await sendFeed(feedOf(setup, price('MUG-SAND-350', 17)), setup.parts({ clock, submit }));
    const [refused, inDoubt, ...later] = times;
    expect(inDoubt).not.toBe(refused);
    expect(later).toEqual([inDoubt, inDoubt]);
  });

  it('without an answer is looked for and found, never sent again', async () => {
    const setup = await setUpFeeds();
    setup.sandbox.faults.next({ operation: 'createFeed', reset: true, when: 'after' });
    const result = ended(await sendFeed(feedOf(setup, price('MUG-SAND-350', 17)), setup.parts()));
    expect(result.status).toBe('DONE');
    expect(setup.sent('createFeed')).toBe(1);
    expect(setup.noted.at(-1)).toMatchObject({ feedId: result.feedId });
  });

  it('without an answer and without a feed is unknown, never sent again', async () => {
    const setup = await setUpFeeds();
    setup.sandbox.faults.next({ operation: 'createFeed', reset: true });
    const clock = fakeClock();
    clock.jump(Date.now() - clock.wallClock());
    const sending = sendFeed(feedOf(setup, price('MUG-SAND-350', 17)), setup.parts({ clock }));
    await expect.poll(() => clock.sleeping()).toBe(1);
    await clock.advance(60_000);
    const result = await sending;
    expect(result).toMatchObject({
      state: 'unknown',
      candidates: [],
      error: { message: expect.stringContaining('not sent again') },
    });
    expect(setup.sent('createFeed')).toBe(1);
    // The next run looks again, and nothing more.
    const again = sendFeed(
      feedOf(setup, price('MUG-SAND-350', 17)),
      setup.parts({ clock, steps: setup.noted.at(-1) ?? {} }),
    );
    await expect.poll(() => clock.sleeping()).toBe(1);
    await clock.advance(60_000);
    expect(await again).toMatchObject({ state: 'unknown' });
    expect(setup.sent('createFeed')).toBe(1);
  });

  it('where two may be it, is unknown and names both', async () => {
    const setup = await setUpFeeds();
    const feed = feedOf(setup, price('MUG-SAND-350', 17));
    await sendFeed(feed, setup.parts());
    await sendFeed(feed, setup.parts());
    const creating = new Date().toISOString();
    const result = await sendFeed(feed, setup.parts({ steps: { documentId: 'd', creating } }));
    expect(result).toMatchObject({ state: 'unknown', candidates: [expect.any(String), expect.any(String)] });
  });

  it('without an answer is never taken for one that was there before its document', async () => {
    const setup = await setUpFeeds();
    const feed = feedOf(setup, price('MUG-SAND-350', 17));
    await sendFeed(feed, setup.parts());
    const documentAt = new Date(Date.now() + 5_000).toISOString();
    const steps = { documentId: 'd', documentAt, creating: documentAt };
    const clock = fakeClock();
    const looking = sendFeed(feed, setup.parts({ clock, steps }));
    await expect.poll(() => clock.sleeping()).toBe(1);
    await clock.advance(60_000);
    expect(await looking).toMatchObject({ state: 'unknown', candidates: [] });
  });

  it.each([
    new AccountChangedError('The account is another seller now.'),
    new CredentialError('missing', 'There are no credentials.'),
  ])(
    'that was not sent for what somebody has to put right first (%s) is not refused for good',
    async (error) => {
      const setup = await setUpFeeds();
      const feed = feedOf(setup, price('MUG-SAND-350', 17));
      const submit = () => Promise.reject(error);
      expect(await sendFeed(feed, setup.parts({ submit }))).toMatchObject({ state: 'later', error });
      expect(setup.sent('createFeed')).toBe(0);
    },
  );

  it('that the service refuses is not accepted, and nothing of it is applied', async () => {
    const setup = await setUpFeeds();
    const feed = { ...feedOf(setup, price('MUG-SAND-350', 17)), marketplaceIds: ['A1PA6795UKMFR9'] };
    expect(await sendFeed(feed, setup.parts())).toMatchObject({
      state: 'not accepted',
      error: { status: 400 },
    });
  });
});

it('a cancelled run ends, and what it had noted is enough to go on', async () => {
  const setup = await setUpFeeds({ feedSpeed: 1 });
  const feed = feedOf(setup, price('MUG-SAND-350', 17));
  const ending = new AbortController();
  const sending = sendFeed(feed, setup.parts({ signal: ending.signal }));
  await expect.poll(() => setup.noted.at(-1)?.feedId).toBeDefined();
  ending.abort(new CancelledError('gone'));
  // Whether it waits or asks at that moment.
  await expect(sending).rejects.toBeInstanceOf(CancelledError);
  expect(setup.sent('createFeed')).toBe(1);
});

it('a table is joined by its SKUs', async () => {
  const setup = await setUpFeeds();
  const text = 'sku\tprice\nMUG-SAND-350\t12.00\nNOT-THERE\t1.00\n';
  const document = documentOfBytes(Buffer.from(text), 'text/tab-separated-values; charset=UTF-8');
  const messages = [
    { messageId: 1, sku: 'MUG-SAND-350' },
    { messageId: 2, sku: 'NOT-THERE' },
  ];
  const feed: Feed = {
    feedType: 'POST_FLAT_FILE_PRICEANDQUANTITYONLY_UPDATE_DATA',
    marketplaceIds: [US],
    document,
    messages,
  };
  const result = ended(await sendFeed(feed, setup.parts()));
  expect(result.report).toMatchObject({ form: 'table', processed: 2, accepted: 1 });
  expect(joinReport(messages, result)).toMatchObject([
    { sku: 'MUG-SAND-350', outcome: 'accepted' },
    { sku: 'NOT-THERE', outcome: 'not_accepted', issues: [{ code: '13013', severity: 'ERROR' }] },
  ]);
});

it('a feed that takes longer than most is told as one that holds up others', () => {
  expect(describeDelay(29 * 60_000)).toBe('');
  expect(describeDelay(45 * 60_000)).toBe(' since 45 minutes, longer than most: those behind it wait');
});
