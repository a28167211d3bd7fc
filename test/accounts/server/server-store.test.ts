/** The accounts of a server: what is mounted, what is kept of it sealed, keys that take each other's place, secrets that end. */

import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createAccountSource } from '../../../src/accounts/account-source.ts';
import { createServerStore } from '../../../src/accounts/server/server-store.ts';
import { parseStateKeys, readStateKeys, type StateKeys } from '../../../src/accounts/server/state-keys.ts';
import { buildConfig } from '../../../src/base/config.ts';
import { reportSecretEnds } from '../../../src/program/people/secret-ends.ts';

const DAY_MS = 86_400_000;
const newKey = () => randomBytes(32).toString('base64');
const SECRET = {
  clientId: 'client-1',
  clientSecret: 'whisper-0451-whisper',
  refreshToken: 'Atzr|first',
  region: 'na' as const,
  sellerId: 'A1',
};

let folder: string;
let secretsDir: string;
let stateDir: string;
let clock: { now: number };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-server-'));
  [secretsDir, stateDir] = [join(folder, 'secrets'), join(folder, 'state')];
  await mkdir(secretsDir);
  clock = { now: Date.parse('2026-03-01T12:00:00Z') };
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

async function mount(name: string, secret: object, mode = 0o400): Promise<void> {
  const path = join(secretsDir, `${name}.json`);
  await rm(path, { force: true });
  await writeFile(path, JSON.stringify(secret), { mode });
  await chmod(path, mode);
}

const open = (keys: StateKeys = parseStateKeys(KEY)) =>
  createServerStore({ secretsDir, stateDir, keys, platform: 'linux', now: () => clock.now });
const KEY = newKey();

const kept = () => readFile(join(stateDir, 'accounts', 'lamps.jwe'), 'utf8');

describe('what is mounted', () => {
  it('is an account by the name of its file; what is none is passed over', async () => {
    await mount('lamps', SECRET);
    await writeFile(join(secretsDir, 'README.txt'), '');
    await mkdir(join(secretsDir, '..data'));
    const store = open();
    expect(await store.list()).toEqual(['lamps']);
    expect(await store.read('lamps')).toEqual(SECRET);
    expect(await store.read('chairs')).toBeUndefined();
    expect(await store.read('../secrets/lamps')).toBeUndefined();
  });

  it('is read through links, as orchestrators mount it', async () => {
    await mkdir(join(folder, 'data'));
    await writeFile(join(folder, 'data', 'lamps.json'), JSON.stringify(SECRET), { mode: 0o440 });
    await symlink(join(folder, 'data', 'lamps.json'), join(secretsDir, 'lamps.json'));
    expect(await open().read('lamps')).toEqual(SECRET);
  });

  it.each([0o404, 0o444, 0o644, 0o602, 0o420])(
    'is refused with mode %o, and told without what is in it',
    async (mode) => {
      await mount('lamps', SECRET, mode);
      const error: unknown = await open()
        .read('lamps')
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'CredentialError', reason: 'unreachable' });
      expect(String(error)).toMatch(/Others can read or change .*lamps\.json \(mode \d{3}\)/);
      expect(JSON.stringify(error)).not.toContain('whisper');
    },
  );

  it.each([
    ['no JSON', 'whisper'],
    ['a member missing', JSON.stringify({ ...SECRET, clientSecret: undefined })],
    ['a member that is not known', JSON.stringify({ ...SECRET, whisper: 'x', refresh_token: 'whisper' })],
    ['a day that is none', JSON.stringify({ ...SECRET, clientSecretUntil: 'soon' })],
  ])('%s is told with the account, and no value', async (_what, text) => {
    await writeFile(join(secretsDir, 'lamps.json'), text, { mode: 0o400 });
    const error: unknown = await open()
      .read('lamps')
      .catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('The secret of account lamps has a mistake');
    expect(String(error)).not.toContain('0451');
  });
});

describe('a refresh token that the provider replaced', () => {
  it('is kept sealed, and used by the next process', async () => {
    await mount('lamps', SECRET);
    const store = open();
    const accounts = createAccountSource({ config: buildConfig({}, {}), store });
    await accounts.get('lamps');
    await accounts.rotated('lamps', 'Atzr|first', 'Atzr|second');
    expect(await kept()).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
    for (const secret of ['Atzr', 'whisper']) expect(await kept()).not.toContain(secret);
    expect(await open().read('lamps')).toMatchObject({
      refreshToken: 'Atzr|second',
      previousRefreshToken: 'Atzr|first',
      clientSecret: SECRET.clientSecret,
    });
    expect(await readdir(join(stateDir, 'accounts'))).toEqual(['lamps.jwe']);
  });

  it('is left where another login is mounted in the meantime; a new client secret leaves it in use', async () => {
    await mount('lamps', SECRET);
    const store = open();
    await store.write('lamps', { ...SECRET, region: 'na', refreshToken: 'Atzr|second' });
    await mount('lamps', { ...SECRET, clientSecret: 'whisper-new-whisper' });
    expect(await store.read('lamps')).toMatchObject({
      refreshToken: 'Atzr|second',
      clientSecret: 'whisper-new-whisper',
    });
    await mount('lamps', { ...SECRET, refreshToken: 'Atzr|another login' });
    expect(await store.read('lamps')).toMatchObject({ refreshToken: 'Atzr|another login' });
  });

  it.each(['{ "clientId": ', '["x"]'])('is kept though the mounted file is %s by then', async (text) => {
    await mount('lamps', SECRET);
    const store = open();
    await store.read('lamps');
    const path = join(secretsDir, 'lamps.json');
    await chmod(path, 0o600);
    await writeFile(path, text);
    await expect(store.read('lamps')).rejects.toThrow('it is no JSON object');
    await store.write('lamps', { ...SECRET, region: 'na', refreshToken: 'Atzr|second' });
    await mount('lamps', SECRET);
    expect(await open().read('lamps')).toMatchObject({ refreshToken: 'Atzr|second' });
  });

  it('that cannot be written is told, and not passed over', async () => {
    await mount('lamps', SECRET);
    await writeFile(stateDir, 'a file in the place of the folder');
    const write = open().write('lamps', { ...SECRET, region: 'na', refreshToken: 'Atzr|second' });
    await expect(write).rejects.toMatchObject({ name: 'CredentialError', reason: 'unreachable' });
  });
});

describe('keys', () => {
  it('one takes the place of another: the new one seals anew, then the old one can go', async () => {
    await mount('lamps', SECRET);
    const [old, next] = [newKey(), newKey()];
    await open(parseStateKeys(old)).write('lamps', { ...SECRET, region: 'na', refreshToken: 'Atzr|second' });
    const both = open(parseStateKeys(`# the new one first\n${next}\n${old}\n`));
    expect(await both.read('lamps')).toMatchObject({ refreshToken: 'Atzr|second' });
    await both.sealAnew();
    const alone = open(parseStateKeys(next));
    expect(await alone.read('lamps')).toMatchObject({ refreshToken: 'Atzr|second' });
    await expect(open(parseStateKeys(old)).read('lamps')).rejects.toThrow('cannot be opened');
  });

  it("another account's file in its place is told, never taken for nothing", async () => {
    await mount('lamps', SECRET);
    await mount('chairs', { ...SECRET, clientId: 'client-2' });
    await open().write('lamps', { ...SECRET, region: 'na', refreshToken: 'Atzr|second' });
    await open().write('chairs', {
      ...SECRET,
      region: 'na',
      clientId: 'client-2',
      refreshToken: 'Atzr|third',
    });
    const others = await readFile(join(stateDir, 'accounts', 'chairs.jwe'), 'utf8');
    await writeFile(join(stateDir, 'accounts', 'lamps.jwe'), others);
    await expect(open().read('lamps')).rejects.toThrow('it was kept of another account');
    expect(await kept()).toBe(others);
  });

  it('a file that was changed is told, never taken for nothing', async () => {
    await mount('lamps', SECRET);
    await open().write('lamps', { ...SECRET, region: 'na', refreshToken: 'Atzr|second' });
    const text = await kept();
    // Changes the first letter of the seal's last part, because not all bits of the last letter count.
    const other = text.replace(/(?<=\.)[^.](?=[^.]*$)/, (first) => (first === 'A' ? 'B' : 'A'));
    expect(other).not.toBe(text);
    for (const damaged of [other, text.slice(0, 40), '']) {
      await writeFile(join(stateDir, 'accounts', 'lamps.jwe'), damaged);
      await expect(open().read('lamps')).rejects.toThrow('What is kept of account lamps cannot be opened');
    }
  });

  it.each(['', 'short', `${KEY}x`, KEY.slice(4), '# nothing'])(
    '%j is none, which is told without it',
    (text) => {
      const read = () => parseStateKeys(text);
      expect(read).toThrow(/There is no key|is not 32 bytes/);
      expect(read).toThrow(
        expect.objectContaining({ hint: expect.stringContaining('openssl rand -base64 32') }),
      );
    },
  );

  it('come from a file for the server alone, or from the environment, and not from both', async () => {
    const file = join(folder, 'key');
    await writeFile(file, `${KEY}\n`, { mode: 0o400 });
    const read = (given: { file?: string; value?: string }) =>
      readStateKeys({ file: given.file, value: given.value, platform: 'linux' });
    expect((await read({ file })).current).toEqual((await read({ value: KEY })).current);
    await expect(read({ file, value: KEY })).rejects.toThrow('given twice');
    await expect(read({})).rejects.toThrow('There is no key');
    await chmod(file, 0o444);
    await expect(read({ file })).rejects.toThrow('Others can read');
  });

  it('of one use tell nothing of those of another', () => {
    const { id, accounts, history } = parseStateKeys(KEY).current;
    expect(Buffer.from(accounts)).not.toEqual(Buffer.from(history));
    expect(KEY).not.toContain(id);
  });
});

describe('the end of a client secret', () => {
  const readMessages = async () => {
    const messages: string[] = [];
    await reportSecretEnds(open(), { now: () => clock.now, tell: (message) => messages.push(message) });
    return messages;
  };

  it('is told from 30 days before, by when it was first seen here, over restarts', async () => {
    await mount('lamps', SECRET);
    expect(await readMessages()).toEqual([]);
    clock.now += 149 * DAY_MS;
    expect(await readMessages()).toEqual([]);
    clock.now += DAY_MS;
    expect(await readMessages()).toEqual([
      expect.stringContaining('client secret of account lamps ends in 30 days, on 2026-08-28, if not before'),
    ]);
    await mount('lamps', { ...SECRET, clientSecret: 'whisper-new-whisper' });
    expect(await readMessages()).toEqual([]);
  });

  it('is told to the day where that is known, and when it is over', async () => {
    await mount('lamps', { ...SECRET, clientSecretUntil: '2026-03-04' });
    expect(await readMessages()).toEqual([
      expect.stringMatching(/^The client secret of account lamps ends in 2 days, on 2026-03-04\. Rotate/),
    ]);
    clock.now += 5 * DAY_MS;
    expect(await readMessages()).toEqual([expect.stringContaining('has ended, on 2026-03-04')]);
  });
});
