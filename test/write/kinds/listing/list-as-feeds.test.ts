/** Listings of a list, read again together: each held against its own values, what is gone or cannot be read against none. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toObject } from '../../../../src/base/json.ts';
import { listingsParts } from '../../../../src/write/kinds/listing/check-and-read-back.ts';
import { findListingsPlace } from '../../../../src/write/kinds/listing/find-place.ts';
import { asFeeds, createFeedListSender } from '../../../../src/write/kinds/listing/list-as-feeds.ts';
import { type ListedWrite, listedWrite } from '../../../../src/write/plan/listed-write.ts';
import { prepareWrite } from '../../../../src/write/plan/prepare-write.ts';
import { restoreWrite, type StoredWrite, storeWrite } from '../../../../src/write/run/many/stored-write.ts';
import { startToolRunner, type ToolRunner, toolContext } from '../../../helpers/tool-runner.ts';

const US = 'ATVPDKIKX0DER';
const SKUS = ['S-1', 'S-2', 'S-3'];
const QUICK = { 'x-amzn-RateLimit-Limit': '1000' };
const titleOf = (value: string) => [{ value, language_tag: 'en_US', marketplace_id: US }];

let runner: ToolRunner;
let titles: Map<string, string>;
beforeEach(async () => {
  // All alike: only its own state says something of a listing.
  titles = new Map(SKUS.map((sku) => [sku, 'before']));
  const show = (sku: string) => ({
    sku,
    summaries: [{ marketplaceId: US, productType: 'LAMP', itemName: titles.get(sku) }],
    attributes: { item_name: titleOf(titles.get(sku) ?? '') },
  });
  runner = await startToolRunner(({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://service');
    const asked = searchParams.get('identifiers')?.split(',') ?? [pathname.split('/').at(-1) ?? ''];
    const found = asked.filter((sku) => titles.has(sku)).map(show);
    if (searchParams.has('identifiers'))
      return { headers: QUICK, body: { numberOfResults: found.length, items: found } };
    const [only] = found;
    return only === undefined ? { headers: QUICK, status: 404, body: {} } : { headers: QUICK, body: only };
  });
});
afterEach(() => runner.close());

const patching = async () =>
  (await runner.session.program.registry()).find('listings-items/patchListingsItem');

async function prepared(): Promise<ListedWrite[]> {
  const { session } = runner;
  const operation = await patching();
  const writes = SKUS.map(async (sku) => {
    const asked = {
      parameters: { sku, marketplaceIds: [US] },
      body: {
        productType: 'LAMP',
        patches: [{ op: 'replace', path: '/attributes/item_name', value: titleOf('wanted') }],
      },
    };
    return listedWrite(
      sku,
      await prepareWrite({ operation, account: 'default', asked }, toolContext(session)),
    );
  });
  return Promise.all(writes);
}

async function listed(): Promise<StoredWrite[]> {
  const operation = await patching();
  return (await prepared()).flatMap((write) => restoreWrite(storeWrite(write), 'default', operation) ?? []);
}

async function partsOf() {
  const place = await findListingsPlace('default', US, runner.session);
  return listingsParts(place, toolContext(runner.session));
}

const signal = new AbortController().signal;

it.each(SKUS)('only %s is as it was shown: the others are not sent', async (own) => {
  const writes = await listed();
  const [changed = '', gone = ''] = SKUS.filter((sku) => sku !== own);
  titles.set(changed, 'of somebody else');
  titles.delete(gone);
  const found = await (await partsOf()).checkMany(writes, signal);
  expect(found).toEqual(
    new Map([
      [own, 'as_shown'],
      [changed, 'changed'],
      [gone, 'changed'],
    ]),
  );
});

it('after the last was accepted each tells of itself, and one that cannot be found tells nothing', async () => {
  const writes = await listed();
  titles.set('S-1', 'wanted');
  titles.delete('S-3');
  const parts = await partsOf();
  expect(await parts.readManyBack(writes, signal)).toEqual(
    new Map([
      ['S-1', 'same'],
      ['S-2', 'not_yet'],
    ]),
  );
  titles.set('S-2', 'of somebody else');
  expect((await parts.readManyBack(writes, signal)).get('S-2')).toBe('differs');
});

it('a document that was uploaded is not used once one of its listings was changed from here', async () => {
  const place = await findListingsPlace('default', US, runner.session);
  const ctx = toolContext(runner.session);
  const slow = { rate: { requestsPerSecond: 0.001 } };
  const { items: [feed] = [] } = await asFeeds({ writes: await prepared() }, slow, place, runner.session);
  const never = async () => {
    throw new Error('no single write');
  };
  const sendWith = async (changed: string) => {
    const sender = createFeedListSender(
      { atOnce: 1, send: never, look: never },
      { place, batch: '0a0b0c0d', ctx, isChangedSince: async ({ parameters }) => parameters.sku === changed },
    );
    const steps = { changed: [], kept: true, documentId: 'OLD' };
    await sender.send(feed ?? { key: '', value: undefined }, {
      steps,
      signal,
      ending: signal,
      note: async () => undefined,
    });
    return runner.calls().findLast(({ path, method }) => method === 'POST' && path.startsWith('/feeds/'));
  };
  expect((await sendWith('none'))?.json).toMatchObject({ inputFeedDocumentId: 'OLD' });
  expect((await sendWith('S-2'))?.path).toMatch(/\/documents$/);
});

describe('a feed that goes out', () => {
  const SLOW = { rate: { requestsPerSecond: 0.001 } };
  const single = async () => {
    throw new Error('no single write');
  };
  async function feedOf(writes: readonly ListedWrite[]) {
    const place = await findListingsPlace('default', US, runner.session);
    const { items: [feed] = [] } = await asFeeds({ writes }, SLOW, place, runner.session);
    if (feed === undefined) throw new Error('no feed');
    const sender = createFeedListSender(
      { atOnce: 1, send: single, look: single },
      { place, batch: '0a0b0c0d', ctx: toolContext(runner.session), isChangedSince: async () => false },
    );
    const noted: unknown[] = [];
    const note = async (steps: unknown) => {
      noted.push(steps);
    };
    const send = (item = feed) => sender.send(item, { steps: undefined, signal, ending: signal, note });
    return { feed, send, noted };
  }
  const posted = () => runner.calls().filter(({ method }) => method !== 'GET');

  /** Each way in which somebody else may have changed some of the listings, and not the others. */
  const worlds = Array.from({ length: 2 ** SKUS.length }, (_, world) =>
    SKUS.filter((_sku, at) => Math.floor(world / 2 ** at) % 2 === 1),
  );
  it.each(worlds.map((skus) => [skus]))(
    'leaves out what somebody else changed meanwhile: %j',
    async (skus) => {
      const { send, noted } = await feedOf(await prepared());
      for (const sku of skus) titles.set(sku, 'of somebody else');
      await send();
      expect(noted[0]).toEqual({ changed: skus, kept: true });
      expect(posted().length > 0).toBe(skus.length < SKUS.length);
    },
  );

  it('is the one that was confirmed: nothing is sent of another', async () => {
    const { feed, send } = await feedOf(await prepared());
    const { document, ...value } = toObject(feed.value);
    const other = { ...feed, value: { ...value, document: { ...toObject(document), sha256: 'another' } } };
    await send(other);
    expect(posted()).toEqual([]);
    await send();
    expect(posted()).not.toEqual([]);
  });
});

it('what the person took out of a list is in none of its feeds, and the rest is confirmed as if it had never been there', async () => {
  const { session } = runner;
  const place = await findListingsPlace('default', US, session);
  const slow = { rate: { requestsPerSecond: 0, burst: 1 } };
  const writes = await prepared();
  const kept = writes.filter(({ key }) => key !== 'S-2');
  const whole = await asFeeds({ writes }, slow, place, session);
  const left = await whole.itemsOf?.(kept);
  const alone = await asFeeds({ writes: kept }, slow, place, session);
  expect(JSON.stringify([...(whole.content ?? [])])).toContain('S-2');
  expect([...(left?.content ?? [])]).toEqual([...(alone.content ?? [])]);
  expect(left?.items).toEqual(alone.items);
  expect(JSON.stringify([...(left?.content ?? [])])).not.toContain('S-2');
});
