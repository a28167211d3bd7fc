/** Kept files: private, replaced whole, tolerant of damage, and never reached by a path in a name. */

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDefinitionStore } from '../../../src/definitions/store/store.ts';
import { compile, get, makeFolder, swagger } from '../helpers.ts';

const definition = (name: string) => compile(swagger({ [`/${name}`]: get() }), `${name}.json`);

test('nothing is made before something is added; then it is private', async () => {
  const store = createDefinitionStore(join(makeFolder(), 'data', 'definitions'));
  expect(await store.load()).toEqual({ files: [], damaged: [] });
  expect(existsSync(store.folder)).toBe(false);
  const file = await definition('one');
  await store.add([file]);
  expect((await store.load()).files).toEqual([file]);
  expect(statSync(store.folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(store.folder, 'one.json')).mode & 0o777).toBe(0o600);
});

test('adding again replaces; what cannot be written leaves everything as it was', async () => {
  const store = createDefinitionStore(makeFolder());
  const file = await definition('one');
  await store.add([file]);
  await store.add([{ ...file, title: 'Second' }]);
  const broken = { ...(await definition('two')), name: 'no/such/folder' };
  await expect(store.add([{ ...file, title: 'Third' }, broken])).rejects.toThrow();
  expect(readdirSync(store.folder)).toEqual(['one.json']);
  expect((await store.load()).files.map(({ title }) => title)).toEqual(['Second']);
});

test('a limit at which nothing could be called is damage', async () => {
  const store = createDefinitionStore(makeFolder());
  const file = await definition('one');
  const limits = [
    { requestsPerSecond: 1, burst: 0 },
    { requestsPerSecond: 0, burst: 1 },
  ];
  for (const rate of limits) {
    await store.add([{ ...file, operations: file.operations.map((one) => ({ ...one, rate })) }]);
    expect(await store.load()).toMatchObject({ files: [], damaged: [{ name: 'one' }] });
  }
});

test('a damaged file is told by its name, and the others are read', async () => {
  const store = createDefinitionStore(makeFolder());
  await store.add([await definition('one'), await definition('two')]);
  const path = join(store.folder, 'two.json');
  const whole = readFileSync(path, 'utf8');
  for (const content of [
    '',
    '{',
    'null',
    whole.slice(0, -9),
    whole.replace(/"format":\d+/, '"format":0'),
    whole.replace('"/two"', '7'),
  ]) {
    writeFileSync(path, content);
    const { files, damaged } = await store.load();
    expect(files.map(({ name }) => name)).toEqual(['one']);
    expect(damaged).toEqual([{ name: 'two', reason: expect.stringMatching(/compiled form/) }]);
  }
  expect(await store.remove('two')).toBe(true);
  expect((await store.load()).damaged).toEqual([]);
});

test('only what is listed can be removed', async () => {
  const folder = makeFolder();
  const outside = join(folder, 'outside.json');
  writeFileSync(outside, '{}');
  const store = createDefinitionStore(join(folder, 'definitions'));
  await store.add([await definition('one')]);
  for (const name of ['../outside', 'nothing', '', '.', outside])
    expect(await store.remove(name)).toBe(false);
  expect(existsSync(outside)).toBe(true);
  expect(await store.remove('one')).toBe(true);
  expect(readdirSync(store.folder)).toEqual([]);
});
