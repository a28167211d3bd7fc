/** Several stores after one yes: which are meant, what each is sent, and what is refused before anything is. */

import { afterEach, describe, expect, it } from 'vitest';
import { InputError } from '../../../../src/base/errors.ts';
import { undoChange } from '../../../../tools/undo-change.ts';
import { updateSupplySource } from '../../../../tools/update-supply-source.ts';
import { writeOperation } from '../../../../tools/write-operation.ts';
import { startToolRunner, type ToolRunner } from '../../../helpers/tool-runner.ts';

const QUICK = { 'x-amzn-RateLimit-Limit': '1000' };
let runner: ToolRunner;
afterEach(() => runner.close());

interface Store {
  supplySourceId: string;
  alias: string;
  supplySourceCode?: string;
  status?: string;
}
const STORES: readonly Store[] = [
  { supplySourceId: 's-1', alias: 'Berlin', supplySourceCode: 'b1' },
  { supplySourceId: 's-2', alias: 'Hamburg' },
  { supplySourceId: 's-3', alias: 'Old', status: 'Archived' },
];

/** @returns what was written, by id */
async function start(stores: readonly Store[] = STORES, refused: readonly string[] = []) {
  const state = new Map<string, object>(
    stores.map((store) => [store.supplySourceId, { ...store, configuration: { timezone: 'UTC' } }]),
  );
  const written = new Map<string, unknown>();
  runner = await startToolRunner(
    ({ method, path, json }) => {
      const id = path.split('?')[0]?.split('/').at(-1) ?? '';
      if (id === 'supplySources') return { headers: QUICK, body: { supplySources: stores } };
      if (refused.includes(id)) return { headers: QUICK, status: 403, body: {} };
      const known = state.get(id);
      if (known === undefined) return { headers: QUICK, status: 404, body: {} };
      if (method === 'GET') return { headers: QUICK, body: known };
      written.set(id, json);
      state.set(id, { ...known, ...Object(json) });
      return { headers: QUICK, status: 204 };
    },
    { SELLER_WRITES: 'allow' },
  );
  return written;
}
const run = (args: object) => runner.run(updateSupplySource, args);
const changes = { configuration: { timezone: 'Europe/Berlin' } };
const sentTo = (written: ReadonlyMap<string, unknown>) => [...written.keys()].sort();

it('by id, alias or code, each with its own change or the one for all', async () => {
  const written = await start();
  const own = { supplySourceId: 'Hamburg', changes: { alias: 'Altona' } };
  const { structured } = await run({ supplySourceIds: ['b1', own], changes });
  expect(structured).toMatchObject({ outcome: 'done', items: 2 });
  expect(written.get('s-1')).toMatchObject({ alias: 'Berlin', configuration: { timezone: 'Europe/Berlin' } });
  expect(written.get('s-2')).toMatchObject({ alias: 'Altona', configuration: { timezone: 'UTC' } });
  expect(sentTo(written)).toEqual(['s-1', 's-2']);
});

it('where each has its own change, none for all is needed', async () => {
  const written = await start();
  const each = (supplySourceId: string, alias: string) => ({ supplySourceId, changes: { alias } });
  await run({ supplySourceIds: [each('s-1', 'One'), each('s-2', 'Two')] });
  expect([written.get('s-1'), written.get('s-2')]).toMatchObject([{ alias: 'One' }, { alias: 'Two' }]);
});

it.each<[string, object]>([
  ['alone', { supplySourceId: 's-1' }],
  ['by its alias', { supplySourceId: 'Berlin' }],
  ['of a list', { supplySourceIds: ['s-1', 's-2'] }],
])('an edit %s waits for the one of the same store before it, so that none is lost', async (_how, named) => {
  const written = await start();
  const guard = await runner.session.writeGuard();
  let end = () => {};
  const before = guard.inTurn(
    JSON.stringify(['default', 's-1']),
    () => new Promise<void>((resolve) => (end = resolve)),
  );
  const editing = run({ ...named, changes });
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(written.has('s-1')).toBe(false);
  end();
  await Promise.all([before, editing]);
  expect(written.has('s-1')).toBe(true);
});

it.each([[{ supplySourceIds: ['all'] }], [{ supplySourceId: 'all' }]])(
  '%j is every store but the archived ones',
  async (named) => {
    const written = await start();
    const preview = await run({ ...named, changes, dryRun: true });
    expect(preview.text).toContain('Archived, and left out: Old (s-3).');
    expect((await run({ ...named, changes })).structured).toMatchObject({ items: 2 });
    expect(sentTo(written)).toEqual(['s-1', 's-2']);
  },
);

it('an archived store that is named is written, and one that is called all is meant by it', async () => {
  const written = await start([
    { supplySourceId: 's-1', alias: 'all' },
    { supplySourceId: 's-3', alias: 'Old', status: 'Archived' },
  ]);
  await run({ supplySourceIds: ['all'], changes });
  expect(sentTo(written)).toEqual(['s-1']);
  const preview = await run({ supplySourceIds: ['Old', 's-1'], changes: { alias: 'X' }, dryRun: true });
  expect(preview.structured).toMatchObject({ items: 2 });
});

describe('nothing is sent', () => {
  it.each<[string, object, string]>([
    [
      'without a store',
      { changes },
      'Either supplySourceId or supplySourceIds is needed, not both; nothing was sent.',
    ],
    [
      'with both',
      { supplySourceId: 's-1', supplySourceIds: ['s-1'], changes },
      'Either supplySourceId or supplySourceIds is needed',
    ],
    [
      'for a store twice',
      { supplySourceIds: ['Berlin', 'Hamburg', 'b1'], changes },
      '"Berlin" and "b1" are the same store; nothing was sent.',
    ],
    [
      'without changes for one of them',
      { supplySourceIds: [{ supplySourceId: 's-1', changes }, 's-2'], alias: 'X' },
      'Several stores take "changes" only',
    ],
    [
      'with a whole body beside the changes of each',
      { supplySourceIds: [{ supplySourceId: 's-1', changes }], alias: 'X' },
      'Several stores take "changes" only',
    ],
    ['with nothing to change', { supplySourceIds: ['s-1', 's-2'] }, 'There is nothing to write.'],
    [
      'with changes and a whole',
      { supplySourceIds: ['s-1'], changes, alias: 'X' },
      '"changes" and alias were both given.',
    ],
    [
      'with a stop of one store',
      { supplySourceId: 's-1', changes, stop: true },
      '"stop" ends a list of stores; one store is written at once.',
    ],
    ['for a store that is not there', { supplySourceIds: ['s-1', 'Nowhere'], changes }, 'Nowhere'],
    [
      'for a name that is none',
      { supplySourceIds: [{ supplySourceId: 's-1' }], changes },
      'supplySourceIds.0',
    ],
    [
      'for an own change that is none',
      { supplySourceIds: [{ supplySourceId: 's-1', changes: { alias: 7 } }] },
      'supplySourceIds.0.changes',
    ],
  ])('%s', async (_case, args, words) => {
    const written = await start();
    const error: unknown = await run(args).catch((one: unknown) => one);
    if (!(error instanceof InputError)) throw error;
    expect([error.message, ...error.problems.map(({ path }) => path)].join('\n')).toContain(words);
    expect(written.size).toBe(0);
  });
  it('for all of none', async () => {
    await start([]);
    await expect(run({ supplySourceId: 'all', changes })).rejects.toThrow(
      'The account has no stores; nothing was sent.',
    );
  });
  it('to a store that has all of it', async () => {
    const written = await start();
    expect((await run({ supplySourceIds: ['s-1'], changes: { alias: 'Berlin' } })).structured).toMatchObject({
      outcome: 'no_change',
    });
    expect(written.size).toBe(0);
  });
});

describe('one store', () => {
  it.each(['s-2', 'Hamburg'])('is found as %s, and written by its id', async (supplySourceId) => {
    const written = await start();
    const { structured } = await run({ supplySourceId, changes });
    expect(structured).toMatchObject({ outcome: 'done' });
    expect(sentTo(written)).toEqual(['s-2']);
    expect(written.get('s-2')).toMatchObject({
      alias: 'Hamburg',
      configuration: { timezone: 'Europe/Berlin' },
    });
  });

  it('is found by its alias by the plain operation as well', async () => {
    const written = await start();
    const named = (supplySourceId: string) =>
      runner.run(writeOperation, {
        operation: 'updateSupplySource',
        parameters: { supplySourceId },
        body: { alias: 'Altona', configuration: { timezone: 'UTC' } },
      });
    expect((await named('Hamburg')).structured).toMatchObject({ outcome: 'done' });
    expect(sentTo(written)).toEqual(['s-2']);
    await named('nowhere').catch(() => undefined);
    expect(sentTo(written)).toEqual(['s-2']);
  });

  it('that is none is not written', async () => {
    const written = await start();
    await expect(run({ supplySourceId: 'nowhere', changes })).rejects.toThrow();
    expect(sentTo(written)).toEqual([]);
  });
});

it('where the stores cannot be listed it is not known which are meant', async () => {
  runner = await startToolRunner(() => ({ headers: QUICK, status: 403, body: {} }), {
    SELLER_WRITES: 'allow',
  });
  await expect(run({ supplySourceIds: ['Berlin'], changes })).rejects.toThrow(
    'The stores could not be listed, so it is not known which ones are meant; nothing was sent.',
  );
  expect(runner.calls().filter(({ method }) => method !== 'GET')).toEqual([]);
});

it('one of a list that is gone when it is read is not left out in silence', async () => {
  runner = await startToolRunner(
    ({ method, path, json }) => {
      if (path.includes('/supplySources?') || path.endsWith('/supplySources'))
        return { headers: QUICK, body: { supplySources: STORES } };
      if (path.includes('s-1')) return { headers: QUICK, status: 404, body: {} };
      return method === 'GET' ? { headers: QUICK, body: Object(STORES[1]) } : { status: 204, body: json };
    },
    { SELLER_WRITES: 'allow' },
  );
  await expect(run({ supplySourceIds: ['Berlin', 'Hamburg'], changes })).rejects.toThrow();
  expect(runner.calls().filter(({ method }) => method !== 'GET')).toEqual([]);
});

it('a list of them is taken back as one, or some of it by their ids', async () => {
  const written = await start();
  const timezones = () =>
    [...written].map(([id, body]) => [id, Object(body).configuration.timezone]).toSorted();
  const first = await run({ supplySourceIds: ['Berlin', 'Hamburg'], changes });
  expect(timezones()).toEqual([
    ['s-1', 'Europe/Berlin'],
    ['s-2', 'Europe/Berlin'],
  ]);
  const shown = await runner.run(undoChange, { id: first.structured.batch_id, dryRun: true });
  expect(shown.text).toContain('2 stores');
  const id = first.structured.batch_id;
  const some = await runner.run(undoChange, { id, skus: ['s-2'] });
  expect(some.structured).toMatchObject({ outcome: 'done', items: 1 });
  expect(timezones()).toEqual([
    ['s-1', 'Europe/Berlin'],
    ['s-2', 'UTC'],
  ]);
  const rest = await runner.run(undoChange, { id });
  expect(rest.structured).toMatchObject({ outcome: 'done', items: 1 });
  expect(timezones()[0]).toEqual(['s-1', 'UTC']);
  await expect(runner.run(undoChange, { id })).rejects.toThrow('Nothing of the list can be undone.');
});

describe('a store of a list that may not be read', () => {
  it.each([{ supplySourceIds: ['Berlin', 'Hamburg'] }, { supplySourceIds: ['all'] }])(
    'is left out with its reason, and the others are written: %j',
    async (named) => {
      const written = await start(STORES, ['s-1']);
      const { text, structured } = await run({ ...named, changes });
      expect(sentTo(written)).toEqual(['s-2']);
      expect(structured).toMatchObject({ items: 1, complete: false });
      for (const form of [text, JSON.stringify(structured.left_out)])
        expect(form).toContain('Berlin was refused (403)');
    },
  );

  it('ends the call where it is all of them', async () => {
    const written = await start(STORES, ['s-1', 's-2']);
    await expect(run({ supplySourceIds: ['Berlin', 'Hamburg'], changes })).rejects.toThrow(
      'Berlin, Hamburg were refused (403)',
    );
    expect(sentTo(written)).toEqual([]);
  });

  it('is not undone with the others of its list', async () => {
    const refused: string[] = [];
    const written = await start(STORES, refused);
    const { structured } = await run({ supplySourceIds: ['Berlin', 'Hamburg'], changes });
    refused.push('s-1');
    written.clear();
    const undone = await runner.run(undoChange, { id: structured.batch_id });
    expect(sentTo(written)).toEqual(['s-2']);
    expect(undone.structured).toMatchObject({ items: 1, complete: false });
    for (const form of [undone.text, JSON.stringify(undone.structured.left_out)])
      expect(form).toMatch(/Berlin.*403/);
  });
});
