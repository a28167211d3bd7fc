/**
 * Two people of one account and one of another try everything that there is: each tool with each argument, each resource,
 * each completion, with what others were given. Whatever is not theirs is told as what does not exist. The calls are made
 * from the lists that clients see, so that a new tool, argument, prompt or resource is tried too.
 */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { startSandbox } from '../../../sandbox/start-sandbox.ts';
import { TOOL_LIST } from '../../../src/protocol/generated/tool-list.ts';
import { NO_LIMITS } from '../../helpers/outside-service.ts';
import { type Connected, openPeopleForTest } from '../../helpers/people.ts';

/** One handle of each kind that Anna was given, and a decoy that looks like it and was given to nobody. */
interface Handle {
  kind: string;
  /** True for what is hers alone, and not of all who may see the account. */
  isOwn: boolean;
  value: string;
  decoy: string;
}

/** Words of Anna's that no call of the others contains, so an answer with one of them leaks. */
const ANNAS_WORDS = ['archerzq', 'lampsaccount', 'Anna'];

let sandboxes: Sandbox[];
let anna: Connected;
let ben: Connected;
let cleo: Connected;
let handles: Handle[];

const codeIn = ({ text }: { text: string }) => /confirmationCode "([^"]+)"/.exec(text)?.[1] ?? '';

/** The test's own world stands for all of its tests. */
let finish = async () => {};

beforeAll(async () => {
  sandboxes = await Promise.all(
    [1, 2].map(() => startSandbox({ rateLimits: NO_LIMITS, moreListings: 5, reportSpeed: 50 })),
  );
  const [first, second] = sandboxes.map(({ baseUrl, authUrl, sellerId, marketplaceId, credentials }) => ({
    baseUrl,
    authUrl,
    sellerId,
    marketplaceId,
    ...credentials,
  }));
  if (first === undefined || second === undefined) throw new Error('two sellers are needed');
  const world = await openPeopleForTest(
    { lampsaccount: first, chairs: second },
    { SELLER_ANSWER_TOKENS: '900' },
    (close) => {
      finish = close;
    },
  );
  await world.allow(`access:
  - { person: anna, accounts: [lampsaccount], rights: write, confirm: code }
  - { person: ben, accounts: [lampsaccount], rights: write, confirm: code }
  - { person: cleo, accounts: [chairs], rights: write, confirm: code }
`);
  [anna, ben, cleo] = await Promise.all([world.connect('anna'), world.connect('ben'), world.connect('cleo')]);
  handles = await plant();
}, 120_000);
afterAll(async () => {
  await finish();
  await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
});

/** Does what leaves something behind: an answer, codes, a list, a change, tables, a file, a mark. */
async function plant(): Promise<Handle[]> {
  await anna.call('read_operation', { operation: 'searchListingsItems' });
  const [answer] = (await anna.session.answers()).list();
  const stores = await anna.call('read_operation', { operation: 'getSupplySources' });
  const store = /[\w-]*store[\w-]*|[0-9a-f-]{36}/i.exec(stores.text)?.[0] ?? '';
  const write = {
    operation: 'updateSupplySourceStatus',
    parameters: { supplySourceId: store },
    body: { status: 'Inactive' },
  };
  const code = codeIn(await anna.call('write_operation', write));
  const asked = { items: [{ sku: 'MORE-00001', set: { price: 31.5 } }] };
  const shown = codeIn(await anna.call('change_listings', asked));
  const done = await anna.call('change_listings', { ...asked, confirmationCode: shown });
  const list = /[Bb]atch ([0-9a-f]{8})/.exec(done.whole)?.[1] ?? '';
  const orders = await anna.call('collect_data', {
    operation: 'searchOrders',
    parameters: {
      includedData: ['BUYER', 'RECIPIENT'],
      createdAfter: new Date(Date.now() - 30 * 3_600_000).toISOString(),
    },
  });
  const table = /\b(own_\w+)/.exec(orders.text)?.[1] ?? '';
  await anna.call('collect_data', { operation: 'searchListingsItems' });
  const saved = await anna.call('query_data', { sql: `SELECT * FROM ${table}`, save_as: 'archerzq.csv' });
  expect(saved.isError, saved.text).toBe(false);
  const rows = await anna.call('query_data', { sql: `SELECT buyer_buyer_name FROM ${table} LIMIT 3` });
  const mark = /«buyer name [^»]+»/.exec(rows.text)?.[0] ?? '';
  const all: Omit<Handle, 'decoy'>[] = [
    { kind: 'account', isOwn: false, value: 'lampsaccount' },
    { kind: 'answer', isOwn: true, value: answer?.uri ?? '' },
    { kind: 'code', isOwn: true, value: code },
    { kind: 'used code', isOwn: true, value: shown },
    { kind: 'list', isOwn: false, value: list },
    { kind: 'table', isOwn: true, value: table },
    { kind: 'file', isOwn: true, value: 'archerzq.csv' },
    { kind: 'file resource', isOwn: true, value: 'seller://files/archerzq.csv' },
    { kind: 'mark', isOwn: true, value: mark },
  ];
  return all.map((handle) => ({ ...handle, decoy: likeIt(handle.value) }));
}

/** Returns a value of the same length and form that ends differently. */
function likeIt(value: string): string {
  const ending = /(?:\.csv|»|-\d)?$/.exec(value)?.[0] ?? '';
  const start = value.slice(0, value.length - ending.length);
  const last = start.at(-1) ?? '';
  const other = /\d/.test(last) ? (last === '7' ? '8' : '7') : last === 'c' ? 'd' : 'c';
  return `${start.slice(0, -1)}${other}${ending}`;
}

it('there is something of each kind to try', () => {
  for (const { kind, value, decoy } of handles) {
    expect(value, kind).not.toBe('');
    expect(decoy, kind).not.toBe(value);
  }
});

// These calls try each argument of each tool with a handle in it.

type Json = Readonly<Record<string, unknown>>;

/** Arguments that a tool needs beside the tried one, and that make the others take effect. */
const USUAL: Readonly<Record<string, unknown>> = {
  operation: 'getSupplySource',
  sql: 'SELECT 1',
  asin: 'B0TESTTEST',
};

function argumentsWith(tool: (typeof TOOL_LIST)[number], name: string, value: string): Json[] {
  const { properties = {}, required = [] } = toSchema(tool.inputSchema);
  const needed = Object.fromEntries(required.map((one) => [one, USUAL[one] ?? 'x']));
  const type = toType(properties[name]);
  const filled =
    type === 'array'
      ? [[value], [{ sku: value, set: { price: 1 } }], [{ parameters: { supplySourceId: value }, body: {} }]]
      : type === 'object' || type === undefined
        ? [{ supplySourceId: value }, { file: value }, { type: value }, { sku: value, supplySourceId: value }]
        : type === 'string'
          ? readsTables(name, properties[name])
            ? [`SELECT * FROM ${value}`, `SELECT '${value}' AS sku, '${value}' AS supplySourceId`]
            : [value]
          : [];
  return filled.map((one) => ({ ...needed, [name]: one }));
}

function toSchema(schema: Json): { properties?: Record<string, unknown>; required?: string[] } {
  return {
    properties:
      typeof schema.properties === 'object' && schema.properties !== null ? { ...schema.properties } : {},
    required: Array.isArray(schema.required) ? schema.required.map(String) : [],
  };
}

const readsTables = (name: string, schema: unknown) =>
  /^(?:sql|query|each)$/.test(name) || JSON.stringify(schema).includes('SELECT');

function toType(schema: unknown): string | undefined {
  return typeof schema === 'object' && schema !== null && 'type' in schema ? String(schema.type) : undefined;
}

/** Also without the path before it and the ending behind it, as it is repeated in places. */
function partsOf(value: string): string[] {
  const last = value.split('/').at(-1) ?? value;
  const letters = / (\w+)»$/.exec(last)?.[1];
  return [value, last, last.replace(/\.\w+$/, ''), ...(letters === undefined ? [] : [letters])];
}

/** Removes what differs each time: ids, codes, times, and numbers of bytes. */
function alike(text: string, { value, decoy }: Pick<Handle, 'value' | 'decoy'>): string {
  let plain = text;
  for (const one of [value, decoy].flatMap(partsOf)) plain = plain.replaceAll(one, 'HANDLE');
  return (
    plain
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
      .replace(/(?:[0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}/g, 'CODE')
      .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
      .replace(/\b[0-9a-f]{8}\b/g, 'LIST')
      .replace(/\d+ (?:ms|s|min)\b/g, 'SPAN')
      // Said of what was read some seconds ago; whose the moment is, the test's own speed decides.
      .replace(/,?"Read SPAN ago; fresh: true reads anew\."/g, '')
      .replace(/Read SPAN ago; fresh: true reads anew\.(?: *\\n *)?/g, '')
      .replace(/Collected SPAN ago \(fresh: true collects anew\)/g, 'Collected')
      // Suggestions of similar names come from the list of operations.
      .replace(/ ?Did you mean [^?]*\?/g, '')
      .replace(/ ?Near it are: [^.]*\. ?/g, ' ')
      .replace(/ *\\n */g, '\n')
      // Tables get the next number that is free.
      .replace(/(?<=[a-z])_\d+\b/g, '')
      .replace(/"expires_at":"[^"]+"|Atz[ar]\|[^"\s]+/g, 'TOKEN')
  );
}

const LONG = 240_000;

/** Guards only against a hang: under test:all a review asks about every kind of thing, and other work may take the machine. */
vi.setConfig({ testTimeout: 300_000 });

const RUNS_ALL = process.env.TEST_ALL !== undefined;

/** The others are left to `test:all`: each is some hundred calls. */
const ALWAYS = new Set(['account', 'code', 'list', 'table']);

/** These look words up in what the interface says, and hold nothing of anybody. */
const OF_WORDS = new Set(['list_known_operations', 'describe_operation']);

it.each(['ben', 'cleo'])('resources: %s finds and reads none of hers', async (who) => {
  const person = who === 'ben' ? ben : cleo;
  const { resources } = await anna.client.listResources();
  const { resourceTemplates } = await person.client.listResourceTemplates();
  const fixed = new Set(['seller://operations', 'seller://decisions', 'seller://report-types']);
  const hers = resources.map(({ uri }) => uri).filter((uri) => !fixed.has(uri));
  expect(hers.some((uri) => uri.includes('answers'))).toBe(true);
  expect(hers.some((uri) => uri.includes('archerzq'))).toBe(true);
  const theirs = (await person.client.listResources()).resources.map(({ uri }) => uri);
  expect(theirs.filter((uri) => hers.includes(uri))).toEqual([]);
  const read = async (uri: string) =>
    person.client.readResource({ uri }).then(
      (found) => ({ found: JSON.stringify(found) }),
      (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
    );
  for (const uri of hers) {
    const decoy = likeIt(uri);
    const handle = { value: uri, decoy };
    const [one, other] = [await read(uri), await read(decoy)];
    const plain = (found: unknown) => alike(JSON.stringify(found), handle);
    expect(plain(one), uri).toBe(plain(other));
    expect(one, uri).not.toHaveProperty('found');
  }
  // Each template with each of her handles in its place.
  for (const { uriTemplate } of resourceTemplates) {
    for (const handle of handles.filter(({ isOwn }) => who === 'cleo' || isOwn)) {
      const last = encodeURIComponent(handle.value.split('/').at(-1) ?? '');
      const made = encodeURIComponent(handle.decoy.split('/').at(-1) ?? '');
      const [one, other] = [
        await read(uriTemplate.replace(/\{[^}]+\}/, last)),
        await read(uriTemplate.replace(/\{[^}]+\}/, made)),
      ];
      const plain = (found: unknown) =>
        alike(decodeURIComponent(JSON.stringify(found).replace(/%(?![0-9A-F]{2})/g, '%25')), {
          ...handle,
          value: decodeURIComponent(last),
          decoy: decodeURIComponent(made),
        });
      expect(plain(one), `${uriTemplate} ${handle.kind}`).toBe(plain(other));
    }
  }
});

it.each(['ben', 'cleo'])('completions: %s is offered none of hers', async (who) => {
  const person = who === 'ben' ? ben : cleo;
  const { prompts } = await person.client.listPrompts();
  const { resourceTemplates } = await person.client.listResourceTemplates();
  const asked = [
    ...prompts.flatMap(({ name, arguments: all = [] }) =>
      all.map((argument) => ({ ref: { type: 'ref/prompt' as const, name }, argument: argument.name })),
    ),
    ...resourceTemplates.flatMap(({ uriTemplate: uri }) =>
      [...uri.matchAll(/\{\+?(\w+)\}/g)].map(([, argument = '']) => ({
        ref: { type: 'ref/resource' as const, uri },
        argument,
      })),
    ),
  ];
  expect(asked.length).toBeGreaterThan(8);
  for (const { ref, argument } of asked) {
    for (const value of ['', 'a', 'lamps', 'archer']) {
      const { completion } = await person.client
        .complete({ ref, argument: { name: argument, value } })
        .catch(() => ({ completion: { values: [] } }));
      const words = who === 'cleo' ? ANNAS_WORDS : ['archerzq'];
      const leaked = completion.values.filter((one) => words.some((word) => one.includes(word)));
      expect(leaked, `${JSON.stringify(ref)} ${argument}`).toEqual([]);
    }
  }
});

it('what is of the account, who shares it sees: tables without buyers, changes, lists; who does not, sees none', async () => {
  const sql = 'SELECT name FROM tables';
  const [hers, his, other] = await Promise.all(
    [anna, ben, cleo].map((person) => person.call('query_data', { sql })),
  );
  const own = handles.find(({ kind }) => kind === 'table')?.value ?? '?';
  expect(hers?.text).toContain(own);
  expect(his?.text).not.toContain(own);
  expect(hers?.text).toContain('listings_items');
  expect(his?.text).toContain('listings_items');
  expect(other?.text).not.toContain('listings_items');
  const changes = { sql: 'SELECT sku, person FROM changes' };
  expect((await ben.call('query_data', changes)).text).toContain('MORE-00001');
  expect((await cleo.call('query_data', changes)).text).not.toContain('MORE-00001');
  const list = handles.find(({ kind }) => kind === 'list')?.value ?? '?';
  expect((await ben.call('undo_change', { id: list, dryRun: true })).isError).toBe(false);
});

// Last, since they leave files of their own.

describe.each(TOOL_LIST.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const asked = Object.keys(toSchema(tool.inputSchema).properties ?? {});
  it.each(['ben', 'cleo'])(
    'tells %s of what is not theirs the same as of what does not exist',
    async (who) => {
      const person = who === 'ben' ? ben : cleo;
      const tried = handles
        .filter(({ isOwn }) => who === 'cleo' || isOwn)
        .filter(({ kind }) => RUNS_ALL || ALWAYS.has(kind));
      for (const handle of tried) {
        for (const argument of asked) {
          const real = argumentsWith(tool, argument, handle.value);
          const made = argumentsWith(tool, argument, handle.decoy);
          for (const [at, args] of real.entries()) {
            const [one, other] = [await person.call(name, args), await person.call(name, made[at] ?? {})];
            const label = `${name} ${JSON.stringify(args)}`;
            if (!OF_WORDS.has(name)) expect(alike(one.whole, handle), label).toBe(alike(other.whole, handle));
            const words = who === 'cleo' ? ANNAS_WORDS : ['archerzq'];
            const leaked = words.filter((word) => !handle.value.includes(word) && one.whole.includes(word));
            expect(leaked, label).toEqual([]);
          }
        }
      }
    },
    LONG,
  );
});
