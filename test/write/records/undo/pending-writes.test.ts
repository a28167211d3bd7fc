/**
 * A change is described from what is read; a pending write of ours, which no read shows yet, is named with
 * it, and is what an undo restores.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Change, unknownChange } from '../../../../src/write/model/change.ts';
import type { RecordedWrite } from '../../../../src/write/records/journal/entry.ts';
import {
  addPending,
  indexRecent,
  MAX_PENDING_MS,
  recentOf,
} from '../../../../src/write/records/undo/pending-writes.ts';
import type { WriteValues } from '../../../../src/write/records/undo/write-values.ts';
import { thingDigest } from '../../../../src/write/records/undo/write-values.ts';

const US = 'ATVPDKIKX0DER';
const NOW = Date.parse('2026-11-22T12:00:00.000Z');
const title = (value: string, place = US) => [{ value, marketplace_id: place }];

interface Written {
  entry?: Partial<RecordedWrite>;
  after?: unknown;
  values?: Partial<WriteValues & { found: readonly unknown[] }>;
}

function entryOf({ entry = {}, after = title('Ours'), values = {} }: Written): RecordedWrite {
  const members = [{ segments: ['attributes', 'item_name'], before: title('Before'), after }];
  const kept = {
    parameters: { sku: 'S1', marketplaceIds: [US], sellerId: 'A1' },
    members,
    ...values,
  };
  return {
    id: 'id-1',
    time: new Date(NOW - 60_000).toISOString(),
    account: 'default',
    owner: 'owner-1',
    operation: 'listings-items/patchListingsItem',
    outcome: 'done',
    open: async () => kept,
    ...entry,
  };
}

/** Plans a change from the value read to the wanted one. */
const planned = (read: string) => {
  const [before, after] = [title(read), title('Wanted')];
  const change: Change = {
    ...unknownChange(),
    subject: { kind: 'listing', sku: 'S1' },
    places: [US],
    isWhole: true,
    before: { item_name: before },
    after: { item_name: after },
    differences: [
      {
        path: 'attributes.item_name',
        segments: ['attributes', 'item_name'],
        kind: 'changed',
        before,
        after,
      },
    ],
  };
  const patches = [{ op: 'replace', path: '/attributes/item_name', value: after }];
  const parameters = { sku: 'S1', marketplaceIds: [US], sellerId: 'A1' };
  return { operation: 'listings-items/patchListingsItem', parameters, body: { patches }, change };
};
const ask = async (entries: readonly RecordedWrite[], read = 'Before') =>
  (await addPending(planned(read), await indexRecent(entries, NOW))).change;

it('is told from what is read, goes back to what was last accepted, and says so', async () => {
  const change = await ask([entryOf({ after: title('First') }), entryOf({ entry: { id: 'id-2' } })]);
  expect(change.before).toEqual({ item_name: title('Before') });
  expect(change.pending).toEqual({ item_name: title('Ours') });
  expect(change.warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('it may not be visible yet'),
  ]);
});

it('does not count a write as seen where what is read is from before an older one that is pending', async () => {
  const first = entryOf({ entry: { id: 'id-1' } });
  const back = { segments: ['attributes', 'item_name'], before: title('Ours'), after: title('Before') };
  const undo = entryOf({ entry: { id: 'id-2' }, values: { members: [back] } });
  const [early, late] = [await indexRecent([first, undo], NOW), await indexRecent([undo], NOW)];
  await addPending(planned('Before'), early);
  expect([...(early.seen ?? [])]).toEqual([]);
  await addPending(planned('Before'), late);
  expect([...(late.seen ?? [])]).toEqual(['id-2']);
  // The older one becomes visible first, and the undo of it is still to come.
  expect((await ask([first, undo], 'Ours')).pending).toEqual({ item_name: title('Before') });
});

describe('is as it is read', () => {
  const long = new Date(NOW - MAX_PENDING_MS - 1).toISOString();
  it.each<[string, Written, string?]>([
    ['where it is seen', {}, 'Ours'],
    ['where it was read back once: somebody else changed it since', { values: { found: [title('Ours')] } }],
    ['after a day', { entry: { time: long } }],
    ['where it was refused', { entry: { outcome: 'not_accepted' } }],
    [
      'where another seller was named',
      { values: { parameters: { sku: 'S1', marketplaceIds: [US], sellerId: 'A2' } } },
    ],
    [
      'where it was for another marketplace',
      { values: { parameters: { sku: 'S1', marketplaceIds: ['A1PA6795UKMFR9'], sellerId: 'A1' } } },
    ],
    [
      'where it was another listing',
      { values: { parameters: { sku: 'S2', marketplaceIds: [US], sellerId: 'A1' } } },
    ],
  ])('%s', async (_what, written, read) => {
    expect(await ask([entryOf(written)], read)).toEqual(planned(read ?? 'Before').change);
  });
});

it('of one whose values can no longer be read nothing is claimed', async () => {
  const thing = { open: async () => undefined };
  const named = await indexRecent([entryOf({})], NOW);
  const recent = { of: () => [entryOf({ entry: thing })] };
  expect(named.of(planned('Before').parameters)).toHaveLength(1);
  const { change } = await addPending(planned('Before'), recent);
  expect(change).toMatchObject({ isWhole: false, before: { item_name: title('Before') } });
  expect(change.warnings[0]?.message).toContain('what that changed is not kept');
});

it.each<[string, string, boolean]>([
  [
    'a patch of what was certainly accepted since says nothing of what came before',
    'listings-items/patchListingsItem',
    false,
  ],
  ['a whole listing may hold anything else of it', 'listings-items/putListingsItem', true],
])('%s', async (_what, operation, isTold) => {
  const newer = entryOf({ entry: { operation } });
  const lost = entryOf({ entry: { id: 'id-0', open: async () => undefined } });
  // Newest first.
  const recent = { of: () => [newer, lost] };
  const { change } = await addPending({ ...planned('Ours'), operation }, recent);
  expect(change.warnings.map(({ message }) => message.includes('what that changed is not kept'))).toEqual(
    isTold ? [true] : [],
  );
});

it('of several accepted ones the newest is what it goes back from; what was read back once hides none before it', async () => {
  const seen = entryOf({ after: title('Seen'), values: { found: [title('Seen')] } });
  const older = entryOf({ entry: { id: 'id-0' }, after: title('Older') });
  const { change } = await addPending(planned('Before'), { of: () => [seen, older] });
  expect(change).toEqual(planned('Before').change);
  const newer = entryOf({ after: title('Newer') });
  const both = await addPending(planned('Before'), { of: () => [newer, older] });
  expect(both.change.before).toEqual({ item_name: title('Before') });
  expect(both.change.pending).toEqual({ item_name: title('Newer') });
  expect(both.change.warnings).toHaveLength(1);
});

it('one is pending too where what is read is what an older one of ours had set', async () => {
  const older = entryOf({ entry: { id: 'id-0' }, after: title('Older') });
  const { change } = await addPending(planned('Older'), { of: () => [entryOf({}), older] });
  expect(change.pending).toEqual({ item_name: title('Ours') });
  const alone = await addPending(planned('Ours'), { of: () => [older, entryOf({})] });
  expect(alone.change.pending).toEqual({ item_name: title('Older') });
});

it('one that is wanted again as it was set, and is not shown yet, goes back to what is read', async () => {
  const { change } = await addPending(planned('Before'), {
    of: () => [entryOf({ after: title('Wanted') })],
  });
  expect(change.before).toEqual({ item_name: title('Before') });
  expect(change.pending).toBeUndefined();
});

it("what is neither what was set nor what was there before it is somebody else's", async () => {
  expect(await ask([entryOf({})], 'Theirs')).toEqual(planned('Theirs').change);
});

it('what is read and wanted is sent once more, since a pending write would overwrite it', async () => {
  const { change, ...write } = planned('Wanted');
  const same = { ...change, after: change.before, differences: [] };
  const values = {
    members: [{ segments: ['attributes', 'item_name'], before: title('Wanted'), after: title('Ours') }],
  };
  const made = await addPending({ ...write, change: same }, { of: () => [entryOf({ values })] });
  expect(made.change.differences).toMatchObject([{ before: title('Wanted'), after: title('Wanted') }]);
  expect(made.change.pending).toEqual({ item_name: title('Ours') });
});

it('an attribute that the write does not name is not its business', async () => {
  const other = entryOf({
    values: { members: [{ segments: ['attributes', 'brand'], before: title('A'), after: title('B') }] },
  });
  const { change } = await addPending(planned('Before'), { of: () => [other] });
  expect(change).toEqual(planned('Before').change);
});

it('a deletion takes what is there, whatever was set before', async () => {
  const { change, ...write } = planned('Before');
  const deletion = { ...change, after: undefined };
  expect((await addPending({ ...write, change: deletion }, { of: () => [entryOf({})] })).change).toBe(
    deletion,
  );
});

/** Two attributes in two marketplaces: what is read, what is wanted, and what was written from here, newest first. */
const NAMES = ['item_name', 'brand'];
const PLACES = [US, 'A1PA6795UKMFR9'];
const someOf = (all: string[]) => fc.subarray(all, { minLength: 1 });
const word = fc.constantFrom('a', 'b', 'c');
const world = fc.record({
  read: fc.dictionary(fc.constantFrom(...NAMES.flatMap((name) => PLACES.map((id) => name + id))), word),
  wanted: word,
  /** Attributes that are patched, and the marketplaces that it is for. */
  names: someOf(NAMES),
  places: someOf(PLACES),
  written: fc.array(
    fc.record({
      names: someOf(NAMES),
      places: someOf(PLACES),
      was: word,
      value: word,
      found: fc.option(word, { nil: undefined }),
      outcome: fc.constantFrom('done' as const, 'unknown' as const),
      isReadable: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
});

it('in any world: by attribute and marketplace, the last that was accepted and not seen since is pending where what is read was there before one of ours, or was set by an older one', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ read, wanted, names, places, written }) => {
      const side = (of: (name: string, id: string) => string | undefined) =>
        Object.fromEntries(
          names.flatMap((name) => {
            const entries = places.flatMap((id) => {
              const value = of(name, id);
              return value === undefined ? [] : title(value, id);
            });
            return entries.length === 0 ? [] : [[name, entries]];
          }),
        );
      const is = (name: string, id: string) => read[name + id];
      const change: Change = {
        ...planned('').change,
        places,
        before: side(is),
        after: side(() => wanted),
        sent: [],
      };
      const parameters = { sku: 'S1', marketplaceIds: places, sellerId: 'A1' };
      const patches = names.map((name) => ({ op: 'replace', path: `/attributes/${name}` }));
      const entries = written.map((one) => {
        const all = (value: string) => one.places.flatMap((id) => title(value, id));
        const members = one.names.map((name) => ({
          segments: ['attributes', name],
          before: all(one.was),
          after: all(one.value),
        }));
        const { found } = one;
        const values = {
          parameters: { ...parameters, marketplaceIds: one.places },
          members,
          ...(found && { found: one.names.map(() => all(found)) }),
        };
        const open = async () => (one.isReadable ? values : undefined);
        return entryOf({ entry: { outcome: one.outcome, open } });
      });
      const made = await addPending(
        { operation: 'listings-items/patchListingsItem', parameters, body: { patches }, change },
        { of: () => entries },
      );

      type One = (typeof written)[number];
      const isSeen = (one: One) => one.found === one.value && one.found !== one.was;
      const isAbout = (one: One, name: string, id: string) =>
        one.isReadable && one.was !== one.value && one.names.includes(name) && one.places.includes(id);
      // The newest write decides, unless it may not have been applied and reads as before it too.
      const decides = (name: string, id: string) =>
        written.findIndex((one) => {
          const saysNothing = one.outcome === 'unknown' && !isSeen(one);
          return isAbout(one, name, id) && !(saysNothing && one.value === is(name, id));
        });
      const unseen = (name: string, id: string) => {
        const one = written[decides(name, id)];
        const isOurs = written.some(
          (other, at) =>
            isAbout(other, name, id) &&
            (other.was === is(name, id) || (at > decides(name, id) && other.value === is(name, id))),
        );
        const isPending = one !== undefined && !isSeen(one) && one.value !== is(name, id) && isOurs;
        return isPending ? one.value : undefined;
      };
      const coming = (name: string, id: string) => unseen(name, id) ?? is(name, id);
      const all = names.flatMap((name) => places.map((id) => ({ name, id })));
      const lost = written.findIndex(
        (one, at) =>
          !one.isReadable && !all.every(({ name, id }) => decides(name, id) >= 0 && decides(name, id) < at),
      );
      // A write that only repeats what is pending goes back to what is read.
      const goesBack = (name: string) =>
        places.some((id) => unseen(name, id) !== undefined) &&
        places.some((id) => coming(name, id) !== wanted);
      const pending = names.some(goesBack)
        ? side((name, id) => (goesBack(name) ? coming(name, id) : is(name, id)))
        : undefined;
      const inOrder = (some: unknown) =>
        some &&
        Object.fromEntries(
          Object.entries(Object(some)).map(([name, list]) => [name, new Set([list].flat())]),
        );
      expect(made.change.before).toEqual(change.before);
      expect(inOrder(made.change.pending)).toEqual(inOrder(pending));
      expect(made.change.after).toEqual(change.after);
      expect(made.change.isWhole).toBe(lost < 0);
      const warnedPaths = made.change.warnings.map(({ path }) => path).toSorted();
      const warned = names.filter((name) => places.some((id) => unseen(name, id) !== undefined));
      expect(warnedPaths).toEqual(
        [...warned.map((name) => `attributes.${name}`), ...(lost < 0 ? [] : [''])].toSorted(),
      );
      const differing = names.filter((name) =>
        places.some((id) => [is(name, id), coming(name, id)].some((value) => value !== wanted)),
      );
      if (warnedPaths.length > 0) {
        const paths = new Set(made.change.differences?.map(({ segments }) => segments[1]));
        expect([...paths].toSorted()).toEqual(differing.toSorted());
      } else expect(made.change).toBe(change);
    }),
    { numRuns: 300 },
  );
});

it('what it deletes and was not read stands among what changes; anything else that it sends is told beside', async () => {
  const path = '/attributes/item_name';
  const { change, ...write } = planned('Before');
  const sentOf = (value: unknown) => ({ path: 'patches.0', segments: ['patches', 0], value });
  const others = [
    { op: 'delete', path: '/attributes/brand' },
    { op: 'delete', path, from: '/a' },
    { op: 'add', path },
    'text',
  ].map(sentOf);
  const deletion = { ...change, after: {}, sent: [sentOf({ op: 'delete', path, value: [] }), ...others] };
  const body = { patches: [{ op: 'delete', path }] };
  const made = await addPending({ ...write, body, change: deletion }, { of: () => [entryOf({})] });
  expect(made.change.sent).toEqual(others);
  expect(made.change.differences).toMatchObject([{ kind: 'removed', before: title('Before') }]);
  expect(made.change.pending).toEqual({ item_name: title('Ours') });
});

it('a mark of what it holds and was not read is told with what the assistant saw of it', async () => {
  const member = {
    segments: ['attributes', 'item_name'],
    before: title('Before'),
    after: title('Anna Ostler'),
  };
  const marked = title('[NAME-1]');
  const { hidden } = await addPending(planned('Before'), {
    of: () => [entryOf({ values: { members: [{ ...member, shown: { after: marked } }] } })],
  });
  expect(hidden).toEqual([{ value: member.after, shown: marked }]);
});

it.each([
  ['updateSupplySource', 'updateSupplySource', true],
  ['updateSupplySource', 'updateSupplySourceStatus', false],
  ['updateSupplySource', 'archiveSupplySource', false],
  ['updateSupplySourceStatus', 'updateSupplySourceStatus', true],
  ['updateSupplySourceStatus', 'archiveSupplySource', true],
  ['updateSupplySourceStatus', 'updateSupplySource', false],
])('%s of a store goes back from what %s left: %s', async (operation, written, isTold) => {
  const parameters = { supplySourceId: 's-1' };
  const [name, before, after] = operation.endsWith('Status')
    ? ['status', 'Active', 'Inactive']
    : ['alias', 'A', 'B'];
  const change: Change = {
    ...unknownChange(),
    subject: { kind: 'store', id: 's-1' },
    before: { [name]: before },
    after: { [name]: after },
    differences: [{ path: name, segments: [name], kind: 'changed', before, after }],
    isWhole: false,
  };
  const values = { parameters, members: [{ segments: [name], before, after: 'Ours' }] };
  const entry = { operation: `supply-sources/${written}` };
  const made = await addPending(
    { operation: `supply-sources/${operation}`, parameters, body: {}, change },
    { of: () => [entryOf({ entry, values })] },
  );
  expect(made.change.before).toEqual({ [name]: before });
  expect(made.change.pending).toEqual(isTold ? { [name]: 'Ours' } : undefined);
});

it.each([
  ['patched away, where it is not read', 'patchListingsItem', false, 'item_name', true],
  ['that a whole listing leaves out', 'putListingsItem', true, 'brand', true],
  ['that the rest of a listing leaves out', 'putListingsItem', false, 'brand', false],
  ['that the rest of a listing names', 'putListingsItem', false, 'item_name', true],
])('an attribute %s', async (_what, operation, isWhole, name, isTold) => {
  const { change, ...write } = planned('Before');
  const seen = operation.startsWith('put') ? change : { ...change, before: {}, after: {}, differences: [] };
  const body = { patches: [{ op: 'delete', path: `/attributes/${name}` }] };
  const old = name === 'item_name' && operation.startsWith('put') ? { before: title('Before') } : {};
  const members = [{ segments: ['attributes', name], ...old, after: title('Ours') }];
  // One that names no marketplace is for all.
  const values = { members, parameters: { sku: 'S1', sellerId: 'A1' } };
  const made = await addPending(
    { ...write, operation: `listings-items/${operation}`, body, change: { ...seen, isWhole } },
    { of: () => [entryOf({ values })] },
  );
  expect(made.change.before).toEqual(seen.before);
  expect(made.change.pending).toEqual(isTold ? { ...Object(seen.before), [name]: title('Ours') } : undefined);
});

it('of what is indexed, those of a day are found, the newest first', () => {
  const ago = (ms: number, id: string) => entryOf({ entry: { id, time: new Date(NOW - ms).toISOString() } });
  const { parameters } = planned('');
  const all = [ago(MAX_PENDING_MS + 1, 'old'), ago(MAX_PENDING_MS, 'a day'), ago(0, 'new')];
  const recent = recentOf(new Map([[thingDigest({ parameters }), all]]), NOW);
  expect(recent.of(parameters).map(({ id }) => id)).toEqual(['new', 'a day']);
  expect(recent.of({ ...parameters, sku: 'S2' })).toEqual([]);
});
