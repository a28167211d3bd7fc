/**
 * Generates random worlds: how the service behaves, and the steps that happen in turn, of which those that
 * fail easily are frequent.
 */

import fc from 'fast-check';
import type { Countdown } from './computer.ts';
import { type Member, SKUS, STORES } from './service.ts';
import type { Manner, Part, Step } from './world.ts';

export const mood = fc.record({
  seed: fc.nat(1_000_000),
  refuses: fc.constantFrom(0, 0, 10),
  loses: fc.constantFrom(0, 0, 10),
  isBusy: fc.constantFrom(0, 0, 10),
  latencyMs: fc.constantFrom(50, 50, 3_000),
  unseenMs: fc.constantFrom(0, 60_000, 900_000),
  perSecond: fc.constantFrom(5, 0.2),
  callMs: fc.constantFrom(50_000, 10_000),
});

/** Generates true once in so many times. */
const once = (times: number) => fc.integer({ min: 1, max: times }).map((one) => one === times);
const by = fc.constantFrom<0 | 1>(0, 0, 1);
const manner: fc.Arbitrary<Manner> = fc.record({
  by,
  yes: once(6).map((isNo) => !isNo),
  thinkMs: fc.constantFrom(0, 2_000, 40_000, 300_000),
  waitMs: fc.constantFrom(1_800_000, 1_800_000, 3_000, 20_000),
});
const sku = fc.constantFrom(...SKUS.slice(0, 3));
const value: fc.Arbitrary<[Member, number]> = fc.oneof(
  fc.tuple(fc.constant('price' as const), fc.integer({ min: 50, max: 99 })),
  fc.tuple(fc.constant('minimum_price' as const), fc.integer({ min: 2, max: 9 })),
  fc.tuple(fc.constant('quantity' as const), fc.integer({ min: 1, max: 99 })),
  fc.tuple(fc.constant('handling_time' as const), fc.integer({ min: 3, max: 9 })),
);
const values = fc.array(value, { minLength: 1, maxLength: 2 }).map((some) => Object.fromEntries(some));
const few = fc.uniqueArray(fc.record({ sku, set: values }), {
  minLength: 1,
  maxLength: 3,
  selector: (item) => item.sku,
});
/** Generates a change of all listings, which are more than are sent at once. */
const all = fc
  .integer({ min: 50, max: 99 })
  .map((price) => SKUS.map((one) => ({ sku: one, set: { price } })));
const stores = fc.uniqueArray(fc.constantFrom(...STORES), { minLength: 1 });
const storeValues = fc.oneof(
  fc.constantFrom('North', 'South').map((alias) => ({ alias })),
  fc.constantFrom('Europe/Berlin', 'Europe/Rome').map((timezone) => ({ timezone })),
);
const nth = fc.constantFrom(0, 0, 1, 2);
const part = fc.constantFrom<Part>('whole', 'whole', 'some', 'one');

const list = fc.tuple(fc.oneof({ weight: 3, arbitrary: few }, { weight: 1, arbitrary: all }), manner);
const change = fc.oneof(
  { weight: 4, arbitrary: list.map(([items, how]): Step => ({ do: 'list', items, ...how })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(stores, storeValues, manner)
      .map(([some, set, how]): Step => ({ do: 'stores', stores: some, set, ...how })),
  },
);
const feed = fc
  .tuple(
    fc.uniqueArray(
      fc.record({ sku, price: fc.integer({ min: 50, max: 99 }), minimum: fc.integer({ min: 2, max: 9 }) }),
      { minLength: 1, maxLength: 3, selector: (item) => item.sku },
    ),
    manner,
  )
  .map(([items, how]): Step => ({ do: 'feed', items, ...how }));
const undo = fc
  .tuple(nth, part, once(6), manner)
  .map(([at, of, force, how]): Step => ({ do: 'undo', nth: at, part: of, force, ...how }));
const others = fc.oneof(
  fc
    .tuple(sku, value, fc.boolean())
    .map(([thing, [member, set], late]): Step => ({ do: 'other', thing, member, value: set, late })),
  fc
    .tuple(sku, fc.nat(3))
    .map(([thing, left]): Step => ({ do: 'sale', thing, member: 'quantity', value: left, late: false })),
);
const again = fc
  .tuple(fc.constantFrom('stop', 'resume'), nth, manner)
  .map(([what, at, how]): Step => ({ do: what, nth: at, ...how }));
const rest = fc.oneof(
  fc.tuple(sku, fc.boolean()).map(([thing, isOn]): Step => ({ do: 'refuse', thing, isOn })),
  fc.constantFrom(1_000, 30_000, 600_000).map((ms): Step => ({ do: 'wait', ms })),
  fc.constantFrom(5_000, 120_000).map((ms): Step => ({ do: 'restart', ms })),
);
/** Cuts off anywhere, or just before a write leaves, which is the moment that matters and one of hundreds. */
const cuts: fc.Arbitrary<Countdown> = fc.oneof(
  fc.nat(400).map((count) => ({ of: 'step' as const, count })),
  fc.nat(3).map((count) => ({ of: 'write' as const, count })),
);
const kills = fc.oneof(
  fc.tuple(by, cuts).map(([one, after]): Step => ({ do: 'kill', by: one, after })),
  fc
    .tuple(by, cuts, fc.constantFrom(20_000, 90_000, 300_000))
    .map(([one, after, ms]): Step => ({ do: 'freeze', by: one, after, ms })),
);
const step = fc.oneof(
  { weight: 5, arbitrary: change },
  { weight: 3, arbitrary: undo },
  { weight: 3, arbitrary: others },
  { weight: 1, arbitrary: again },
  { weight: 1, arbitrary: feed },
  { weight: 1, arbitrary: rest },
  { weight: 2, arbitrary: kills },
);
/** Picks two members that are sent together. */
const pair = fc.constantFrom<[Member, Member]>(
  ['price', 'minimum_price'],
  ['minimum_price', 'price'],
  ['quantity', 'handling_time'],
  ['handling_time', 'quantity'],
);
const amounts = fc.uniqueArray(fc.integer({ min: 11, max: 99 }), { minLength: 3, maxLength: 3 });
const quick: Manner = { by: 0, yes: true, thinkMs: 0, waitMs: 1_800_000 };
const wait = fc.constantFrom(1_000, 600_000).map((ms): Step => ({ do: 'wait', ms }));

/**
 * One member is set, somebody else or nobody sets it too, then its neighbor is set, and one of both is
 * undone.
 */
const neighbors = fc
  .tuple(sku, pair, amounts, wait, fc.boolean(), nth)
  .map(([thing, [member, beside], [one = 0, two = 0, three = 0], pause, isAlone, at]): Step[] => [
    { do: 'list', items: [{ sku: thing, set: { [member]: one } }], ...quick },
    pause,
    ...(isAlone ? [] : [{ do: 'other', thing, member, value: two, late: false } as const]),
    { do: 'list', items: [{ sku: thing, set: { [beside]: three } }], ...quick },
    pause,
    { do: 'undo', nth: at, part: 'whole', force: false, ...quick },
  ]);
/** A list is undone while it is under way. */
const underWay = fc.tuple(all, part, manner).map(([items, of, how]): Step[] => [
  { do: 'list', items, ...quick },
  { do: 'undo', nth: 0, part: of, force: false, ...how },
]);
/** Sets the same members to another value. */
const replaced = ({ sku, set }: { sku: string; set: object }) => ({
  sku,
  set: Object.fromEntries(Object.keys(set).map((member) => [member, 33])),
});
/** A process is frozen or killed while it sends a list; meanwhile another goes on with it, and something newer is approved. */
const cutOff = fc
  .tuple(kills, list, stores, fc.boolean(), wait, fc.constantFrom(65_000, 3_000))
  .map(([kill, [items, how], some, isStores, pause, ms]): Step[] => {
    const change: Step = isStores
      ? { do: 'stores', stores: some, set: { alias: 'North' }, ...how, by: 0, yes: true, waitMs: ms }
      : { do: 'list', items, ...how, by: 0, yes: true, waitMs: ms };
    const newer: Step = isStores
      ? { do: 'stores', stores: some, set: { alias: 'South' }, ...quick, by: 1 }
      : { do: 'list', items: items.map(replaced), ...quick, by: 1 };
    return [kill, change, pause, { ...change, by: 1, waitMs: 1_800_000 }, newer, pause];
  });
/**
 * A process is frozen just before a write leaves, longer than another process waits for it, which goes on with the
 * list and then sends something newer.
 */
const frozen = fc
  .tuple(few, stores, fc.boolean(), fc.nat(1))
  .map(([items, some, isStores, count]): Step[] => {
    const change: Step = isStores
      ? { do: 'stores', stores: some, set: { alias: 'North' }, ...quick, waitMs: 3_000 }
      : { do: 'list', items, ...quick, waitMs: 3_000 };
    const newer: Step = isStores
      ? { do: 'stores', stores: some, set: { alias: 'South' }, ...quick, by: 1 }
      : { do: 'list', items: items.map(replaced), ...quick, by: 1 };
    const freeze: Step = { do: 'freeze', by: 0, after: { of: 'write', count }, ms: 400_000 };
    const wait = (ms: number): Step => ({ do: 'wait', ms });
    return [freeze, change, wait(30_000), { ...change, by: 1, waitMs: 1_800_000 }, newer, wait(600_000)];
  });
const steps = fc.oneof(
  { weight: 12, arbitrary: step.map((one) => [one]) },
  { weight: 1, arbitrary: neighbors },
  { weight: 1, arbitrary: underWay },
  { weight: 1, arbitrary: cutOff },
  { weight: 1, arbitrary: frozen },
);
export const story = fc
  .tuple(change, fc.array(steps, { minLength: 1, maxLength: 8, size: 'max' }))
  .map(([first, more]) => [first, ...more.flat()]);
