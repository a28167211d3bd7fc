/** Attacks on what a question leaves out: every leaf that a write sends stands in it, in its place and with its value, or is counted in its first line; an undo that was not called impossible puts back what was there. */

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { canonicalJson } from '../../src/base/canonical-json.ts';
import { ApiError } from '../../src/base/errors.ts';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import type { CallInput, Client } from '../../src/call/client-types.ts';
import type { Operation } from '../../src/service/facts/operation.ts';
import { loadRegistry } from '../../src/service/registry/registry.ts';
import { describeBatchQuestion } from '../../src/write/approval/batch/batch-question.ts';
import { describePreview, type PreviewParts } from '../../src/write/approval/write-question.ts';
import { buildUndoCall } from '../../src/write/handlers/undo/prepare-undo.ts';
import type { Change } from '../../src/write/model/change.ts';
import { NO_CHANGES, NOTHING_ELSE } from '../../src/write/model/format/change-lines.ts';
import { readStateAndDiff } from '../../src/write/plan/write-diff.ts';
import { whyNotUndoable } from '../../src/write/records/undo/undo-eligibility.ts';
import { buildWriteValues } from '../../src/write/records/undo/write-values.ts';
import { expectOnlyIn } from '../helpers/only-in.ts';
import { ANSWER, never, OWNER } from '../write/run/open-guard.ts';

const RUNS = { seed: 20_261_122, numRuns: 100, endOnFailure: true };
// Hundreds of worlds each, on machines that do other work meanwhile.
vi.setConfig({ testTimeout: 300_000 });

const registry = await loadRegistry();
const PATCH = registry.find('listings-items/patchListingsItem');
const PUT = registry.find('listings-items/putListingsItem');

const DE = 'A1PA6795UKMFR9';
const FR = 'A13V1IB3VIYZZH';
const IT = 'APJ6JRA9NG5V4';
const COUNTRIES: Readonly<Record<string, string>> = { [DE]: 'Germany', [FR]: 'France', [IT]: 'Italy' };

type State = Readonly<Record<string, readonly unknown[]>>;

const marketplaceOf = (entry: unknown): string | undefined =>
  isJsonObject(entry) && typeof entry.marketplace_id === 'string' ? entry.marketplace_id : undefined;
const listOf = (value: unknown): unknown[] => (value === undefined || value === null ? [] : [value].flat());

/** A service with one listing, of which it shows each marketplace its own. */
function clientOf(state: unknown, refused: readonly string[] = []): Client {
  return {
    call: async ({ parameters }: CallInput) => {
      const marketplaces = listOf(parameters.marketplaceIds).map(String);
      if (marketplaces.some((id) => refused.includes(id))) throw new ApiError({ status: 403 }, 'no');
      if (parameters.sku === undefined) return { ...ANSWER, status: 200, body: state };
      const isHere = (entry: unknown) => marketplaces.includes(marketplaceOf(entry) ?? marketplaces[0] ?? '');
      const shown = Object.entries(isJsonObject(state) ? state : {}).map(([name, entries]) => [
        name,
        listOf(entries).filter(isHere),
      ]);
      return { ...ANSWER, status: 200, body: { sku: 'LAMP', attributes: Object.fromEntries(shown) } };
    },
    prepare: never,
    exchangeToken: never,
    rememberRestrictedToken: never,
    close: async () => {},
  };
}

interface Write {
  operation: Operation;
  parameters: JsonObject;
  body: unknown;
}

async function changeOf({ operation, parameters, body }: Write, client: Client): Promise<Change> {
  const written = { operation, account: 'default', parameters, body };
  const { change, isAbsent } = await readStateAndDiff(written, { client, registry, now: Date.now }, {});
  const why = await whyNotUndoable(
    { operation, change, shown: change, ...(isAbsent === undefined ? {} : { isNew: isAbsent }) },
    async () => true,
  );
  return { ...change, ...(why === undefined ? {} : { cannotUndo: why }) };
}

const requestOf = ({ operation, parameters, body }: Write) => ({
  method: operation.method,
  url: `https://service.example/${'x'.repeat(3_000)}`,
  headers: {},
  filledIn: {},
  parameters,
  marketplaces: [],
  owner: OWNER,
  body,
});

function questionOf(write: Write, change: Change): string {
  const { operation, parameters } = write;
  const parts: PreviewParts = {
    operation,
    account: 'default',
    parameters,
    change,
    request: requestOf(write),
  };
  return describePreview(parts).text();
}

/** The generated shapes, whose leaves each get a tag of their own. */
type Shape = { leaf: Leaf } | { list: Shape[] } | { object: [string, Shape][] } | { plain: unknown };
type Leaf = 'text' | 'long' | 'number' | 'digits' | 'null' | 'empty list' | 'empty object' | 'true';

interface Mark {
  /** The text of a leaf, or the name of a member whose value has no text of its own. */
  text: string;
  /** The value of a member whose name is the tag. */
  value?: string;
  /** The marketplace that its entry names. */
  marketplaceId?: string | undefined;
}

const WORDS: Readonly<Record<string, readonly [unknown, string]>> = {
  null: [null, 'null'],
  'empty list': [[], 'an empty list'],
  'empty object': [{}, 'an empty object'],
  true: [true, 'true'],
};

/** @param prefix tells marks of the body from those of the state */
function marked(shape: Shape, prefix: string, marks: Mark[]): unknown {
  const fill = (one: Shape, marketplaceId: string | undefined): unknown => {
    if ('plain' in one) return one.plain;
    if ('list' in one) return one.list.map((inner) => fill(inner, marketplaceId));
    if ('object' in one) {
      const named = one.object.find(([name]) => name === 'marketplace_id')?.[1];
      const here =
        named !== undefined && 'plain' in named && typeof named.plain === 'string'
          ? named.plain
          : marketplaceId;
      return Object.fromEntries(one.object.map(([name, inner]) => member(name, inner, here)));
    }
    const { leaf } = one;
    const text =
      leaf === 'number' || leaf === 'digits' ? `${prefix}${marks.length}17` : `t${prefix}x${marks.length}t`;
    marks.push({ text, marketplaceId });
    if (leaf === 'number') return Number(text);
    return leaf === 'long' ? `${text}${'long '.repeat(100)}` : text;
  };
  const member = (name: string, inner: Shape, marketplaceId: string | undefined): [string, unknown] => {
    const word = 'leaf' in inner ? WORDS[inner.leaf] : undefined;
    if (word === undefined) return [name, fill(inner, marketplaceId)];
    const text = `m${prefix}x${marks.length}m`;
    marks.push({ text, value: word[1], marketplaceId });
    return [text, word[0]];
  };
  return fill(shape, undefined);
}

const NAMES = [
  'value',
  'our_price',
  'schedule',
  'value_with_tax',
  'start_at',
  'discounted_price',
  'unit',
].concat([
  'minimum_seller_allowed_price',
  'quantity',
  'media_location',
  'lead_time_to_ship_max_days',
  'a"b',
  'c\u0007d',
  'e\nf: 1 -> 2',
  '__proto__',
  'constructor',
  'marketplaceIds',
  'timeUnit',
]);
const leafOf = (...kinds: Leaf[]) => fc.constantFrom(...kinds).map((leaf): Shape => ({ leaf }));
const textLeaf = leafOf('text', 'number', 'digits', 'long');
const anyLeaf = fc.oneof(
  { weight: 4, arbitrary: textLeaf },
  leafOf('null', 'empty list', 'empty object', 'true'),
);
const { value: shape, object: objectShape } = fc.letrec<{ value: Shape; inList: Shape; object: Shape }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      anyLeaf,
      tie('object'),
      fc.array(tie('inList'), { minLength: 1, maxLength: 3 }).map((list) => ({ list })),
    ),
    inList: fc.oneof({ maxDepth: 3 }, textLeaf, tie('object')),
    object: fc
      .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), tie('value')), {
        selector: ([name]) => name,
        minLength: 1,
        maxLength: 3,
      })
      .map((object) => ({ object })),
  }),
);

const price = fc.constantFrom<Shape[]>(
  { list: [{ object: [['schedule', { list: [{ object: [['value_with_tax', { leaf: 'number' }]] }] }]] }] },
  { list: [{ object: [['schedule', { list: [{ object: [['value_with_tax', { leaf: 'digits' }]] }] }]] }] },
);
const marketplaceId = fc.constantFrom<Shape[]>({ plain: DE }, { plain: FR }, { plain: IT });
const optional = (name: string, of: fc.Arbitrary<Shape>): fc.Arbitrary<[string, Shape][]> =>
  fc.option(of, { nil: undefined }).map((one) => (one === undefined ? [] : [[name, one]]));
const plain = (...values: unknown[]): fc.Arbitrary<Shape> =>
  fc.constantFrom(...values).map((one) => ({ plain: one }));

/** Generates an entry of an attribute; odd ones occur in no listing. */
const entryOf = (isOdd: boolean): fc.Arbitrary<Shape> =>
  fc
    .tuple(
      optional(
        'marketplace_id',
        isOdd ? fc.oneof({ weight: 6, arbitrary: marketplaceId }, plain(null, 7, [FR])) : marketplaceId,
      ),
      optional('language_tag', isOdd ? fc.oneof(plain('de_DE', 'fr_FR'), textLeaf) : plain('de_DE', 'fr_FR')),
      optional('audience', isOdd ? fc.oneof(plain('ALL', 'B2B', null), textLeaf) : plain('ALL', 'B2B')),
      optional('currency', isOdd ? fc.oneof(plain('EUR', 'USD'), textLeaf) : plain('EUR')),
      optional('our_price', price),
      fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES.filter((name) => name !== 'our_price')), shape), {
        selector: ([name]) => name,
        maxLength: 3,
      }),
    )
    .map((parts) => ({ object: parts.flat() }));

const ATTRIBUTES = [
  'purchasable_offer',
  'item_name',
  'bullet_point',
  'fulfillment_availability',
  'odd ~/\u0007',
];
const stateShape = fc.array(
  fc.tuple(fc.constantFrom(...ATTRIBUTES), fc.array(entryOf(false), { minLength: 1, maxLength: 4 })),
  { maxLength: 4 },
);
const listShape = (one: fc.Arbitrary<Shape>) =>
  fc.array(one, { minLength: 1, maxLength: 3 }).map((list): Shape => ({ list }));
const entriesShape = (isOdd: boolean): fc.Arbitrary<Shape> =>
  isOdd ? fc.oneof(listShape(entryOf(true)), plain(null, [], {}, [{}]), shape) : listShape(entryOf(false));
const selectors = fc
  .tuple(
    optional('marketplace_id', marketplaceId),
    optional('language_tag', plain('de_DE', 'fr_FR')),
    optional('audience', plain('B2B')),
  )
  .map((parts): Shape => ({ object: parts.flat() }));
const patchShape = (isOdd: boolean): fc.Arbitrary<Shape> =>
  fc
    .tuple(
      fc.constantFrom('add', 'replace', 'merge', 'merge', ...(isOdd ? ['move'] : [])),
      fc.constantFrom(...ATTRIBUTES),
      entriesShape(isOdd),
      isOdd ? fc.constantFrom(undefined, 'values', 'from', 'Value') : fc.constant(undefined),
      entriesShape(isOdd),
    )
    .map(([op, name, value, more, beside]) => ({
      object: [
        ['op', { plain: op }],
        ['path', { plain: pathOf(name) }],
        ['value', value],
        ...(more === undefined ? [] : [[more, beside] satisfies [string, Shape]]),
      ],
    }));
const deletion: fc.Arbitrary<Shape> = fc
  .tuple(fc.constantFrom(...ATTRIBUTES), fc.oneof(fc.constant(undefined), listShape(selectors)))
  .map(([name, value]) => ({
    object: [
      ['op', { plain: 'delete' }],
      ['path', { plain: pathOf(name) }],
      ...(value === undefined ? [] : [['value', value] satisfies [string, Shape]]),
    ],
  }));
const pathOf = (name: string) => `/attributes/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
const ordinary = fc.oneof({ weight: 2, arbitrary: patchShape(false) }, { weight: 1, arbitrary: deletion });
const patches = fc.oneof(
  { weight: 3, arbitrary: fc.array(ordinary, { minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: fc.array(fc.oneof(ordinary, patchShape(true)), { minLength: 1, maxLength: 3 }) },
);
const attributes = (isOdd: boolean) =>
  fc.uniqueArray(fc.tuple(fc.constantFrom(...ATTRIBUTES), entriesShape(isOdd)), {
    selector: ([name]) => name,
    maxLength: 3,
  });
interface Sent {
  operation: Operation;
  shape: Shape;
}

const bodyShape: fc.Arbitrary<Sent> = fc.oneof(
  { weight: 4, arbitrary: patches.map((list) => patchesBody(list)) },
  {
    weight: 1,
    arbitrary: fc.oneof(attributes(false), attributes(true)).map(
      (object): Sent => ({
        operation: PUT,
        shape: {
          object: [
            ['productType', { plain: 'LAMP' }],
            ['attributes', { object }],
          ],
        },
      }),
    ),
  },
);

function patchesBody(list: Shape[]): Sent {
  return {
    operation: PATCH,
    shape: {
      object: [
        ['productType', { plain: 'LAMP' }],
        ['patches', { list }],
      ],
    },
  };
}

const CALLED: string[][] = [[DE], [FR], [DE, FR]];
const REFUSED: string[][] = [[], [], [], [IT], [FR, IT]];
const world = fc
  .record({
    state: stateShape,
    body: bodyShape,
    places: fc.constantFrom(...CALLED),
    refused: fc.constantFrom(...REFUSED),
  })
  .map(({ state, body: { operation, shape: body }, places, refused }) => {
    const marks: Mark[] = [];
    const before = state.map(([name, list]) => [name, marked({ list }, '8', [])] as const);
    const all: State = Object.fromEntries(before.map(([name, list]) => [name, listOf(list)]));
    const write = {
      operation,
      parameters: { sellerId: 'A1SELLER', sku: 'LAMP', marketplaceIds: places },
      body: marked(body, '9', marks),
    };
    return { write, marks, state: all, places, refused: refused.filter((id) => !places.includes(id)) };
  });

const isIn = (line: string, { text, value }: Mark) =>
  new RegExp(`(?<![0-9])${text}(?![0-9])`).test(line) && (value === undefined || line.includes(value));

/** Marks that no line shows, where they belong. */
function hidden(text: string, marks: readonly Mark[]): Mark[] {
  const lines = text.split('\n');
  const [head = ''] = lines.filter((line) => line.startsWith('LAMP'));
  const isThere = (line: string, marketplaceId: string | undefined) =>
    marketplaceId === undefined ||
    line.includes(COUNTRIES[marketplaceId] ?? marketplaceId) ||
    /^ {2}(?:patches\[|attributes[.[]|.*, added |Body)/.test(line) ||
    new RegExp(`^LAMP[^,]*, ${COUNTRIES[marketplaceId]}(?:, now -> then)?:`).test(head);
  return marks.filter((mark) => !lines.some((line) => isIn(line, mark) && isThere(line, mark.marketplaceId)));
}

const NOTICE = /^NOT SHOWN HERE, OR NOT WHOLE: (\d+) OF (\d+) MEMBERS\. /;

describe('a write of a listing', () => {
  it('shows every leaf that it sends, in its place, or counts it in its first line', async () => {
    const state = { item_name: [{ marketplace_id: DE, value: 'Lampe' }] };
    const patches = [{ op: 'replace', path: '/attributes/item_name', value: state.item_name }];
    const parameters = { sellerId: 'A1SELLER', sku: 'LAMP', marketplaceIds: [DE] };
    const alike = { operation: PATCH, parameters, body: { patches } };
    const unchanged = questionOf(alike, await changeOf(alike, clientOf(state)));
    await fc.assert(
      fc.asyncProperty(world, async ({ write, marks, state, refused }) => {
        const change = await changeOf(write, clientOf(state, refused));
        const text = questionOf(write, change);
        const missing = hidden(text, marks);
        const [, count = '0', total = '0'] = NOTICE.exec(text) ?? [];
        if (missing.length > Number(count)) expect({ text, missing }).toEqual({ text, missing: [] });
        expect(Number(count)).toBeLessThanOrEqual(Number(total));
        // This write has no product type, because a question with one never says that nothing changes.
        const bare = { ...write, body: { ...Object(write.body), productType: undefined } };
        const says = questionOf(bare, await changeOf(bare, clientOf(state, refused)));
        if (marks.length > 0) expectOnlyIn(NO_CHANGES, unchanged, says);
      }),
      RUNS,
    );
  });

  it('says of no place that was not read that nothing is there, and that it cannot be undone', async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ write, state, places }) => {
        const refused = [DE, FR, IT].filter((id) => !places.includes(id));
        const change = await changeOf(write, clientOf(state, refused));
        const differing = JSON.stringify([change.before, change.after]);
        for (const id of refused) expect(differing).not.toContain(`"marketplace_id":"${id}"`);
        const unread = refused.filter((id) => change.places.includes(id));
        if (unread.length > 0) expect(change.cannotUndo).toBeDefined();
      }),
      RUNS,
    );
  });

  it('shows it in a list too, or says that a row is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(world, { minLength: 1, maxLength: 3 }), async (worlds) => {
        const one = worlds.filter(({ write }) => write.operation === PATCH);
        const rows = await Promise.all(
          one.map(async ({ write, state, refused }, at) => ({
            key: String(at),
            parameters: write.parameters,
            body: write.body,
            filledIn: {},
            change: await changeOf(write, clientOf(state, refused)),
          })),
        );
        const [first] = one;
        if (first === undefined) return;
        const { operation } = first.write;
        const parts = { head: 'calls', operation, account: 'default', request: requestOf(first.write), rows };
        const text = describeBatchQuestion(parts).text();
        const missing = one.flatMap(({ marks }) => marks).filter((mark) => !isIn(text, mark));
        if (missing.length > 0) expect(text).toMatch(/^SUMMED UP OR CUT HERE: /);
      }),
      RUNS,
    );
  });
});

/**
 * Applies a write as the service does: whole attributes, in the marketplaces of the call and in those it
 * names.
 */
function applied(state: State, { operation, parameters, body }: Write): State {
  const marketplaces = listOf(parameters.marketplaceIds).map(String);
  const isHere = (entry: unknown, more: readonly unknown[] = []) =>
    [undefined, ...marketplaces, ...more.map(marketplaceOf)].includes(marketplaceOf(entry));
  const after = new Map(Object.entries(state));
  const set = (name: string, entries: readonly unknown[]) =>
    entries.length === 0 ? after.delete(name) : after.set(name, entries);
  const { patches, attributes = {} }: JsonObject = isJsonObject(body) ? body : {};
  if (operation === PUT) {
    const given = isJsonObject(attributes) ? attributes : {};
    for (const name of new Set([...after.keys(), ...Object.keys(given)])) {
      const value = listOf(given[name]);
      set(name, [...value, ...(after.get(name) ?? []).filter((entry) => !isHere(entry, value))]);
    }
    return Object.fromEntries(after);
  }
  for (const patch of listOf(patches).filter(isJsonObject)) {
    const name = String(patch.path).slice('/attributes/'.length).replaceAll('~1', '/').replaceAll('~0', '~');
    const entries = after.get(name) ?? [];
    const value = listOf(patch.value);
    const isMeant = (wanted: unknown, entry: unknown) =>
      isJsonObject(wanted) &&
      isJsonObject(entry) &&
      (marketplaceOf(wanted) === undefined ? isHere(entry) : true) &&
      [
        ['marketplace_id', undefined],
        ['language_tag', undefined],
        ['audience', 'ALL'],
        ['fulfillment_channel_code', 'DEFAULT'],
        ['currency', undefined],
      ].every(([one = '', otherwise]) => {
        const [a, b] = [wanted[one] ?? otherwise, entry[one] ?? otherwise];
        return a === undefined || b === undefined || canonicalJson(a) === canonicalJson(b);
      });
    if (patch.op === 'add' || patch.op === 'replace') {
      set(name, [...value, ...entries.filter((entry) => !isHere(entry, value))]);
    } else if (patch.op === 'delete') {
      const wanted = value.filter(isJsonObject);
      const isGone = (entry: unknown) =>
        wanted.length === 0 ? isHere(entry) : wanted.some((one) => isMeant(one, entry));
      set(
        name,
        entries.filter((entry) => !isGone(entry)),
      );
    } else if (patch.op === 'merge') {
      const left = value.filter((one) => !entries.some((entry) => isMeant(one, entry)));
      const merged = entries.map((entry) => {
        const more = value.find((one) => isMeant(one, entry));
        return isJsonObject(entry) && isJsonObject(more) ? { ...entry, ...more } : entry;
      });
      set(name, [...merged, ...left]);
    }
  }
  return Object.fromEntries(after);
}

const sorted = (state: State) =>
  Object.fromEntries(
    Object.entries(state).map(([name, entries]) => [name, entries.map(canonicalJson).sort()]),
  );

it('what is undone is put back in the place that the body named; where it cannot be, that was said', async () => {
  let undone = 0;
  await fc.assert(
    fc.asyncProperty(world, async ({ write, state, refused }) => {
      const change = await changeOf(write, clientOf(state, refused));
      if (change.cannotUndo !== undefined || (change.differences ?? []).length === 0) return;
      undone += 1;
      const { operation, parameters, body } = write;
      const kept = { account: 'default', owner: 'o', operation, parameters, body, change, shown: change };
      const call = buildUndoCall({ operation: operation.id }, buildWriteValues(kept));
      const after = applied(state, write);
      const back = call && applied(after, { operation: PATCH, parameters: call.parameters, body: call.body });
      expect(back && sorted(back)).toEqual(sorted(state));
    }),
    RUNS,
  );
  expect(undone).toBeGreaterThan(RUNS.numRuns / 20);
});

describe('a write of a store, or of anything else', () => {
  const STORE = registry.find('supply-sources/updateSupplySource');
  const STATUS = registry.find('supply-sources/updateSupplySourceStatus');
  const ORDER = registry.find('outbound-fulfilment/updateFulfillmentOrder');
  const kinds = [
    { operation: STORE, parameters: { supplySourceId: 'hh01' }, wrap: (state: unknown) => state },
    { operation: STATUS, parameters: { supplySourceId: 'hh01' }, wrap: (state: unknown) => state },
    {
      operation: ORDER,
      parameters: { sellerFulfillmentOrderId: 'o-1' },
      wrap: (state: unknown) => ({ payload: { fulfillmentOrder: state } }),
    },
  ];

  it('shows every leaf that it sends, or counts it in its first line', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...kinds),
        objectShape,
        objectShape,
        async ({ operation, parameters, wrap }, before, sent) => {
          const marks: Mark[] = [];
          const write = { operation, parameters, body: marked(sent, '9', marks) };
          const change = await changeOf(write, clientOf(wrap(marked(before, '8', []))));
          const text = questionOf(write, change);
          const missing = marks.filter((mark) => !text.split('\n').some((line) => isIn(line, mark)));
          const [, count = '0'] = NOTICE.exec(text) ?? [];
          if (missing.length > Number(count)) expect({ text, missing }).toEqual({ text, missing: [] });
        },
      ),
      RUNS,
    );
  });
});

describe('as it was found', () => {
  const offer = (marketplace: string, amount: unknown, more: object = {}) => ({
    marketplace_id: marketplace,
    audience: 'ALL',
    currency: 'EUR',
    our_price: [{ schedule: [{ value_with_tax: amount }] }],
    ...more,
  });
  const state = {
    item_name: [{ marketplace_id: DE, language_tag: 'de_DE', value: 'Lampe' }],
    purchasable_offer: [
      offer(DE, 19.99, { minimum_seller_allowed_price: [{ schedule: [{ value_with_tax: 15 }] }] }),
      offer(FR, 12),
    ],
  };
  const parameters = { sellerId: 'A1SELLER', sku: 'LAMP', marketplaceIds: [DE] };
  /** Prepares a write without a product type, because a question with one never says that nothing changes. */
  const ask = async (patches: object[], refused: readonly string[] = []) => {
    const write = { operation: PATCH, parameters, body: { patches } };
    const change = await changeOf(write, clientOf(state, refused));
    return { change, text: questionOf(write, change) };
  };
  const OFFER = '/attributes/purchasable_offer';
  const title = {
    op: 'replace',
    path: '/attributes/item_name',
    value: [{ marketplace_id: DE, language_tag: 'de_DE', value: 'Neue Lampe' }],
  };
  const alike = { ...title, value: state.item_name };
  const gone = { op: 'delete', path: OFFER, value: [{ marketplace_id: FR }] };

  it('a deletion in another marketplace is shown there, also beside another patch', async () => {
    for (const patches of [[gone], [title, gone]]) {
      const { change, text } = await ask(patches);
      expect(text).toContain('France, audience ALL, price: 12.00 EUR -> removed');
      expectOnlyIn(NO_CHANGES, (await ask([alike])).text, text);
      expect(change.cannotUndo).toBeUndefined();
    }
  });

  it('one that is not read is shown as it is sent, and is neither none nor undone', async () => {
    const cheap = { op: 'merge', path: OFFER, value: [offer(FR, 0.01)] };
    expect((await ask([cheap])).text).toContain('price: 12.00 EUR -> 0.01 EUR');
    const { change, text } = await ask([title, cheap], [FR]);
    expect(text).toMatch(/France \(A13V1IB3VIYZZH\).*0\.01/);
    expectOnlyIn(NOTHING_ELSE, (await ask([title])).text, text);
    expectOnlyIn(NO_CHANGES, (await ask([alike])).text, text);
    expect(text).toContain('Cannot be undone afterwards: what is there in France could not be read');
    expect(change.differences).toHaveLength(1);
  });

  it('one that leaves no difference is shown as it is sent', async () => {
    const { text, change } = await ask([{ ...gone, value: [{ marketplace_id: IT }] }]);
    expect(text).toContain('"op": "delete"');
    expectOnlyIn(NO_CHANGES, (await ask([alike])).text, text);
    expect(change.cannotUndo).toBeDefined();
  });

  it('null is told as null, and unknown members with their values', async () => {
    const value = [{ marketplace_id: DE, minimum_seller_allowed_price: null }];
    const nulled = await ask([{ op: 'merge', path: OFFER, value }]);
    expect(nulled.text).toContain('minimum price: 15.00 EUR -> «null»');
    for (const name of ['values', 'from', 'Value']) {
      const { text, change } = await ask([{ ...title, [name]: [{ value: 'hidden one' }] }]);
      expect(text).toContain('hidden one');
      expect(change.cannotUndo).toBeDefined();
    }
  });

  it('null and empty attributes of a whole listing are told as such', async () => {
    for (const value of [null, []]) {
      const body = { productType: 'LAMP', attributes: { ...state, item_name: value, bullet_point: value } };
      const write = { operation: PUT, parameters, body };
      const text = questionOf(write, await changeOf(write, clientOf(state)));
      expect(text).toContain(`attributes.bullet_point: ${value === null ? '«null»' : '«an empty list»'}`);
      expect(text).toContain('title (Germany, de_DE): removed (was "Lampe")');
    }
  });

  it('a later patch hides no earlier one of the same attribute', async () => {
    const { text } = await ask([
      { op: 'replace', path: OFFER, value: [offer(DE, 0.01)] },
      { op: 'replace', path: OFFER, value: [offer(DE, 18)] },
    ]);
    expect(text).toContain('0.01');
  });
});
