/** undo_change against the embedded sandbox: whatever was accepted is taken back to the very same state. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { environmentOf } from '../../sandbox/environment.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/start-sandbox.ts';
import { canonicalJson } from '../../src/base/canonical-json.ts';
import { openSession } from '../../src/program/runtime/open-session.ts';
import { createProgram, type ProgramParts } from '../../src/program/runtime/program.ts';
import type { ToolAnswer } from '../../src/render/tool-answer.ts';
import { sql } from '../../src/store/statement.ts';
import type { Session } from '../../src/write/session.ts';
import { openStateStore } from '../../src/write/state-store.ts';
import { changeListings } from '../../tools/change-listings.ts';
import { readOperation } from '../../tools/read-operation.ts';
import { undoChange } from '../../tools/undo-change.ts';
import { updateSupplySource } from '../../tools/update-supply-source.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import { RUNS_ALL } from '../helpers/launch.ts';
import { createTestOutside } from '../helpers/outside.ts';
import { SHOP } from '../helpers/outside-service.ts';
import { toolContext } from '../helpers/tool-runner.ts';

const US = 'ATVPDKIKX0DER';
const SKU = 'MUG-SAND-350';

let sandbox: Sandbox;
let folder: string;
let program: ProgramParts;
let session: Session;
beforeEach(async () => {
  sandbox = await startSandbox({ rateLimits: false, record: true });
  folder = await mkdtemp(join(tmpdir(), 'seller-undo-'));
  open();
});
afterEach(async () => {
  await close();
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

/** Opens another chat, which knows only what is on the disk. */
function open(env: Record<string, string> = {}): void {
  const settings = {
    SELLER_STATE_DIR: folder,
    SELLER_DATA_DIR: join(folder, 'data'),
    SELLER_WRITES: 'allow',
  };
  program = createProgram(createTestOutside({ env: { ...environmentOf(sandbox), ...settings, ...env } }));
  session = openSession(program);
}
async function close(): Promise<void> {
  await session.close();
  await program.close();
}

const run = (tool: typeof undoChange, args: object): Promise<ToolAnswer> =>
  tool.invoke(args, toolContext(session));

async function stateOf(operation: string, parameters: object): Promise<Record<string, unknown>> {
  const { structured } = await run(readOperation, { operation, parameters });
  return Object(structured.value);
}
const listingNow = async () => {
  const { attributes } = await stateOf('getListingsItem', {
    sku: SKU,
    marketplaceIds: [US],
    includedData: ['attributes'],
  });
  return canonicalJson(attributes);
};
const storeNow = async () => {
  const { updatedAt: _updatedAt, ...rest } = await stateOf('getSupplySource', { supplySourceId: SHOP });
  return canonicalJson(rest);
};
const bothNow = async () => [await listingNow(), await storeNow()];

const patchListing = (patches: readonly object[]) =>
  run(writeOperation, {
    operation: 'patchListingsItem',
    parameters: { sku: SKU, marketplaceIds: [US] },
    body: { productType: 'DRINKING_CUP', patches },
  });

const word = fc.stringMatching(/^[A-Za-z0-9äöü .,-]{3,20}$/);
const entry = fc.record(
  {
    value: word,
    language_tag: fc.constantFrom('en_US', 'es_US'),
    marketplace_id: fc.constantFrom(US, 'A1AM78C64UM0Y8'),
  },
  { requiredKeys: ['value', 'marketplace_id'] },
);
const attribute = fc.constantFrom(
  'bullet_point',
  'generic_keyword',
  'product_description',
  'color',
  'a_new_one',
);
const patch = fc.oneof(
  fc.record({
    op: fc.constantFrom('add', 'replace'),
    path: attribute.map((name) => `/attributes/${name}`),
    value: fc.array(
      entry.map((one) => ({ ...one, marketplace_id: US })),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  fc.record({
    op: fc.constant('merge'),
    path: attribute.map((name) => `/attributes/${name}`),
    value: fc.tuple(
      fc.record({ value: word, language_tag: fc.constant('en_US'), marketplace_id: fc.constant(US) }),
    ),
  }),
  fc.record({ op: fc.constant('delete'), path: attribute.map((name) => `/attributes/${name}`) }),
);
const clock = fc.integer({ min: 0, max: 9 }).map((hour) => `0${hour}:00`);
const openings = fc.array(fc.record({ startTime: clock, endTime: fc.constant('18:00') }), { maxLength: 2 });
const storeChange = fc.oneof(
  fc.record({ alias: word }),
  fc.record({
    configuration: fc.record({
      operationalConfiguration: fc.oneof(
        fc.record({
          handlingTime: fc.record({ value: fc.integer({ min: 1, max: 9 }), timeUnit: fc.constant('Days') }),
        }),
        fc.record({
          operatingHoursByDay: fc.record({ sunday: openings, monday: openings }, { requiredKeys: [] }),
        }),
      ),
    }),
  }),
);
const change = fc.oneof(
  fc.array(patch, { minLength: 1, maxLength: 3 }).map((patches) => ({ kind: 'listing' as const, patches })),
  storeChange.map((changes) => ({ kind: 'store' as const, changes })),
);

describe('undo_change', () => {
  it('takes every accepted change back to the very same state, also over several of the same members', async () => {
    let undone = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const made: { id: string; before: string[] }[] = [];
        for (const one of changes) {
          const before = await bothNow();
          const { structured } = await (one.kind === 'listing'
            ? patchListing(one.patches)
            : run(updateSupplySource, { supplySourceId: SHOP, changes: one.changes })
          ).catch(() => ({ structured: { outcome: 'refused', journal_id: '' } }));
          const isMade =
            structured.outcome === 'done' && canonicalJson(before) !== canonicalJson(await bothNow());
          if (isMade) made.push({ id: String(structured.journal_id), before });
        }
        await close();
        open();
        for (const { id, before } of made.reverse()) {
          const { structured } = await run(undoChange, { id });
          expect(structured.outcome).toBe('done');
          expect(await bothNow()).toEqual(before);
          undone += 1;
        }
      }),
      { numRuns: RUNS_ALL ? 25 : 8 },
    );
    expect(undone).toBeGreaterThan(3);
  }, 120_000);

  it('the oldest of several changes of the same members, undone alone, takes them all back', async () => {
    const before = await storeNow();
    const changes = [{ alias: 'One' }, { alias: 'Two' }, { alias: 'Three' }];
    const made = [];
    for (const one of changes)
      made.push(await run(updateSupplySource, { supplySourceId: SHOP, changes: one }));
    const { structured } = await run(undoChange, { id: String(made[0]?.structured.journal_id) });
    expect(structured.outcome).toBe('done');
    expect(await storeNow()).toBe(before);
  });

  it('lists the last 20, newest first, in words and with the time zone', async () => {
    for (let at = 1; at <= 22; at += 1) {
      await run(updateSupplySource, { supplySourceId: SHOP, changes: { alias: `Shop ${at}` } });
    }
    const { structured, text } = await run(undoChange, {});
    const { changes, time_zone: zone, left_out: leftOut } = Object(structured);
    expect(changes).toHaveLength(20);
    expect(changes[0]).toMatchObject({
      can_undo: true,
      what: expect.stringContaining('"Shop 21" -> "Shop 22"'),
    });
    expect(leftOut).toBe(2);
    expect(text).toContain(`(times: ${zone})`);
    expect(text.length).toBeLessThan(9_000);
  });

  it('names the items of short lists, the newest first, and says how to find those of long ones', async () => {
    const kinds = ['DESK', 'BORD', 'CUSH', 'MIRR', 'BSKT', 'CLCK', 'RUGX', 'RACK', 'LAMP', 'KETL', 'BOWL'];
    const skus = [...kinds, 'STOL', 'SHLF', 'HOLD', 'PLNT', 'JARX']
      .flatMap((kind) => [`${kind}-OAK-S`, `${kind}-OAK-L`])
      .slice(0, 26);
    const rename = (names: readonly string[], title: string) =>
      run(changeListings, { items: names.map((sku) => ({ sku, set: { title } })) });
    const long = await rename(skus, 'Long');
    const short = await rename(skus.slice(0, 2), 'Short');
    const { structured, text } = await run(undoChange, {});
    const { changes } = Object(structured);
    expect(changes).toMatchObject([
      { id: short.structured.batch_id, items: 2, single: [{ outcome: 'done' }, { outcome: 'done' }] },
      { id: long.structured.batch_id, items: 26, find_items: expect.any(String) },
    ]);
    expect(changes[1].single).toBeUndefined();
    expect(text).toContain('a list of 2 changes [done]');
    const batch = String(long.structured.batch_id);
    expect(text).toContain(`\n  One listing of it: undo_change with id ${batch}/ and the SKU behind it.\n`);
    const one = await run(undoChange, { id: `${batch}/${skus[25]}` });
    expect(one.text).toContain(String(skus[25]));
    expect(one.structured).toMatchObject({ outcome: 'done', differences: [{ before: [{ value: 'Long' }] }] });
    await expect(run(undoChange, { id: `${batch}/NO-SKU` })).rejects.toThrow('No change');
  });

  it('knows nothing of an id that is none, of another account, or of other credentials', async () => {
    const { structured } = await run(updateSupplySource, {
      supplySourceId: SHOP,
      changes: { alias: 'Shop' },
    });
    const id = String(structured.journal_id);
    await expect(run(undoChange, { id: 'nonsense' })).rejects.toThrow(
      'No change "nonsense" is kept; the values before a write are kept for 30 days.',
    );
    await close();
    open({ SELLER_ID: 'A3ANOTHERSELLER' });
    await expect(run(undoChange, { id })).rejects.toThrow('while this one had other credentials');
    expect(Object((await run(undoChange, {})).structured).changes).toEqual([]);
  });

  it('says that what was refused changed nothing', async () => {
    const refused = await patchListing([
      { op: 'replace', path: '/attributes/item_name', value: [{ value: ' ', marketplace_id: US }] },
    ]);
    expect(refused.structured.outcome).toBe('not_accepted');
    await expect(run(undoChange, { id: String(refused.structured.journal_id) })).rejects.toThrow(
      'it was not accepted, so there is nothing to undo',
    );
  });

  it('a dry run sends nothing, and shows what would be sent', async () => {
    const { structured } = await run(updateSupplySource, {
      supplySourceId: SHOP,
      changes: { alias: 'Shop' },
    });
    const preview = await run(undoChange, { id: String(structured.journal_id), dryRun: true });
    expect(preview.structured.outcome).toBe('preview');
    expect(preview.text).toContain('alias: "Shop" -> "Pike Street shop"');
    expect(sandbox.recorded().filter(({ operation }) => operation === 'updateSupplySource')).toHaveLength(1);
  });

  it('says that values cannot be read any more where the history is damaged', async () => {
    const { structured } = await run(updateSupplySource, {
      supplySourceId: SHOP,
      changes: { alias: 'Shop' },
    });
    const journal = await session.journal();
    const [entry] = await journal.list();
    expect(await entry?.open()).toBeDefined();
    await openStateStore(folder).run(function* () {
      yield sql`UPDATE writes SET kept = replace(kept, '"members":[', '"members":["half",')`;
    });
    await expect(run(undoChange, { id: String(structured.journal_id) })).rejects.toThrow(
      'can no longer be read',
    );
  });
});
