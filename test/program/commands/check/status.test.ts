/** status: each line right, each problem with what to do, the exit code for scripts, and no secret. */

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { CredentialStore } from '../../../../src/accounts/account.ts';
import { createMemoryStore } from '../../../../src/accounts/memory-store.ts';
import { CredentialError } from '../../../../src/base/errors.ts';
import { checkFolder } from '../../../../src/program/commands/check/check-folder.ts';
import { status } from '../../../../src/program/commands/check/status.ts';
import { canary, createTestOutside, noKeychain } from '../../../helpers/outside.ts';
import { type IdentityProvider, participationsIn, startIdentityProvider } from '../identity-provider.ts';

let provider: IdentityProvider;
let store: CredentialStore;
let folder: string;

beforeEach(async () => {
  provider = await startIdentityProvider();
  provider.participations = participationsIn('A1PA6795UKMFR9', 'A13V1IB3VIYZZH');
  const addresses = { baseUrl: provider.url, authUrl: provider.url };
  store = createMemoryStore({ default: { ...canary, ...addresses, sellerId: 'A2SELLER' } });
  folder = await mkdtemp(join(tmpdir(), 'status-'));
});
afterEach(async () => {
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

const reportSchema = z.object({
  ok: z.boolean(),
  account: z.string(),
  values: z.record(z.string(), z.object({ present: z.boolean(), origin: z.string().optional() })),
  checks: z.array(
    z.object({ name: z.string(), state: z.string(), text: z.string(), todo: z.string().optional() }),
  ),
});

interface Given {
  flags?: Record<string, string>;
  env?: Record<string, string>;
  fresh?: boolean;
}

async function run({ flags = {}, env = {}, fresh = false }: Given = {}) {
  const io = createTestOutside({ flags: { 'state-dir': folder, ...flags }, env });
  const code = await status.run(
    { values: { json: true, fresh }, positionals: [] },
    Object.assign(io, { keychain: store }),
  );
  expect(io.leaked()).toEqual([]);
  const report = reportSchema.parse(JSON.parse(io.out()));
  expect(report.ok).toBe(code === 0);
  // Whatever is wrong comes with what to do.
  for (const check of report.checks)
    if (check.state === 'problem') expect(check.todo, check.text).toBeTruthy();
  const state = Object.fromEntries(report.checks.map((check) => [check.name, check.state]));
  const text = Object.fromEntries(
    report.checks.map((check) => [check.name, `${check.text} ${check.todo ?? ''}`]),
  );
  return { code, report, state, text, io };
}

const allOk = {
  Keychain: 'ok',
  Account: 'ok',
  Token: 'ok',
  'First call': 'ok',
  Service: 'ok',
  'Identity provider': 'ok',
  Clock: 'ok',
  Journal: 'ok',
  Facts: 'ok',
};

function without(states: Record<string, string>, name: string, changed: Record<string, string>) {
  const { [name]: _left, ...others } = states;
  return { ...others, ...changed };
}

describe('all is well', () => {
  it('exits with 0, having asked every host without credentials', async () => {
    const { code, state, text, report } = await run();
    expect(state).toEqual(allOk);
    expect(code).toBe(0);
    expect(provider.exchanges).toEqual([canary.refreshToken]);
    expect(provider.probes).toEqual(['HEAD /', 'HEAD /', 'GET /sellers/v1/marketplaceParticipations']);
    expect(text['First call']).toContain('Germany (A1PA6795UKMFR9), France (A13V1IB3VIYZZH)');
    expect(text.Account).toContain('client ID, client secret, refresh token, service address');
    expect(text.Account).toContain('seller ID from the keychain; marketplace ID not given');
    expect(report.values.refreshToken).toEqual({ present: true, origin: 'keychain' });
    expect(report.values.marketplaceId).toEqual({ present: false });
  });

  it('uses the shared access token while it is good, and exchanges all the same when told to', async () => {
    await run();
    const second = await run();
    expect(second.text.Token).toContain('a shared access token is good until');
    expect(provider.exchanges).toHaveLength(1);
    await run({ fresh: true });
    expect(provider.exchanges).toHaveLength(2);
  });

  it('keeps a rotated refresh token', async () => {
    provider.rotateTo = 'Atzr|canary-rotated';
    const { text } = await run();
    expect(text.Token).toContain('the refresh token was renewed');
    expect((await store.read('default'))?.refreshToken).toBe('Atzr|canary-rotated');
    expect((await run()).text.Token).toContain('a shared access token');
  });

  it('with --sandbox nothing is asked of a keychain, and the sandbox answers', async () => {
    store = noKeychain;
    const { state, text, code } = await run({ flags: { sandbox: 'true' } });
    expect(state).toEqual(allOk);
    expect(code).toBe(0);
    expect(text.Keychain).toContain('not needed');
    expect(text.Account).toContain('seller ID, marketplace ID from the sandbox');
    expect(provider.probes).toEqual([]);
  });

  it('can be read by people', async () => {
    const io = createTestOutside({ flags: { 'state-dir': folder } });
    expect(await status.run({ values: {}, positionals: [] }, Object.assign(io, { keychain: store }))).toBe(0);
    expect(io.out()).toMatch(/^ok {7}Keychain {11}reachable; it holds default\nok {7}Account/);
    expect(io.leaked()).toEqual([]);
  });

  it('needs no keychain when the environment has the account', async () => {
    store = { ...createMemoryStore(), list: fail, read: fail };
    const env = {
      SELLER_CLIENT_ID: canary.clientId,
      SELLER_CLIENT_SECRET: canary.clientSecret,
      SELLER_REFRESH_TOKEN: canary.refreshToken,
    };
    const { code, state, text } = await run({
      env,
      flags: { 'base-url': provider.url, 'auth-url': provider.url },
    });
    expect(code).toBe(0);
    expect(state).toEqual({ ...allOk, Keychain: 'note', 'Seller ID': 'note' });
    expect(text['Seller ID']).toContain('set SELLER_ID beside the other variables');
    expect(text.Account).toContain('client ID, client secret, refresh token from the environment');
    expect(text.Account).toContain('service address, identity provider address from the settings');
  });
});

async function fail(): Promise<never> {
  throw new CredentialError('unreachable', 'The keychain is locked.', 'Unlock it.');
}

describe('something has to be done', () => {
  it('no account: how to log in', async () => {
    store = createMemoryStore();
    const { code, state, text } = await run();
    expect(code).toBe(1);
    expect(state).toEqual({
      Keychain: 'ok',
      Account: 'problem',
      Token: 'note',
      Service: 'note',
      Journal: 'ok',
      Facts: 'ok',
    });
    expect(text.Account).toContain('seller-commerce-mcp login');
  });

  it('another name: those that exist', async () => {
    const { text } = await run({ flags: { account: 'shpo' } });
    expect(text.Account).toContain('Accounts that exist: default');
  });

  it('no seller ID: what does not work, and the command that adds it', async () => {
    await store.write('default', { ...canary, baseUrl: provider.url, authUrl: provider.url });
    const { code, state, text } = await run();
    expect([code, state]).toEqual([0, { ...allOk, 'Seller ID': 'note' }]);
    expect(text['Seller ID']).toContain('only when you tell it the ID each time');
    expect(text['Seller ID']).toContain('accounts set --seller-id ID');
  });

  it('a keychain that is needed and does not answer', async () => {
    store = { ...createMemoryStore(), list: fail, read: fail };
    const { code, state, text } = await run();
    expect(code).toBe(1);
    expect(state).toMatchObject({ Keychain: 'problem', Account: 'note' });
    expect(text.Keychain).toContain('Unlock it.');
  });

  it('a refused refresh token', async () => {
    provider.refuse = {
      status: 400,
      body: { error: 'invalid_grant', error_description: canary.refreshToken },
    };
    const { code, state, text } = await run();
    expect(code).toBe(1);
    expect(state).toEqual(without(allOk, 'First call', { Token: 'problem' }));
    expect(text.Token).toContain('invalid_grant');
  });

  it('a service that does not take the token, as in a wrong region or without a role', async () => {
    provider.participations = {
      errors: [{ code: 'Unauthorized', message: 'Access to requested resource is denied.' }],
    };
    provider.participationsStatus = 403;
    const { code, state, text } = await run();
    expect([code, state]).toEqual([1, { ...allOk, 'First call': 'problem' }]);
    expect(text['First call']).toMatch(/403.*region.*role.*login/s);
  });

  it('a client secret that ends within a month, by the day when it was first stored', async () => {
    const known = await store.read('default');
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    for (const [days, expected] of [
      [149, undefined],
      [151, 'note'],
      [200, 'note'],
    ] as const) {
      await store.write('default', { ...canary, ...known, secretSince: daysAgo(days) });
      const { code, state, text } = await run();
      expect([code, state['Client secret']], `${days} days`).toEqual([0, expected]);
      if (expected !== undefined) expect(text['Client secret']).toContain(daysAgo(days - 180));
    }
  });

  it('a service that is down', async () => {
    const other = await startIdentityProvider();
    await other.close();
    await store.write('default', {
      ...canary,
      baseUrl: other.url,
      authUrl: provider.url,
      sellerId: 'A2',
    });
    const { code, state, text } = await run();
    expect(code).toBe(1);
    expect(state).toEqual(without(allOk, 'First call', { Service: 'problem' }));
    expect(text.Service).toContain('refused the connection');
  });

  it('a service that answers with a failure of its own', async () => {
    provider.probeStatus = 503;
    const { state, text } = await run();
    expect(state.Service).toBe('problem');
    expect(text.Service).toContain('503');
  });

  it.each([
    [3_600_000, '60 minutes behind'],
    [-400_000, '7 minutes ahead of'],
    [-20_000_000, '6 hours ahead of'],
  ])('a clock that is wrong by %d ms', async (off, told) => {
    provider.clockOffMs = off;
    const { code, state, text } = await run();
    expect(code).toBe(1);
    expect(state).toEqual({ ...allOk, Clock: 'problem' });
    expect(text.Clock).toContain(told);
  });

  it.each([200_000, -200_000])('not a clock that is off by %d ms', async (off) => {
    provider.clockOffMs = off;
    expect((await run()).state.Clock).toBe('ok');
  });

  it('a state folder that is no folder', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const { code, state, text } = await run({ flags: { 'state-dir': join(file, 'state') } });
    expect(code).toBe(1);
    expect(state).toEqual({ ...allOk, Journal: 'problem' });
    expect(text.Journal).toContain('--state-dir');
  });
});

describe('the folder', () => {
  it('is left as it was', async () => {
    expect(await checkFolder('Journal', folder)).toMatchObject({
      state: 'ok',
      text: `${folder} can be written`,
    });
    expect(await readdir(folder)).toEqual([]);
    const deep = join(folder, 'not', 'yet');
    expect(await checkFolder('Journal', deep)).toMatchObject({ state: 'ok', text: `${deep} can be created` });
    expect(await readdir(folder)).toEqual([]);
  });

  // Windows has no modes that shut a folder, and no process file system to fall back on.
  // Skipped on Windows, where a mode takes nobody's right to write away.
  it.skipIf(process.platform === 'win32')('must be writable (a mode, which Windows has not)', async () => {
    const shut = join(folder, 'shut');
    await mkdir(shut, { mode: 0o500 });
    // Modes do not bind root; the process file system binds everybody.
    const isRoot = process.getuid?.() === 0;
    expect(await checkFolder('Journal', isRoot ? '/proc/self' : shut)).toMatchObject({ state: 'problem' });
    if (!isRoot)
      expect(await checkFolder('Journal', join(shut, 'below'))).toMatchObject({ state: 'problem' });
  });
});
