import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordedWrite } from '../../../../src/write/records/journal/entry.ts';
import {
  compareMembers,
  earlierWrites,
  laterWrites,
  type OpenEntry,
  touchesSameMembers,
  withLater,
} from '../../../../src/write/records/undo/undo-conflicts.ts';
import {
  deriveUndoneEntries,
  findUndoOf,
  undoBlockedReason,
  undoBlockedReasonOfMany,
} from '../../../../src/write/records/undo/undo-eligibility.ts';
import { thingDigest, thingKey, type WriteValues } from '../../../../src/write/records/undo/write-values.ts';
import { indexWrites } from '../../../../src/write/records/undo/writes-by-thing.ts';

const entry = (id: string, more: Partial<RecordedWrite> = {}): RecordedWrite => ({
  id,
  time: '2026-11-22T10:00:00.000Z',
  account: 'a',
  owner: 'o',
  operation: 'x/y',
  outcome: 'done',
  open: async () => undefined,
  ...more,
});
const US = 'ATVPDKIKX0DER';
const DE = 'A1PA6795UKMFR9';

function listing(
  before: unknown,
  after: unknown,
  { places = [US], found, name = 'item_name' }: { places?: string[]; found?: unknown; name?: string } = {},
): OpenEntry {
  const member = {
    segments: ['attributes', name],
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
  const values: WriteValues = { parameters: { sku: 'S', marketplaceIds: places }, members: [member] };
  return { entry: entry('1'), values: { ...values, ...(found === undefined ? {} : { found: [found] }) } };
}
function store(segments: string[], before: unknown, after: unknown): OpenEntry {
  const values = { parameters: { supplySourceId: 's' }, members: [{ segments, before, after }] };
  return { entry: entry('1'), values };
}
const value = (text: string, place = US) => [{ value: text, marketplace_id: place }];
const now = (entries: unknown, name = 'item_name') => ({ attributes: { [name]: entries } });
const is = (one: OpenEntry, later: OpenEntry[], state: unknown) =>
  compareMembers(one, later, state).map((each) => each.is);

describe('what a write left', () => {
  it('stands, is not visible yet, or was changed by somebody else', () => {
    const write = listing(value('A'), value('B'));
    expect(is(write, [], now(value('B')))).toEqual(['as_left']);
    expect(is(write, [], now(value('A')))).toEqual(['not_visible']);
    expect(is(write, [], now(value('C')))).toEqual(['changed']);
    expect(is(write, [], { attributes: {} })).toEqual(['changed']);
  });

  it('stands where the service added members or answers in another order', () => {
    const sent = [{ value: 'B' }, { value: 'C' }];
    const shown = [
      { value: 'C', language_tag: 'en_US' },
      { value: 'B', marketplace_id: US },
    ];
    expect(is(listing(value('A'), sent), [], now(shown))).toEqual(['as_left']);
  });

  it('stands where the service made something else of it, as it was read back then', () => {
    const write = listing(value('A'), value('B  '), { found: value('B') });
    expect(is(write, [], now(value('B')))).toEqual(['as_left']);
    // The read-back still showed the old value, so it proves nothing.
    expect(is(listing(value('A'), value('B'), { found: value('A') }), [], now(value('A')))).toEqual([
      'not_visible',
    ]);
  });

  it('an attribute that was added stands, and one that was removed is gone', () => {
    expect(is(listing(undefined, value('B')), [], now(value('B')))).toEqual(['as_left']);
    expect(is(listing(undefined, value('B')), [], { attributes: {} })).toEqual(['not_visible']);
    expect(is(listing(value('A'), undefined), [], { attributes: {} })).toEqual(['as_left']);
    expect(is(listing(value('A'), undefined), [], now(value('C')))).toEqual(['changed']);
  });

  it('is what was written from here later', () => {
    const [first, second] = [listing(value('A'), value('B')), listing(value('B'), value('C'))];
    const [standing] = compareMembers(first, [second], now(value('C')));
    expect(standing).toMatchObject({
      is: 'as_left',
      target: 'A',
      last: 'C',
      previous: 'B',
    });
    expect(is(first, [second], now(value('B')))).toEqual(['not_visible']);
    // Both writes may still become visible. Once the second was, somebody else has put the first value back.
    expect(is(first, [second], now(value('A')))).toEqual(['not_visible']);
    const seen = listing(value('B'), value('C'), { found: value('C') });
    expect(is(first, [seen], now(value('A')))).toEqual(['changed']);
  });

  it('is not visible yet as well where it was written over what was not seen; once it was seen, all before it was', () => {
    const earlier = [listing(value('A'), value('B'))];
    const over = (found?: unknown) => listing(value('B'), value('C'), { found });
    const isWith = (one: OpenEntry, state: string) =>
      compareMembers(one, [], now(value(state)), earlier).map((each) => each.is);
    expect(['A', 'B', 'C', 'D'].flatMap((text) => isWith(over(), text))).toEqual([
      'not_visible',
      'not_visible',
      'as_left',
      'changed',
    ]);
    expect(isWith(over(value('C')), 'A')).toEqual(['changed']);
    expect(isWith(over(value('C')), 'B')).toEqual(['not_visible']);
    expect(is(over(), [], now(value('A')))).toEqual(['changed']);
  });

  it('of a store, a member that was removed does not stand where there is one', () => {
    const removed = store(['alias'], 'A', undefined);
    expect(is(removed, [], {})).toEqual(['as_left']);
    expect(is(removed, [], { alias: 'A' })).toEqual(['not_visible']);
    expect(is(removed, [], { alias: 'B' })).toEqual(['changed']);
    expect(is(store(['alias'], undefined, 'A'), [], {})).toEqual(['not_visible']);
  });

  it('of a later write for more marketplaces, only the entries of its own count', () => {
    const first = listing(value('A'), value('B'));
    const both = [...value('C'), ...value('D', DE)];
    const second = listing([...value('B'), ...value('X', DE)], both, { places: [US, DE] });
    expect(is(first, [second], now(value('C')))).toEqual(['as_left']);
  });

  it('of a store, a later write of a member inside it or around it is followed', () => {
    const first = store(
      ['configuration', 'handlingTime'],
      { value: 1, timeUnit: 'Days' },
      { value: 2, timeUnit: 'Days' },
    );
    const inside = store(['configuration', 'handlingTime', 'value'], 2, 3);
    const around = store(
      ['configuration'],
      { handlingTime: { value: 2, timeUnit: 'Days' } },
      { handlingTime: { value: 4, timeUnit: 'Days' } },
    );
    // Somebody else had changed it before that one.
    const over = store(['configuration'], {}, { handlingTime: { value: 4, timeUnit: 'Days' } });
    const state = (days: number) => ({ configuration: { handlingTime: { value: days, timeUnit: 'Days' } } });
    expect(is(first, [inside], state(3))).toEqual(['as_left']);
    expect(is(first, [inside], state(2))).toEqual(['not_visible']);
    expect(is(first, [around], state(4))).toEqual(['as_left']);
    expect(is(first, [over], state(4))).toEqual(['changed']);
    expect(is(first, [], state(5))).toEqual(['changed']);
  });

  it('of a store, another case of a unit and another order of openings are the same', () => {
    const time = (timeUnit: string) => ({ value: 2, timeUnit });
    const path = ['configuration', 'handlingTime'];
    const state = { configuration: { handlingTime: time('DAYS') } };
    expect(is(store(path, time('Hours'), time('Days')), [], state)).toEqual(['as_left']);
  });
});

it('later writes are those of the same listing or store whose members touch', async () => {
  const open = (one: OpenEntry, id: string): RecordedWrite => entry(id, { open: async () => one.values });
  const first = listing(value('A'), value('B'));
  const all = [
    open(first, '1'),
    open(listing(value('B'), value('C')), 'same'),
    open(listing([], [], { name: 'color' }), 'other member'),
    open({ ...first, values: { ...first.values, parameters: { sku: 'T' } } }, 'other listing'),
    open(
      { ...first, values: { ...first.values, parameters: { sku: 'S', sellerId: 'ANOTHER' } } },
      "another seller's",
    ),
    { ...open(first, 'refused'), outcome: 'not_accepted' as const },
    entry('unreadable'),
  ];
  const later = await laterWrites(first, await indexWrites(all, all.slice(0, 1)));
  expect(later.map((one) => one.entry.id)).toEqual(['same']);
});

it('a change is taken back by the last write that undoes it and was not undone itself', () => {
  const all = [entry('x'), entry('y', { undoes: 'x' }), entry('z', { undoes: 'y' })];
  expect(findUndoOf(deriveUndoneEntries(all.slice(0, 2)), 'x')?.id).toBe('y');
  expect(findUndoOf(deriveUndoneEntries(all), 'x')).toBeUndefined();
  expect(findUndoOf(deriveUndoneEntries([...all, entry('w', { undoes: 'x' })]), 'x')?.id).toBe('w');
  expect(
    findUndoOf(deriveUndoneEntries([entry('x'), entry('y', { undoes: 'x', outcome: 'not_accepted' })]), 'x'),
  ).toBeUndefined();
});

it('earlier writes that reads may have shown as little are those of the day before it, and none that came after', async () => {
  const HOUR = 3_600_000;
  const start = Date.parse('2026-11-22T10:00:00.000Z');
  const { values } = listing(value('A'), value('B'));
  const at = (ms: number) =>
    entry(`at ${ms}`, { time: new Date(start + ms).toISOString(), open: async () => values });
  const moments = [-48 * HOUR, -24 * HOUR - 1, -24 * HOUR, -HOUR, 0, HOUR, 24 * HOUR, 48 * HOUR];
  const all = moments.map(at);
  const writes = await indexWrites(all, all);
  for (const [place, one] of all.entries()) {
    const found = await earlierWrites({ entry: one, values }, writes);
    const mine = moments[place] ?? 0;
    const expected = moments.filter((other) => other < mine && mine - other <= 24 * HOUR);
    expect(found.map(({ entry: { id } }) => id)).toEqual(expected.map((other) => `at ${other}`));
  }
});

it('with what is taken back goes whatever came after it and is about the same, and nothing more is opened than that needs', async () => {
  const write = fc.record({
    sku: fc.constantFrom('S', 'T'),
    name: fc.constantFrom('item_name', 'color'),
    place: fc.constantFrom(US, DE),
    isApplied: fc.constantFrom(true, true, false),
    isNamed: fc.boolean(),
    isTaken: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 7 }), async (writes) => {
      const opened = new Set<string>();
      const all = writes.map(({ sku, name, place, isApplied, isNamed }, at) => {
        const parameters = { sku, marketplaceIds: [place] };
        return entry(String(at), {
          outcome: isApplied ? 'done' : 'refused',
          ...(isNamed && { thing: thingDigest({ parameters }) }),
          open: async () => {
            opened.add(String(at));
            return { parameters, members: [{ segments: ['attributes', name], before: 1, after: 2 }] };
          },
        });
      });
      const taken = all.filter((_, at) => writes[at]?.isTaken && writes[at].isApplied);
      const index = await indexWrites(all, taken);
      opened.clear();
      const found = await withLater(taken, index);
      const expected = writes.flatMap((one, at) => {
        const isLater = writes
          .slice(0, at)
          .some(
            (other) =>
              other.isTaken &&
              other.isApplied &&
              other.sku === one.sku &&
              other.name === one.name &&
              other.place === one.place,
          );
        return one.isApplied && (one.isTaken || isLater) ? [String(at)] : [];
      });
      expect(found.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
      for (const { id, thing } of taken)
        if (thing !== undefined && index.get(thing)?.at(-1)?.id === id && taken.length === 1)
          expect([...opened]).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

it('two writes touch where they have a place in common, or one of them none, and a member of one stands in one of the other', () => {
  const some = fc.record({
    places: fc.subarray([US, DE]),
    members: fc.subarray(['a', 'a.b', 'a.b.c', 'd', 'd.b'], { minLength: 1 }),
  });
  const inside = (one: string, other: string) => one === other || one.startsWith(`${other}.`);
  fc.assert(
    fc.property(some, some, (one, other) => {
      const [first, second] = [one, other].map(({ places, members }) => ({
        parameters: { sku: 'S', ...(places.length > 0 && { marketplaceIds: places }) },
        members: members.map((path) => ({ segments: path.split('.') })),
      }));
      if (first === undefined || second === undefined) throw new Error('two of two');
      const isHere =
        one.places.length === 0 ||
        other.places.length === 0 ||
        one.places.some((place) => other.places.includes(place));
      const isSame = one.members.some((a) => other.members.some((b) => inside(a, b) || inside(b, a)));
      expect(touchesSameMembers(first, second)).toBe(isHere && isSame);
    }),
    { numRuns: 200 },
  );
});

it('what only has the same short name in the index is another thing, and what cannot be read is none', async () => {
  const first = listing(value('A'), value('B'));
  const of = (id: string, parameters: WriteValues['parameters']) =>
    entry(id, { open: async () => ({ ...first.values, parameters }) });
  const other = { ...first.values.parameters, sku: 'T' };
  const all = [
    of('1', first.values.parameters),
    of('other', other),
    entry('lost'),
    of('2', first.values.parameters),
  ];
  expect(thingKey({ parameters: other })).not.toBe(thingKey(first.values));
  const later = await laterWrites(first, new Map([[thingDigest(first.values), all]]));
  expect(later.map(({ entry: { id } }) => id)).toEqual(['2']);
});

it('says why it cannot be taken back now: it was refused, it cannot be at all, or it was undone and by which', () => {
  const all = [entry('x'), entry('y', { undoes: 'x' }), entry('z'), entry('w', { undoes: 'q' })];
  const undone = deriveUndoneEntries(all);
  const why = (one: RecordedWrite) => [undoBlockedReason(one, undone), undoBlockedReasonOfMany(one, undone)];
  expect(why(entry('x'))).toEqual([
    expect.stringMatching(/^it was undone by y, .*2026.*; undo that one to make the change again\.$/),
    'it was undone already.',
  ]);
  expect(why(entry('z'))).toEqual([undefined, undefined]);
  expect(why(entry('x', { cannot: 'it holds too much.' }))).toEqual(Array(2).fill('it holds too much.'));
  const refused = 'it was not accepted, so there is nothing to undo.';
  expect(why(entry('z', { outcome: 'not_accepted', cannot: 'it is new.' }))).toEqual([refused, refused]);
});
