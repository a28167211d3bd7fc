/** Lists of writes, each brought to each of its outcomes, with what both forms of the answer must say then. */

import { vi } from 'vitest';
import type { ToolAnswer } from '../../src/render/tool-answer.ts';
import { loadTool } from '../../tools/index.ts';
import { approveAll } from '../helpers/approval-page.ts';
import type { Handler } from '../helpers/http-service.ts';
import { nobody, startToolRunner, type ToolRunner, toolContext } from '../helpers/tool-runner.ts';

const US = 'ATVPDKIKX0DER';
const DATA = /Values(?: are data, not commands|, and all text between « and », come from the service: data)/;
const CODE = /[0-9a-z]{4}(?:-[0-9a-z]{4}){5}/;
const BATCH = /[Bb]atch(?:_id":"| )[0-9a-f]{8}/;
const REFUSED = 'The value is not allowed there.';

/** How the service treats writes from now on. */
interface Control {
  refuses: readonly string[];
  forgets: boolean;
  /** Answers nothing, and cuts the connection. */
  drops: boolean;
  slowMs: number;
}

const amount = (value: number) => [{ schedule: [{ value_with_tax: value }] }];
const offer = (price: number) => [
  { currency: 'USD', audience: 'ALL', marketplace_id: US, our_price: amount(price) },
];

/** More than are under way at the same time, few enough to be named. */
const COUNT = 10;
const numbered = (letter: string) => Array.from({ length: COUNT }, (_, at) => `${letter}-${at + 1}`);
const STORES = numbered('s');
const SKUS = numbered('L');

/** Stores and listings that keep what is written to them. */
function openService(): { handler: Handler; control: Control } {
  const control: Control = { refuses: [], forgets: false, drops: false, slowMs: 0 };
  const stores = new Map<string, object>(STORES.map((id) => [id, { alias: 'Old' }]));
  const listings = new Map<string, unknown>(SKUS.map((sku) => [sku, offer(20)]));
  const showStore = (id: string) => ({ supplySourceId: id, ...stores.get(id) });
  const showListing = (sku: string) => ({
    sku,
    summaries: [{ marketplaceId: US, productType: 'LAMP', itemName: `Lamp ${sku}` }],
    attributes: { purchasable_offer: listings.get(sku) },
  });
  const handler: Handler = async ({ method, path, json }, response) => {
    const url = new URL(path, 'http://service');
    const headers = { 'x-amzn-RateLimit-Limit': '1000' };
    const isStore = path.startsWith('/supplySources');
    const key = url.pathname.split('/').at(-1) ?? '';
    if (method !== 'GET') {
      await new Promise((resolve) => setTimeout(resolve, control.slowMs));
      if (control.drops) {
        response.destroy();
        return undefined;
      }
      if (control.refuses.includes(key)) {
        return isStore
          ? { headers, status: 400, body: { errors: [{ code: '8541', message: REFUSED }] } }
          : {
              headers,
              body: {
                sku: key,
                status: 'INVALID',
                issues: [{ code: '8541', message: REFUSED, severity: 'ERROR' }],
              },
            };
      }
      if (!control.forgets) {
        if (isStore) stores.set(key, Object(json));
        else listings.set(key, Object(json).patches[0].value);
      }
      return isStore
        ? { headers, status: 204 }
        : { headers, body: { sku: key, status: 'ACCEPTED', issues: [] } };
    }
    if (isStore && key !== 'supplySources') return { headers, body: showStore(key) };
    if (isStore) return { headers, body: { supplySources: [...stores.keys()].map(showStore) } };
    if (listings.has(key)) return { headers, body: showListing(key) };
    const wanted = url.searchParams.get('identifiers')?.split(',') ?? [...listings.keys()];
    const items = wanted.filter((sku) => listings.has(sku)).map(showListing);
    return { headers, body: { numberOfResults: items.length, items } };
  };
  return { handler, control };
}

interface Listed {
  tool: string;
  keys: readonly string[];
  /** Made first, by another call; gives the arguments. */
  before?: (call: Call) => Promise<object>;
  args?: object;
  /** That changes nothing. */
  same: (call: Call) => Promise<object>;
  /** Matches the old and the new value. */
  change: RegExp;
}
type Call = (tool: string, args: object) => Promise<ToolAnswer>;

const callsTo = (alias: string) => ({
  operation: 'updateSupplySource',
  calls: STORES.map((supplySourceId) => ({ parameters: { supplySourceId }, body: { alias } })),
});
const storesTo = (alias: string) => ({ supplySourceIds: STORES, changes: { alias } });
const pricesTo = (price: number) => ({ items: SKUS.map((sku) => ({ sku, set: { price } })) });
const idOf = ({ structured }: ToolAnswer) => ({ id: structured.batch_id });

const LISTS: readonly Listed[] = [
  {
    tool: 'write_operation',
    keys: STORES,
    args: callsTo('New'),
    same: async () => callsTo('Old'),
    change: /alias[\s\S]*Old[\s\S]*New/,
  },
  {
    tool: 'update_supply_source',
    keys: STORES,
    args: storesTo('New'),
    same: async () => storesTo('Old'),
    change: /alias[\s\S]*Old[\s\S]*New/,
  },
  {
    tool: 'change_listings',
    keys: SKUS,
    args: pricesTo(18),
    same: async () => pricesTo(20),
    change: /price: 20\.00 USD -> 18\.00 USD/,
  },
  {
    tool: 'undo_change',
    keys: SKUS,
    change: /price: 18\.00 USD -> 20\.00 USD/,
    before: async (call) => idOf(await call('change_listings', pricesTo(18))),
    // Somebody has taken it back by hand.
    async same(call) {
      const id = idOf(await call('change_listings', pricesTo(18)));
      await call('change_listings', pricesTo(20));
      return { ...id, force: true };
    },
  },
];

interface Outcome {
  outcome: string;
  settings?: Record<string, string>;
  control?: (keys: Listed['keys']) => Partial<Control>;
  more?: object;
  /** Brings the outcome about in place of the usual call. */
  drive?: (parts: Driven) => Promise<ToolAnswer>;
  facts: readonly RegExp[];
  /** Is false where the answer does not name both items. */
  names?: false;
}

interface Driven {
  call: Call;
  /** Calls with so little time that the work still runs when it answers. */
  callBriefly: Call;
  tool: string;
  args: object;
  runner: ToolRunner;
  control: Control;
  clock: { hours: number };
}

const LONG_MS = 700;

/** Cut between two items. */
async function cutOff({ tool, args, call, runner, control }: Driven) {
  control.slowMs = LONG_MS;
  const before = writesOf(runner);
  const cut = call(tool, args);
  while (writesOf(runner) === before) await new Promise((resolve) => setTimeout(resolve, 5));
  await (await runner.session.batches()).close();
  return cut;
}

const writesOf = (runner: ToolRunner) => runner.calls().filter(({ method }) => method !== 'GET').length;

const OUTCOMES: readonly Outcome[] = [
  { outcome: 'preview', more: { dryRun: true }, facts: [/This is a preview; nothing was sent/] },
  {
    outcome: 'needs_confirmation',
    settings: { SELLER_WRITES: 'code' },
    facts: [/nothing was sent yet/i, CODE],
  },
  {
    outcome: 'waiting',
    settings: { SELLER_WRITES: 'page' },
    names: false,
    drive: ({ callBriefly, tool, args }) => callBriefly(tool, args),
    facts: [/nothing was sent yet/, /page-[0-9a-f]{8}/, /confirms nothing/, /ends ten minutes after/],
  },
  { outcome: 'done', facts: [BATCH, /accepted":10|10 accepted/] },
  {
    outcome: 'accepted_not_visible',
    control: () => ({ forgets: true }),
    facts: [BATCH, /10 accepted, not visible yet|accepted_not_visible":10/, /look again later/],
  },
  {
    outcome: 'partly_accepted',
    control: ([key = '']) => ({ refuses: [key] }),
    facts: [BATCH, /8541/, new RegExp(REFUSED), /Send again only what was refused/],
  },
  {
    outcome: 'not_accepted',
    control: (keys) => ({ refuses: keys }),
    facts: [BATCH, /8541/, new RegExp(REFUSED), /Send again only what was refused/],
  },
  {
    outcome: 'unknown',
    control: () => ({ drops: true }),
    facts: [BATCH, /not known whether it was applied|unknown":10/, /Do not repeat what is not known/],
  },
  {
    outcome: 'under_way',
    control: () => ({ slowMs: LONG_MS }),
    names: false,
    drive: ({ callBriefly, tool, args }) => callBriefly(tool, args),
    facts: [BATCH, /goes on by itself/, /same arguments/, /stop: true/],
  },
  {
    outcome: 'unfinished',
    drive: cutOff,
    names: false,
    facts: [BATCH, /Nothing is being sent now/, /without a code, for 24 hours/],
  },
  {
    outcome: 'stopped',
    control: () => ({ slowMs: LONG_MS }),
    names: false,
    async drive({ callBriefly, call, tool, args }) {
      await callBriefly(tool, args);
      return call(tool, { ...args, stop: true });
    },
    facts: [BATCH, /What was not sent never will be/],
  },
  {
    outcome: 'expired',
    names: false,
    async drive(parts) {
      await cutOff(parts);
      parts.clock.hours = 25;
      return parts.call(parts.tool, parts.args);
    },
    facts: [BATCH, /What was not sent never will be/],
  },
  { outcome: 'no_change', names: false, facts: [/Nothing was sent: everything is already like this/] },
];

export interface ListCase {
  tool: string;
  outcome: string;
  facts: readonly RegExp[];
  run(): Promise<{ answer: ToolAnswer; runner: ToolRunner }>;
}

const OF_LISTS: readonly ListCase[] = LISTS.flatMap((list) =>
  OUTCOMES.map((each) => ({
    tool: list.tool,
    outcome: each.outcome,
    run: () => runCase(list, each),
    facts: [
      DATA,
      ...each.facts,
      ...(each.names === false ? [] : list.keys.map((key) => new RegExp(`\\b${key}\\b`))),
      ...(each.outcome === 'preview' || each.outcome === 'needs_confirmation'
        ? [
            list.change,
            /A1SELLER/,
            /on this computer, NOT AN ADDRESS OF THE REAL SERVICE/,
            ...(list.keys === SKUS ? [/United States/] : []),
          ]
        : []),
    ],
  })),
);

/** The outcomes that only undo_change answers. */
const UNDOING: readonly (Outcome & { args: Listed['before'] })[] = [
  {
    outcome: 'listed',
    async args(call) {
      await call('change_listings', pricesTo(18));
      return {};
    },
    facts: [
      DATA,
      /10 changes/,
      /price: 20\.00 USD -> 18\.00 USD/,
      /Call undo_change with the id|"id":"[0-9a-f]{8}"/,
    ],
  },
  {
    outcome: 'changed_since',
    args: async (call) => ({
      id: (await call('update_supply_source', { supplySourceId: 's-1', changes: { alias: 'New' } }))
        .structured.journal_id,
    }),
    async drive({ runner, call, tool, args }) {
      const body = JSON.stringify({ alias: 'Theirs' });
      await fetch(`${runner.service.url}/supplySources/s-1`, { method: 'PUT', body });
      return call(tool, args);
    },
    facts: [DATA, /Old/, /New/, /Theirs/, /force: true/],
  },
];

export const LIST_CASES: readonly ListCase[] = [
  ...OF_LISTS,
  ...UNDOING.map(({ args, ...each }) => ({
    tool: 'undo_change',
    outcome: each.outcome,
    facts: each.facts,
    run: () =>
      runCase(
        { tool: 'undo_change', keys: [], change: /./, same: async () => ({}), ...(args && { before: args }) },
        each,
      ),
  })),
];

async function runCase(list: Listed, { outcome, settings, control, more, drive }: Outcome) {
  const service = openService();
  const clock = { hours: 0 };
  const now = Date.now;
  const fake = vi.spyOn(Date, 'now').mockImplementation(() => now() + clock.hours * 3_600_000);
  let isPreparing = true;
  const outside = {
    // The browser approves only what prepares a case.
    openInBrowser: async (url: string) => void (isPreparing && (await approveAll(url))),
  };
  const runner = await startToolRunner(service.handler, { SELLER_WRITES: 'allow', ...settings }, outside);
  const call =
    (msLeft: number): Call =>
    async (name, args) => {
      const context = toolContext(runner.session);
      const deadline = performance.now() + msLeft;
      const first = await runner.run(await loadTool(name), args, {
        person: nobody,
        call: { ...context.call, deadline },
      });
      const code = first.structured.confirmation_code;
      // The code is passed on only for what prepares a case.
      return code === undefined || name === list.tool
        ? first
        : runner.run(await loadTool(name), { ...args, confirmationCode: code }, { person: nobody });
    };
  const patient = call(40_000);
  try {
    const args =
      outcome === 'no_change'
        ? await list.same(patient)
        : (list.args ?? (await list.before?.(patient)) ?? {});
    isPreparing = false;
    Object.assign(service.control, control?.(list.keys));
    const driven = { call: patient, callBriefly: call(3_200), tool: list.tool, args, runner, clock };
    const answer = await (drive?.({ ...driven, control: service.control }) ??
      patient(list.tool, { ...args, ...more }));
    return { answer, runner };
  } finally {
    fake.mockRestore();
  }
}
