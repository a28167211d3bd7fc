/** Lists, kills, undos, the same words and others, what is seen late and what others change, in any order: nothing is sent without its yes, nothing twice, and what is told is what the service has. */

import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { changeListings } from '../../tools/change-listings.ts';
import { undoChange } from '../../tools/undo-change.ts';
import { type Answered, type Chat, listFiles, openShop, type Shop } from '../helpers/killable-shop.ts';
import { RUNS_ALL } from '../helpers/launch.ts';

/** More than leave at once. */
const SKUS = [...'ABCDEFGHIJKL'];
const INITIAL = Object.fromEntries(SKUS.map((sku, at) => [sku, 100 + at]));
const RUNS = RUNS_ALL ? 40 : 5;
const LIMIT_MS = 300_000;

/** One yes. */
interface Agreed {
  /** Id of the list that it began. */
  id: string;
  /** What may still come of it: to which price each listing is set, once. */
  left: Map<string, number>;
}

/** All of the model: the prices as the service has them, and what was agreed to, oldest first. */
interface Model {
  prices: Map<string, number>;
  agreed: Agreed[];
}

interface Real {
  shop: Shop;
  chat: Chat;
  /** Writes that came so far and were held against the model. */
  seen: number;
}

type Command = fc.AsyncCommand<Model, Real>;
/** After how many requests the process is killed, and whether the last of them takes effect. */
type Kill = { after: number; takesEffect: boolean } | undefined;

const step = (name: string, run: (model: Model, real: Real) => Promise<void> | void): Command => ({
  check: () => true,
  run: async (model, real) => run(model, real),
  toString: () => name,
});
const facts = (answer: Answered | undefined) => Object(answer?.structured);

/** A call that may be killed on its way, and what is agreed to in it. @param onYes what the yes ends, before anything is sent */
async function callOf(
  { model, real, kill, yes }: { model: Model; real: Real; kill: Kill; yes: boolean },
  tool: typeof changeListings,
  args: object,
  onYes: () => void = () => {},
): Promise<void> {
  const agreed: Agreed = { id: '', left: new Map() };
  const lists = new Set(listFiles(real.shop.folder()));
  if (kill !== undefined) real.chat.killAfter(kill.after, kill.takesEffect);
  const answer = await real.chat.call(tool, args, async (question) => {
    if (yes) {
      agreed.left = pricesIn(question);
      expect(agreed.left.size, question).toBeGreaterThan(0);
      onYes();
      model.agreed.push(agreed);
    }
    return yes;
  });
  real.chat.killAfter(Number.POSITIVE_INFINITY, true);
  const [begun = ''] = listFiles(real.shop.folder()).filter((name) => !lists.has(name));
  agreed.id = begun.replace('.jsonl', '');
  checkArrived(model, real);
  checkTold(answer, real.shop);
  if (real.chat.isDead()) real.chat = real.shop.open();
}

/** `A "Lamp A": price: 90.00 USD -> 100.00 USD`: what a person was shown. */
function pricesIn(question: string): Map<string, number> {
  const rows = question.matchAll(/^ *([A-L]) "Lamp .*?price: [\d.]+ USD -> ([\d.]+) USD/gm);
  return new Map([...rows].map(([, sku = '', price]) => [sku, Number(price)]));
}

/** Whatever came was agreed to and comes once, and nothing is written over what was agreed to later. */
function checkArrived(model: Model, real: Real): void {
  for (const { sku, price, isAccepted } of real.shop.arrived.slice(real.seen)) {
    const at = model.agreed.findLastIndex(({ left }) => left.get(sku) === price);
    expect(at, `${sku} was set to ${price}, and nobody had agreed to that`).not.toBe(-1);
    model.agreed[at]?.left.delete(sku);
    if (!isAccepted) continue;
    for (const { left } of model.agreed.slice(0, at)) left.delete(sku);
    model.prices.set(sku, price);
  }
  real.seen = real.shop.arrived.length;
  expect([...real.shop.prices]).toEqual([...model.prices]);
}

/** Accepted is what came and was accepted, not accepted what was refused. */
function checkTold(answer: Answered | undefined, { arrived }: Shop): void {
  const { accepted = [], results = [] } = facts(answer);
  const came = (sku: string, as: boolean) => arrived.some((one) => one.sku === sku && one.isAccepted === as);
  const told = [...results, ...accepted.map((key: string) => ({ key, outcome: 'accepted' }))];
  for (const { key, outcome } of told) {
    if (outcome === 'accepted') expect(came(key, true), `${key} is told as accepted`).toBe(true);
    if (outcome === 'not_accepted') expect(came(key, false), `${key} is told as refused`).toBe(true);
  }
}

interface Item {
  sku: string;
  set: { price: number };
}

const list = ([items, yes, kill]: [Item[], boolean, Kill]): Command =>
  step(`list ${JSON.stringify([items, yes, kill])}`, (model, real) =>
    callOf({ model, real, kill, yes }, changeListings, { items }),
  );

/** Of one of the newest lists, all or one listing: from the yes on nothing of it comes any more. */
const undo = ([sku, nth, yes, kill]: [string | undefined, number, boolean, Kill]): Command =>
  step(`undo ${JSON.stringify([sku, nth, yes, kill])}`, async (model, real) => {
    const { changes } = facts(await real.chat.call(undoChange, {}));
    const lists = changes.filter(({ items }: { items?: number }) => items !== undefined);
    const { id } = lists[nth % Math.max(1, lists.length)] ?? {};
    if (id === undefined) return;
    const args = { id: sku === undefined ? id : `${id}/${sku}` };
    await callOf({ model, real, kill, yes }, undoChange, args, () => {
      const left = model.agreed.find((one) => one.id === id)?.left;
      if (sku === undefined) left?.clear();
      else left?.delete(sku);
    });
  });

const price = fc.integer({ min: 50, max: 60 });
const sku = fc.constantFrom(...SKUS);
const kill = fc.option(fc.record({ after: fc.nat(12), takesEffect: fc.boolean() }), { nil: undefined });
const yes = fc.integer({ min: 0, max: 4 }).map((one) => one > 0);
/** The same words again, and others for the same. */
const words = [
  SKUS.map((one, at) => ({ sku: one, set: { price: 90 + at } })),
  SKUS.toReversed().map((one, at) => ({ sku: one, set: { price: 95 - at } })),
  SKUS.slice(0, 10).map((one, at) => ({ sku: one, set: { price: 80 + at } })),
];
const items = fc.oneof(
  fc.constantFrom(...words),
  fc.uniqueArray(fc.record({ sku, set: fc.record({ price }) }), {
    minLength: 1,
    maxLength: 4,
    selector: (one: Item) => one.sku,
  }),
);

/** What goes wrong most easily: a list cut off in its middle, something done about it, and the same words again. */
const cutOff = fc
  .record({
    items: fc.constantFrom(...words),
    kill: fc.record({ after: fc.integer({ min: 2, max: 24 }), takesEffect: fc.boolean() }),
    about: fc.oneof(
      fc.constant(undo([undefined, 0, true, undefined])),
      sku.map((one) => undo([one, 0, true, undefined])),
      fc.constantFrom(...words).map((other) => list([other, true, undefined])),
    ),
    again: fc.boolean(),
  })
  .map(({ items: first, kill: cut, about, again }) =>
    step(`cut off ${JSON.stringify([first, cut])}, ${about}, again ${again}`, async (model, real) => {
      const inTurn = [list([first, true, cut]), about, list([first, again, undefined])];
      for (const one of inTurn) await one.run(model, real);
    }),
  );

const commands = fc.commands(
  [
    cutOff,
    cutOff,
    fc.tuple(items, yes, kill).map(list),
    fc.tuple(items, fc.constant(true), kill).map(list),
    fc.tuple(fc.constant(undefined), fc.nat(2), yes, kill).map(undo),
    fc.tuple(sku, fc.nat(2), yes, kill).map(undo),
    fc.constant(
      step('a new chat', (_model, real) => {
        real.chat = real.shop.open();
      }),
    ),
    fc.boolean().map((isSlow) =>
      step(isSlow ? 'what is written is seen late' : 'all is seen', (_model, { shop }) => {
        shop.isSlow = isSlow;
        if (!isSlow) shop.reveal();
      }),
    ),
    fc.tuple(sku, price).map(([one, to]) =>
      step(`others set ${one} to ${to}`, (model, { shop }) => {
        shop.setElsewhere(one, to);
        model.prices.set(one, to);
      }),
    ),
    fc.tuple(sku, fc.boolean()).map(([one, isRefused]) =>
      step(`${one} is ${isRefused ? '' : 'not '}refused`, (_model, { shop }) => {
        if (isRefused) shop.refused.add(one);
        else shop.refused.delete(one);
      }),
    ),
  ],
  { size: '+1', maxCommands: 14 },
);

const shops: Shop[] = [];
afterAll(() => Promise.all(shops.map((shop) => shop.close())));

it(
  'nothing is sent without its yes or twice, and what is told is true',
  async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (all) => {
        const shop = openShop(INITIAL);
        shops.push(shop);
        const setup = () => ({
          model: { prices: new Map(Object.entries(INITIAL)), agreed: [] },
          real: { shop, chat: shop.open(), seen: 0 },
        });
        await fc.asyncModelRun(setup, all);
      }),
      { numRuns: RUNS },
    );
  },
  LIMIT_MS,
);
