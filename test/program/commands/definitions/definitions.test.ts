/** The command as a person and as a script see it. */

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InputError } from '../../../../src/base/errors.ts';
import { createLog } from '../../../../src/base/log.ts';
import { definitions } from '../../../../src/program/commands/definitions/definitions.ts';
import { openRegistry } from '../../../../src/program/runtime/open-registry.ts';
import { get, makeFolder, swagger } from '../../../definitions/helpers.ts';
import { createTestOutside } from '../../../helpers/outside.ts';

const FIXTURES = join(import.meta.dirname, '../../../definitions/fixtures');

function setUp() {
  const dataDir = makeFolder();
  const run = async (positionals: string[], values = {}) => {
    const io = createTestOutside({ flags: { 'data-dir': dataDir } });
    const outcome = await definitions.run({ positionals, values }, io).catch((error: unknown) => error);
    return { outcome, out: io.out(), err: io.err() };
  };
  const warnings: string[] = [];
  const log = createLog({
    level: () => 'warn',
    write: (line) => void warnings.push(line),
    redact: (text) => text,
  });
  const registry = () => openRegistry(createTestOutside({ flags: { 'data-dir': dataDir } }).config, log);
  return { dataDir, warnings, run, registry, kept: () => readdirSync(dataDir, { recursive: true }) };
}

test('a folder is added, listed, used and removed', async () => {
  const { run, registry, kept } = setUp();
  const added = await run(['add', FIXTURES]);
  expect(added.outcome).toBe(0);
  expect(added.out).toContain('Added parcels (Parcel Depot v2): 4 operations (4 new, 0 known already)');
  expect(added.out).toContain('cannot be called: POST /parcels/{parcelId}/label (takes a form, not JSON)');
  expect(added.out).toContain('2 files: 6 operations (6 new, 0 known already)');
  expect((await registry()).find('createParcel').id).toBe('parcel-depot/createParcel');
  const listed = await run(['list']);
  expect(listed.out).toMatch(
    /parcels \(Parcel Depot v2\): 4 operations[\s\S]*stalls \(Market Stalls 1\): 2 operations/,
  );
  expect(JSON.parse((await run(['list'], { json: true })).out)).toMatchObject({
    definitions: [{ name: 'parcels', operations: 4, new: 4 }, { name: 'stalls' }],
    damaged: [],
  });
  expect((await run(['remove', 'parcels'])).outcome).toBe(0);
  expect(kept()).toEqual(['definitions', 'definitions/stalls.json']);
  await expect(registry().then((all) => all.find('createParcel'))).rejects.toThrow(/no operation/);
});

test('adding again says so; operations of built-in ones are counted apart', async () => {
  const { run, registry } = setUp();
  const file = join(makeFolder(), 'mine.json');
  const parameters = [{ name: 'orderId', in: 'path', required: true, type: 'string' }];
  writeFileSync(
    file,
    JSON.stringify(
      swagger({ '/orders/v0/orders/{orderId}': get({ parameters }), '/mine': get({ operationId: 'mine' }) }),
    ),
  );
  expect((await run(['add', file])).out).toMatch(/^Added mine .*2 operations \(1 new, 1 known already\)/);
  expect((await run(['add', file])).out).toMatch(/^Replaced mine /);
  expect((await registry()).find('orders/getOrder').id).toBe('orders/getOrder');
});

test('a malformed file changes nothing and is named with place and reason', async () => {
  const { run, kept } = setUp();
  await run(['add', join(FIXTURES, 'parcels.json')]);
  const folder = makeFolder();
  writeFileSync(join(folder, 'a.json'), JSON.stringify(swagger({ '/a': get() })));
  writeFileSync(join(folder, 'b.json'), JSON.stringify(swagger({ '/a/{b}': get() })));
  const { outcome } = await run(['add', folder]);
  expect(outcome).toBeInstanceOf(InputError);
  expect(outcome).toMatchObject({
    message: expect.stringMatching(
      /b\.json: #\/paths\/~1a~1\{b\}\/get: .*\{b\}, but no parameter describes it/,
    ),
    hint: expect.stringContaining('nothing was changed'),
  });
  expect(kept()).toEqual(['definitions', 'definitions/parcels.json']);
});

test('a damaged kept file is told by name, and the rest works', async () => {
  const { dataDir, warnings, run, registry } = setUp();
  await run(['add', FIXTURES]);
  writeFileSync(join(dataDir, 'definitions', 'stalls.json'), '{');
  const { outcome, out, err } = await run(['list']);
  expect(outcome).toBe(0);
  expect(out).toContain('parcels (Parcel Depot v2)');
  expect(err).toMatch(/stalls is left out: its compiled form cannot be read/);
  expect((await registry()).find('getParcel').name).toBe('getParcel');
  await expect.poll(() => warnings.join()).toMatch(/The definition stalls is left out/);
  expect((await run(['remove', 'stalls'])).outcome).toBe(0);
});

test.each([
  [[], /Missing subcommand/],
  [['add'], /not understood: definitions add/],
  [['add', 'a', 'b'], /not understood/],
  [['list', 'x'], /not understood/],
  [['drop', 'x'], /not understood/],
  [['remove', 'nothing'], /no definition called nothing/],
  [['remove', '../../x'], /no definition called/],
  [['add', '/nowhere/at/all'], /no such file or folder/],
])('%j is refused', async (positionals, message) => {
  const { outcome } = await setUp().run(positionals);
  expect(outcome).toBeInstanceOf(InputError);
  expect(outcome).toMatchObject({ message: expect.stringMatching(message) });
});
