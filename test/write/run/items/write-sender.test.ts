/** One item of a list, as it is sent and looked at by itself: nothing over what somebody changed, and no more told than reading says. */

import { afterEach, describe, expect, it } from 'vitest';
import { prepareWrite } from '../../../../src/write/plan/prepare-write.ts';
import { toBatchWrite } from '../../../../src/write/plan/prepared-batch.ts';
import { toStoredItem } from '../../../../src/write/run/items/stored-write.ts';
import { createWriteSender } from '../../../../src/write/run/items/write-sender.ts';
import { startToolRunner, type ToolRunner, toolContext } from '../../../helpers/tool-runner.ts';

const US = 'ATVPDKIKX0DER';

interface Kind {
  operation: string;
  parameters: Readonly<Record<string, unknown>>;
  /** The value that is there, the wanted one, and the one that somebody else sets. */
  values: { before: string; wanted: string; other: string };
  bodyOf(value: string): object;
  stateOf(value: string): object;
}

const titleOf = (value: string) => [{ value, language_tag: 'en_US', marketplace_id: US }];
const listing: Kind = {
  operation: 'listings-items/patchListingsItem',
  parameters: { sku: 'LAMP-1', marketplaceIds: [US] },
  values: { before: 'Lamp', wanted: 'Desk lamp', other: 'Floor lamp' },
  bodyOf: (value) => ({
    productType: 'LAMP',
    patches: [{ op: 'replace', path: '/attributes/item_name', value: titleOf(value) }],
  }),
  stateOf: (value) => ({
    sku: 'LAMP-1',
    summaries: [{ marketplaceId: US, productType: 'LAMP', itemName: value }],
    attributes: { item_name: titleOf(value) },
  }),
};
const store: Kind = {
  operation: 'supply-sources/updateSupplySourceStatus',
  parameters: { supplySourceId: 's-1' },
  values: { before: 'Active', wanted: 'Inactive', other: 'Archived' },
  bodyOf: (status) => ({ status }),
  stateOf: (status) => ({ supplySourceId: 's-1', supplySourceCode: 'c-1', alias: 'Shop', status }),
};

let runner: ToolRunner | undefined;
afterEach(async () => {
  await runner?.close();
});

/** An item as it lies on the disk, and whoever sends it. */
async function setUp(kind: Kind, wanted = kind.values.wanted) {
  const service = { state: kind.stateOf(kind.values.before), isReadable: true, isGone: false, status: 200 };
  const started = await startToolRunner(({ method }) => {
    if (method === 'GET' && service.isGone) return { status: 404, body: {} };
    if (method === 'GET') return service.isReadable ? { body: service.state } : { status: 403, body: {} };
    service.state = kind.stateOf(wanted);
    return {
      status: service.status,
      body: { sku: 'LAMP-1', status: 'ACCEPTED', submissionId: 's', issues: [] },
    };
  });
  runner = started;
  const { session } = started;
  const registry = await session.program.registry();
  const operation = registry.find(kind.operation);
  const asked = { parameters: kind.parameters, body: kind.bodyOf(wanted) };
  const prepared = await prepareWrite({ operation, account: 'default', asked }, toolContext(session));
  const item = toStoredItem(toBatchWrite('one', prepared));
  const notes: unknown[] = [];
  const sending = {
    steps: undefined,
    note: async (step: unknown) => void notes.push(step),
    signal: new AbortController().signal,
    ending: new AbortController().signal,
  };
  const open = async (
    isChangedFromHere: boolean | (() => boolean) = false,
    checkMany?: Parameters<typeof createWriteSender>[0]['checkMany'],
  ) =>
    createWriteSender({
      session,
      batch: '0000000b',
      account: 'default',
      owner: prepared.request.owner,
      client: await session.client(),
      registry,
      guard: await session.writeGuard(),
      personal: await session.personal(),
      operation,
      isChangedSince: async () =>
        typeof isChangedFromHere === 'boolean' ? isChangedFromHere : isChangedFromHere(),
      answerOf: async () => undefined,
      checkMany,
    });
  const written = () => started.calls().filter(({ method }) => method !== 'GET').length;
  const onDisk = { ...item, value: JSON.parse(JSON.stringify(item.value)) };
  const read = () => prepareWrite({ operation, account: 'default', asked }, toolContext(session));
  return { service, item: onDisk, open, sending, notes, written, read, writes: await session.writeGuard() };
}

describe.each([
  ['a listing', listing],
  ['a store', store],
])('%s of a list', (_name, kind) => {
  it('is sent as it was shown, each step noted before', async () => {
    const { item, open, sending, notes, written } = await setUp(kind);
    expect(await (await open()).send(item, sending)).toMatchObject({ kind: 'accepted' });
    expect(written()).toBe(1);
    expect(notes).toEqual([
      { sent: false, journal: expect.any(String) },
      { sent: true, journal: expect.any(String) },
    ]);
  });

  it('is not sent where it is not as it was shown any more', async () => {
    const { service, item, open, sending, written } = await setUp(kind);
    service.state = kind.stateOf(kind.values.other);
    expect(await (await open()).send(item, sending)).toMatchObject({ kind: 'changed_since' });
    expect(written()).toBe(0);
  });

  it('is not sent where it was changed from here since, though no reading shows that yet', async () => {
    const { item, open, sending, written } = await setUp(kind);
    expect(await (await open(true)).send(item, sending)).toMatchObject({ kind: 'changed_since' });
    expect(written()).toBe(0);
  });

  it('is not sent where that happens while it waits to leave', async () => {
    const { item, open, sending, written } = await setUp(kind);
    let isWaiting = false;
    const note = async () => {
      isWaiting = true;
    };
    expect(await (await open(() => isWaiting)).send(item, { ...sending, note })).toEqual({
      kind: 'changed_since',
    });
    expect(written()).toBe(0);
  });

  it('is not sent where it cannot be read again, and counts as changed where it is gone', async () => {
    const { service, item, open, sending, written } = await setUp(kind);
    const sender = await open();
    service.isReadable = false;
    expect(await sender.send(item, sending)).toMatchObject({ kind: 'not_sent' });
    service.isGone = true;
    expect(await sender.send(item, sending)).toMatchObject({ kind: 'changed_since' });
    expect(written()).toBe(0);
  });

  it.each([undefined, { sent: false }])(
    'that was cut off before it left (%j) goes another time',
    async (steps) => {
      const { item, open, sending } = await setUp(kind);
      expect(await (await open()).look(item, steps, sending)).toMatchObject({ kind: 'later', afterMs: 0 });
    },
  );
});

it('a store whose write failed and that reads as it was sent is told as changed, not as unknown', async () => {
  const { service, item, open, sending, written } = await setUp(store);
  service.status = 500;
  expect(await (await open()).send(item, sending)).toMatchObject({ kind: 'accepted', readBack: 'same' });
  expect(written()).toBe(1);
});

it('a store of a list waits for an edit of it that is under way, and sees what that has written', async () => {
  const { service, item, open, sending, written, read, writes } = await setUp(store);
  const sender = await open();
  const edit = writes.inTurn(JSON.stringify(['default', 's-1']), async () => {
    const sent = sender.send(item, sending);
    // Time enough for the other one, which needs less.
    for (let times = 0; times < 10; times += 1) await read();
    service.state = store.stateOf(store.values.other);
    return { sent };
  });
  const { sent } = await edit;
  expect(await sent).toMatchObject({ kind: 'changed_since' });
  expect(written()).toBe(0);
});

/** An accepted change of a listing is seen minutes later. */
it.each([
  ['a listing that reads as before may still become what was sent', listing, 'before', 'unknown'],
  ['a store that reads as before may still become what was sent', store, 'before', 'unknown'],
  ['a listing that somebody else changed', listing, 'other', 'unknown'],
  ['a store that somebody else changed', store, 'other', 'unknown'],
  ['a listing that reads as it was sent', listing, 'wanted', { kind: 'accepted', readBack: 'same' }],
  ['a store that reads as it was sent', store, 'wanted', { kind: 'accepted', readBack: 'same' }],
] as const)('of what left without an answer, %s', async (_what, kind, now, told) => {
  const { service, item, open, sending, written } = await setUp(kind);
  service.state = kind.stateOf(kind.values[now]);
  const found = await (await open()).look(item, { sent: true }, sending);
  expect(found).toEqual(typeof told === 'string' ? told : expect.objectContaining(told));
  expect(written()).toBe(0);
});

it.each([
  ['a listing', listing],
  ['a store', store],
])(
  '%s that reads as it was sent, or never left, is so in the journal, where it has an entry',
  async (_name, kind) => {
    const { service, item, open, sending, writes } = await setUp(kind);
    const settled: unknown[] = [];
    writes.settle = async (id, { outcome }) => void settled.push([id, outcome]);
    const sender = await open();
    service.state = kind.stateOf(kind.values.wanted);
    for (const sent of [true, false])
      for (const journal of [undefined, `was sent: ${sent}`])
        await sender.look(item, { sent, journal }, sending);
    expect(settled).toEqual([
      ['was sent: true', 'done'],
      ['was sent: false', 'refused'],
    ]);
  },
);

it.each([
  ['a listing', listing],
  ['a store', store],
])('%s that read as it is wanted before it was sent tells nothing by that', async (_name, kind) => {
  const { item, open, sending } = await setUp(kind, kind.values.before);
  expect(await (await open()).look(item, { sent: true }, sending)).toBe('unknown');
});

it('what the file of the list holds of another version is not sent, and what became of it is not known', async () => {
  const { open, sending, written } = await setUp(listing);
  const sender = await open();
  const other = { key: 'one', value: { kind: 'of another version' } };
  expect(await sender.send(other, sending)).toMatchObject({ kind: 'not_sent' });
  for (const steps of [undefined, { sent: true }])
    expect(await sender.look(other, steps, sending)).toBe('unknown');
  expect(written()).toBe(0);
});

it('looked at together, what is no write of the list is left to its own sender', async () => {
  const { item, open } = await setUp(listing);
  const checked: unknown[] = [];
  const sender = await open(false, async (writes) => {
    checked.push(...writes.map(({ key }) => key));
    return new Map(writes.map(({ key }) => [key, 'changed'] as const));
  });
  const { signal } = new AbortController();
  expect(await sender.check?.([{ key: 'other', value: { kind: 'feed' } }, item], signal)).toEqual(
    new Map([
      ['one', 'changed'],
      ['other', 'as_shown'],
    ]),
  );
  expect(checked).toEqual(['one']);
  expect((await open()).check).toBeUndefined();
});
