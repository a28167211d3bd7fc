/** One change taken back, against the embedded sandbox: never over what somebody else made of any part of it. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { environmentOf } from '../../../../sandbox/environment.ts';
import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { startSandbox } from '../../../../sandbox/start-sandbox.ts';
import { openSession } from '../../../../src/program/runtime/open-session.ts';
import { createProgram, type ProgramParts } from '../../../../src/program/runtime/program.ts';
import type { Session } from '../../../../src/write/session.ts';
import { undoChange } from '../../../../tools/undo-change.ts';
import { updateSupplySource } from '../../../../tools/update-supply-source.ts';
import { writeOperation } from '../../../../tools/write-operation.ts';
import { createTestOutside } from '../../../helpers/outside.ts';
import { SHOP } from '../../../helpers/outside-service.ts';
import { patchDirectly } from '../../../helpers/patch-directly.ts';
import { toolContext } from '../../../helpers/tool-runner.ts';

const US = 'ATVPDKIKX0DER';
const SKU = 'MUG-SAND-350';
const NAMES = ['item_name', 'generic_keyword', 'product_description'];

let sandbox: Sandbox;
let folder: string;
let program: ProgramParts;
let session: Session;
beforeEach(async () => {
  sandbox = await startSandbox({ rateLimits: false, record: true });
  folder = await mkdtemp(join(tmpdir(), 'seller-undo-'));
  const env = {
    ...environmentOf(sandbox),
    SELLER_STATE_DIR: folder,
    SELLER_DATA_DIR: join(folder, 'data'),
    SELLER_WRITES: 'allow',
  };
  program = createProgram(createTestOutside({ env }));
  session = openSession(program);
});
afterEach(async () => {
  await session.close();
  await program.close();
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (tool: typeof undoChange, args: object) => tool.invoke(args, toolContext(session));
/** Returns the requests apart from those that only validate. */
const sent = (operation: string) =>
  sandbox.recorded().filter((one) => one.operation === operation && one.query.mode === undefined).length;
const bodyOf = (names: readonly string[], value: string) => ({
  productType: 'DRINKING_CUP',
  patches: names.map((name) => ({
    op: 'replace',
    path: `/attributes/${name}`,
    value: [{ value: `${name} ${value}`, language_tag: 'en_US', marketplace_id: US }],
  })),
});

it('every member that somebody else changed stays, and is taken back by force alone, after a question', async () => {
  const subsets = Array.from({ length: 2 ** NAMES.length }, (_, bits) =>
    NAMES.filter((_name, at) => (bits >> at) % 2 === 1),
  );
  for (const [at, theirs] of subsets.entries()) {
    const written = await run(writeOperation, {
      operation: 'patchListingsItem',
      parameters: { sku: SKU, marketplaceIds: [US] },
      body: bodyOf(NAMES, `ours ${at}`),
    });
    const id = String(written.structured.journal_id);
    if (theirs.length > 0) await patchDirectly(sandbox, SKU, bodyOf(theirs, `theirs ${at}`));
    const before = sent('patchListingsItem');
    const undone = await run(undoChange, { id });
    const isTheirs = theirs.length > 0;
    const isAllTheirs = theirs.length === NAMES.length;
    expect([theirs, undone.structured.outcome]).toEqual([theirs, isAllTheirs ? 'changed_since' : 'done']);
    const { conflicts = [] } = Object(undone.structured.undoes);
    expect(conflicts).toHaveLength(theirs.length);
    const last = sandbox.recorded().findLast((one) => one.operation === 'patchListingsItem');
    const patched = Object(last?.body).patches.map(({ path }: { path: string }) => path.split('/').at(-1));
    if (!isAllTheirs) expect(patched).toEqual(NAMES.filter((name) => !theirs.includes(name)));
    const after = isAllTheirs ? before : before + 1;
    expect(sent('patchListingsItem')).toBe(after);
    if (!isTheirs) continue;
    // Every write is allowed here: this one is asked for all the same.
    const forced = await run(undoChange, { id, force: true });
    expect(forced.structured.outcome).toBe('needs_confirmation');
    expect(forced.text).toContain('SOMEBODY ELSE CHANGED IT SINCE');
    expect(sent('patchListingsItem')).toBe(after);
  }
});

it('what was changed from here since then is named, the last three of them, and taken back too', async () => {
  const ids: string[] = [];
  for (let at = 0; at < 5; at += 1) {
    const written = await run(writeOperation, {
      operation: 'patchListingsItem',
      parameters: { sku: SKU, marketplaceIds: [US] },
      body: bodyOf(['item_name'], `ours ${at}`),
    });
    ids.push(String(written.structured.journal_id));
  }
  const preview = async (at: number) => {
    const { text } = await run(undoChange, { id: ids[at], dryRun: true });
    const line = text.split('\n').find((one) => one.startsWith('Changed from here again'));
    return line?.replaceAll(/ \((?:[^()]|\([^()]*\))*\)/g, '');
  };
  const END = '; what they changed of the same members is undone too.';
  expect(await preview(4)).toBeUndefined();
  expect(await preview(3)).toBe(`Changed from here again since then, by ${ids[4]}${END}`);
  expect(await preview(1)).toBe(`Changed from here again since then, by ${ids.slice(2).join(', ')}${END}`);
  expect(await preview(0)).toBe(
    `Changed from here again since then, by ${ids.slice(2).join(', ')} and 1 more${END}`,
  );
});

it('what was accepted is taken back with its list, though a later try of the same item was refused', async () => {
  const { structured } = await run(writeOperation, {
    operation: 'patchListingsItem',
    calls: [SKU, 'NOT-THERE'].map((sku) => ({
      parameters: { sku, marketplaceIds: [US] },
      body: bodyOf(['item_name'], 'ours'),
    })),
  });
  const batch = String(structured.batch_id);
  const journal = await session.journal();
  const kept = (await journal.list()).filter((entry) => entry.batch === batch);
  const opened = await Promise.all(kept.map(async (entry) => ({ made: entry, values: await entry.open() })));
  // Both were sent at once: which stands first is chance.
  const { made, values } = opened.find((one) => one.values?.parameters.sku === SKU) ?? {};
  if (made === undefined || values === undefined) throw new Error('nothing was kept');
  await journal.beginList({
    ...made,
    owner: made.owner ?? '',
    batch,
    items: [{ n: 99, values, isPersonal: false }],
  });
  await journal.endList(batch, [[99, 'not_accepted']]);
  const { text } = await run(undoChange, { id: batch, dryRun: true });
  expect(text).toContain(`1 listing, United States, now -> then:\n  ${SKU} `);
});

it('what a list changed for another seller is never held against the listing of its SKU that this one has', async () => {
  const written = await run(writeOperation, {
    operation: 'patchListingsItem',
    parameters: { sku: SKU, marketplaceIds: [US] },
    body: bodyOf(['item_name'], 'ours'),
  });
  const journal = await session.journal();
  const made = (await journal.list()).find(({ id }) => id === written.structured.journal_id);
  const values = await made?.open();
  if (made === undefined || values === undefined) throw new Error('nothing was kept');
  const parameters = { ...values.parameters, sellerId: 'A2OTHER' };
  const items = [{ n: 1, values: { ...values, parameters }, isPersonal: false }];
  await journal.beginList({ ...made, owner: made.owner ?? '', batch: 'aaaaaaaa', items });
  await journal.endList('aaaaaaaa', [[1, 'done']]);
  await expect(run(undoChange, { id: 'aaaaaaaa', dryRun: true })).rejects.toThrow(
    'The access token is not for this seller',
  );
  expect(sent('searchListingsItems')).toBe(0);
});

it('of a store that somebody else changes between its two reads nothing is sent over it', async () => {
  const handlingTime = { value: 2, timeUnit: 'Days' };
  const { structured } = await run(updateSupplySource, {
    supplySourceId: SHOP,
    changes: { configuration: { operationalConfiguration: { handlingTime } } },
  });
  const id = String(structured.journal_id);
  const real = program;
  let reads = 0;
  program = {
    ...real,
    async transport() {
      const transport = await real.transport();
      return {
        ...transport,
        async send(request) {
          const answer = await transport.send(request);
          if (request.operation.name !== 'getSupplySource' || ++reads !== 2) return answer;
          return { ...answer, body: { ...Object(answer.body), alias: 'Changed meanwhile' } };
        },
      };
    },
  };
  await session.close();
  session = openSession(program);
  await expect(run(undoChange, { id })).rejects.toThrow(
    'It was changed while it was read; nothing was sent.',
  );
  expect(sent('updateSupplySource')).toBe(1);
  expect((await run(undoChange, { id })).structured.outcome).toBe('done');
});
