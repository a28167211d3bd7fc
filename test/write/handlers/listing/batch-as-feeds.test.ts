/** Listings of a list, read again together: each held against its own values, what is gone or cannot be read against none. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError, WriteRefusedError } from '../../../../src/base/errors.ts';
import { toObject } from '../../../../src/base/json.ts';
import {
  createListingsSender,
  expandFeedList,
  splitLongListIntoFeeds,
} from '../../../../src/write/handlers/listing/batch-as-feeds.ts';
import { buildListingsBatchHandlers } from '../../../../src/write/handlers/listing/listings-batch-handlers.ts';
import { findListingsScope } from '../../../../src/write/handlers/listing/listings-scope.ts';
import type { Write } from '../../../../src/write/model/write.ts';
import { prepareWrite } from '../../../../src/write/plan/prepare-write.ts';
import { type BatchWrite, toBatchWrite } from '../../../../src/write/plan/prepared-batch.ts';
import { listingsOf, packListings } from '../../../../src/write/run/items/packed-listings.ts';
import { fromStoredItem, toStoredItem } from '../../../../src/write/run/items/stored-write.ts';
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

async function prepared(path = '/attributes/item_name'): Promise<BatchWrite[]> {
  const { session } = runner;
  const operation = await patching();
  const writes = SKUS.map(async (sku) => {
    const asked = {
      parameters: { sku, marketplaceIds: [US] },
      body: {
        productType: 'LAMP',
        patches: [{ op: 'replace', path, value: titleOf('wanted') }],
      },
    };
    return toBatchWrite(
      sku,
      await prepareWrite({ operation, account: 'default', asked }, toolContext(session)),
    );
  });
  return Promise.all(writes);
}

async function listed(path?: string): Promise<Write[]> {
  const operation = await patching();
  return (await prepared(path)).flatMap((write) => {
    const whose = { account: 'default', operation, owner: write.request.owner };
    return fromStoredItem(toStoredItem(write), whose) ?? [];
  });
}

async function partsOf() {
  const scope = await findListingsScope('default', US, runner.session);
  return buildListingsBatchHandlers(scope, toolContext(runner.session));
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

/** A path whose effect on the listing is not known. */
const ODD_PATH = '/attributes/item_name/0/value';

it('patches whose effect is not known are as they were shown while their listing is there, and nothing is read back of them', async () => {
  const writes = await listed(ODD_PATH);
  titles.set('S-1', 'of somebody else');
  titles.delete('S-3');
  const parts = await partsOf();
  expect(await parts.checkMany(writes, signal)).toEqual(
    new Map([
      ['S-1', 'as_shown'],
      ['S-2', 'as_shown'],
      ['S-3', 'changed'],
    ]),
  );
  expect(await parts.readManyBack(writes, signal)).toEqual(new Map());
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
  const scope = await findListingsScope('default', US, runner.session);
  const ctx = toolContext(runner.session);
  const slow = { rate: { requestsPerSecond: 0.001 } };
  const { items: [feed] = [] } = await splitLongListIntoFeeds(
    { writes: await prepared() },
    slow,
    scope,
    runner.session,
  );
  const never = async () => {
    throw new Error('no single write');
  };
  const sendWith = async (changed: string) => {
    const sender = createListingsSender(
      { atOnce: 1, send: never, look: never },
      { scope, batch: '0a0b0c0d', ctx, isChangedSince: async ({ parameters }) => parameters.sku === changed },
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

it('patches that take ten minutes at the limit go out one by one, one more as a feed that says what it changes', async () => {
  const { session } = runner;
  const scope = await findListingsScope('default', US, session);
  const list = { writes: await prepared() };
  const within = (minutes: number) => ({ rate: { requestsPerSecond: SKUS.length / (60 * minutes) } });
  expect(await splitLongListIntoFeeds(list, within(10), scope, session)).toBe(list);
  const { items, remarks } = await splitLongListIntoFeeds(list, within(10.01), scope, session);
  expect(items).toMatchObject([{ value: { what: expect.stringContaining('wanted') } }]);
  expect(remarks).toEqual([
    expect.stringMatching(/^Sent as a feed .* 3 patches would take more than 10 minutes/),
  ]);
});

describe('a feed that goes out', () => {
  const SLOW = { rate: { requestsPerSecond: 0.001 } };
  const single = async () => {
    throw new Error('no single write');
  };
  async function feedOf(writes: readonly BatchWrite[]) {
    const scope = await findListingsScope('default', US, runner.session);
    const { items: [feed] = [] } = await splitLongListIntoFeeds({ writes }, SLOW, scope, runner.session);
    if (feed === undefined) throw new Error('no feed');
    const sender = createListingsSender(
      { atOnce: 1, send: single, look: single },
      { scope, batch: '0a0b0c0d', ctx: toolContext(runner.session), isChangedSince: async () => false },
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
      for (const one of noted) expect(one).toMatchObject({ changed: skus, kept: true });
      expect(posted().length > 0).toBe(skus.length < SKUS.length);
    },
  );

  it.each(['/item_name', ODD_PATH])('holds patches of %s as they were confirmed', async (path) => {
    const { send, noted } = await feedOf(await prepared(path));
    titles.delete('S-2');
    await send();
    expect(noted[0]).toEqual({ changed: ['S-2'], kept: true });
    expect(posted()).not.toEqual([]);
  });

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
  const scope = await findListingsScope('default', US, session);
  const slow = { rate: { requestsPerSecond: 0, burst: 1 } };
  const writes = await prepared();
  const kept = writes.filter(({ key }) => key !== 'S-2');
  const whole = await splitLongListIntoFeeds({ writes }, slow, scope, session);
  const left = await whole.itemsOf?.(kept);
  const alone = await splitLongListIntoFeeds({ writes: kept }, slow, scope, session);
  expect(JSON.stringify([...(whole.content ?? [])])).toContain('S-2');
  expect([...(left?.content ?? [])]).toEqual([...(alone.content ?? [])]);
  expect(left?.items).toEqual(alone.items);
  expect(JSON.stringify([...(left?.content ?? [])])).not.toContain('S-2');
});

describe('a feed that was sent', () => {
  const SLOW = { rate: { requestsPerSecond: 0.001 } };
  const single = async () => {
    throw new Error('no single write');
  };
  async function open(given?: readonly BatchWrite[]) {
    const scope = await findListingsScope('default', US, runner.session);
    const { items: [feed] = [] } = await splitLongListIntoFeeds(
      { writes: given ?? (await prepared()) },
      SLOW,
      scope,
      runner.session,
    );
    if (feed === undefined) throw new Error('no feed');
    const of = {
      scope,
      batch: '0a0b0c0d',
      ctx: toolContext(runner.session),
      isChangedSince: async () => false,
    };
    const sender = createListingsSender({ atOnce: 1, send: single, look: single }, of);
    const noted: unknown[] = [];
    const note = async (steps: unknown) => {
      noted.push(steps);
    };
    const look = (steps: unknown) => sender.look(feed, steps, { steps, signal, ending: signal, note });
    const send = () => sender.send(feed, { steps: undefined, signal, ending: signal, note });
    return { feed, look, send, noted, expand: expandFeedList(scope) };
  }

  it.each([undefined, {}, { documentId: 'D1' }, { changed: 5 }])(
    'and not looked at before it was made of anything: with %j it is sent later',
    async (steps) => {
      const { look } = await open();
      const before = runner.calls().length;
      expect(await look(steps)).toEqual({ kind: 'later', why: 'The feed was not created yet.', afterMs: 0 });
      expect(runner.calls()).toHaveLength(before);
    },
  );

  it('of which all was changed by somebody else is over', async () => {
    const { look } = await open();
    expect(await look({ changed: SKUS, kept: true })).toEqual({
      kind: 'changed_since',
      why: 'All of its listings were changed since they were shown; not sent.',
    });
  });

  it('and whose creation was cut off is looked for, without what was changed', async () => {
    const { look, noted } = await open();
    const before = runner.calls().length;
    const steps = {
      changed: ['S-2'],
      kept: true,
      documentId: 'D1',
      creating: '2026-11-20T12:00:00.000Z',
      feedId: 'F1',
    };
    expect(await look(steps)).toMatchObject({ kind: 'left' });
    const asked = runner.calls().slice(before);
    expect(asked.map(({ method }) => method)).toEqual(['GET']);
    expect(asked[0]?.path).toContain('F1');
    for (const one of noted) expect(one).toMatchObject({ changed: ['S-2'], kept: true });
  });

  it.each([
    ['is under way', {}, { feedId: 'F1' }, 'left'],
    ['cannot be created yet', { writes: 'off' }, undefined, 'later'],
  ])('and %s has no end in the history', async (_, { writes }: { writes?: string }, more, kind) => {
    const { look, send } = await open();
    const journal = await runner.session.journal();
    const ended: unknown[] = [];
    journal.endList = async (...all) => {
      ended.push(all);
    };
    if (writes === 'off') {
      (await runner.session.writeGuard()).refuseDenied = () => {
        throw new WriteRefusedError('off', '');
      };
    }
    const steps = {
      changed: [],
      kept: true,
      documentId: 'D1',
      creating: '2026-11-20T12:00:00.000Z',
      ...more,
    };
    expect(await (more === undefined ? send() : look(steps))).toMatchObject({ kind });
    expect(ended).toEqual([]);
  });

  it('and has come to its end is ended in the history, each of its listings', async () => {
    const { feed, send } = await open();
    const journal = await runner.session.journal();
    const ended: unknown[] = [];
    journal.endList = async (...all) => {
      ended.push(all);
    };
    const { document, ...value } = toObject(feed.value);
    // Not what was confirmed any more: it is over without anything sent.
    feed.value = { ...value, document: { ...toObject(document), sha256: 'another' } };
    expect(await send()).toMatchObject({ kind: 'not_sent' });
    expect(ended).toEqual([['0a0b0c0d', SKUS.map((_sku, at) => [at + 1, expect.anything()])]]);
  });

  it('is not, while the values that it changes cannot be kept', async () => {
    const { send, noted } = await open();
    const journal = await runner.session.journal();
    journal.beginList = async () => {
      throw new ConfigError('no room');
    };
    expect(await send()).toEqual({ kind: 'later', why: 'no room', endsRun: true });
    journal.beginList = async () => {
      throw new Error('a mistake of ours');
    };
    await expect(send()).rejects.toThrow('a mistake of ours');
    expect(noted).toEqual([]);
    expect(runner.calls().filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('is told by each of its listings: what became of it, from what to what, and how it is taken back', async () => {
    const { feed, expand } = await open();
    const facts = (changed: readonly string[]) => ({
      feedId: 'F1',
      status: 'DONE',
      whole: [],
      // The numbers are those of the sent messages.
      told: [[1, 'S-1', 'not_accepted', [{ severity: 'ERROR', code: '9', message: 'odd' }]]],
      rest: 'accepted',
      unnamed: null,
      cut: 0,
      changed,
    });
    const ended = (changed: readonly string[]) =>
      expand({ ...feed, outcome: { kind: 'accepted', facts: facts(changed) } }, '0a0b0c0d') ?? [];
    const values = [{ member: 'title (en_US)', old: 'before', new: 'wanted' }];
    const [first, second, third, ...more] = ended([]);
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      key: 'S-1',
      outcome: { kind: 'not_accepted', why: expect.stringContaining('odd') },
    });
    expect(first?.undoId).toBeUndefined();
    expect(second).toMatchObject({ key: 'S-2', outcome: { kind: 'accepted' } });
    expect(second?.values).toHaveLength(values.length);
    expect(second?.values?.[0]).toMatchObject({ old: 'before', new: 'wanted' });
    expect(second?.undoId).toMatch(/^0a0b0c0d.*2$/);
    expect(third).toMatchObject({ key: 'S-3', outcome: { kind: 'accepted' } });
    const changed = ended(['S-2']);
    expect(changed.map(({ key, outcome }) => [key, outcome?.kind])).toEqual([
      ['S-1', 'not_accepted'],
      ['S-3', 'accepted'],
      ['S-2', 'changed_since'],
    ]);
    expect(changed[2]?.values?.[0]).toMatchObject({ old: 'before', new: 'wanted' });
    expect(changed[2]?.undoId).toBeUndefined();
    // Before its end nothing is known of any.
    const waiting = expand(feed, '0a0b0c0d') ?? [];
    expect(waiting.map(({ key, outcome, undoId }) => [key, outcome, undoId])).toEqual(
      SKUS.map((sku) => [sku, undefined, undefined]),
    );
    expect(expand({ key: 'x', value: { kind: 'other' } }, '0a0b0c0d')).toBeUndefined();
  });

  it.each(SKUS)('and from which %s was left out tells each by its number in what was sent', async (out) => {
    const { feed, expand } = await open();
    const sent = SKUS.filter((sku) => sku !== out);
    for (const [at, refused] of sent.entries()) {
      const facts = {
        feedId: 'F1',
        status: 'DONE',
        whole: [],
        told: [[at + 1, refused, 'not_accepted', []]],
        rest: 'accepted',
        unnamed: null,
        cut: 0,
        changed: [out],
      };
      const results = expand({ ...feed, outcome: { kind: 'accepted', facts } }, '0a0b0c0d') ?? [];
      expect(results.map(({ key, outcome }) => [key, outcome?.kind])).toEqual([
        ...sent.map((sku) => [sku, sku === refused ? 'not_accepted' : 'accepted']),
        [out, 'changed_since'],
      ]);
    }
  });

  it('tells no values of a listing that are a buyer’s, or that are not known', async () => {
    const { feed, expand } = await open();
    const all = [...(listingsOf(feed.value) ?? [])];
    const [one, two] = all;
    if (one === undefined || two === undefined) throw new Error('no listings');
    const { members: _members, ...unknown } = two;
    const value = {
      ...toObject(feed.value),
      ...(await packListings([{ ...one, isPersonal: true }, unknown])),
    };
    const results = expand({ ...feed, value }, '0a0b0c0d') ?? [];
    expect(results.map(({ key }) => key)).toEqual(['S-1', 'S-2']);
    for (const each of results) expect(each).not.toHaveProperty('values');
  });
});
