/** Tests that a change of access holds from the next call on, and that calls neither compute nor read it anew. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openAccess } from '../../../../src/program/people/access/access.ts';

const entry = (person: string) => `access:\n  - person: ${person}\n    accounts: "*"\n`;
const claims = (subject: string, groups: readonly string[] = []) => ({ issuer: 'i', subject, groups });

async function open(text: string | undefined) {
  const folder = await mkdtemp(join(tmpdir(), 'access-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'access.yaml');
  await writeFile(file, text ?? '');
  const world = { names: ['lamps'], read: 0, now: 0 };
  const access = await openAccess({
    file: text === undefined ? undefined : file,
    usual: 'ask',
    async names() {
      world.read += 1;
      return [...world.names];
    },
    tell: () => {},
    now: () => world.now,
  });
  return { access, world, allow: (changed: string) => writeFile(file, changed) };
}

it('gives the same rights as long as nothing changes, and others with the next call after the file has', async () => {
  const { access, world, allow } = await open(entry('anna'));
  const first = await access.rightsOf(claims('anna'));
  expect([...first.keys()]).toEqual(['lamps']);
  expect(await access.rightsOf(claims('anna'))).toBe(first);
  expect((await access.rightsOf(claims('ben'))).size).toBe(0);
  expect(world.read).toBe(1);
  await allow(entry('ben'));
  await access.refresh();
  expect((await access.rightsOf(claims('anna'))).size).toBe(0);
  expect([...(await access.rightsOf(claims('ben'))).keys()]).toEqual(['lamps']);
});

it('reads the names of the accounts once a second, however many ask, and reckons anew where they are others', async () => {
  const { access, world } = await open(entry('anna'));
  const all = await Promise.all(Array.from({ length: 50 }, () => access.rightsOf(claims('anna'))));
  expect(new Set(all).size).toBe(1);
  expect(world.read).toBe(1);
  world.names = ['chairs', 'lamps'];
  world.now = 999;
  expect((await access.rightsOf(claims('anna'))).size).toBe(1);
  world.now = 1_000;
  expect([...(await access.rightsOf(claims('anna'))).keys()]).toEqual(['chairs', 'lamps']);
});

it('tells one login from another of the same person where groups give the accounts', async () => {
  const { access } = await open(undefined);
  expect((await access.rightsOf(claims('anna', ['seller:lamps:read']))).get('lamps')?.write).toBe(false);
  expect((await access.rightsOf(claims('anna', ['seller:lamps:write']))).get('lamps')?.write).toBe(true);
  expect((await access.rightsOf(claims('anna'))).size).toBe(0);
});
