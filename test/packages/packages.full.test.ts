/** The packages as a new user gets them: unpacked or installed into an empty folder, then started as their host starts them. */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { unzip } from '../../scripts/package/zip.ts';
import { TOOL_LIST } from '../../src/protocol/generated/tool-list.ts';
import { homeEnvironment } from '../helpers/outside-service.ts';
import { CLIENT_KINDS, connect, type SessionOptions } from '../helpers/sessions.ts';

const execute = promisify(execFile);

let folder: string;
const at = (...parts: string[]) => join(folder, ...parts);
beforeAll(async () => {
  // Blanks and letters beyond ASCII, as in many a home folder.
  folder = await mkdtemp(join(tmpdir(), 'seller päckchen '));
  await pack('one');
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Packs as `npm run pack` does, in a process of its own. */
const pack = (name: string, env: NodeJS.ProcessEnv = {}) =>
  execute(process.execPath, ['--import', 'tsx', 'scripts/pack.ts', at(name)], {
    env: { ...process.env, ...env },
  });

const { name: NAME, version: VERSION } = z
  .object({ name: z.string(), version: z.string() })
  .parse(JSON.parse(await readFile('package.json', 'utf8')));

/** Tries what a seller would try first: the demo account, an item, a change that is only previewed. */
async function demoSession(options: SessionOptions): Promise<void> {
  const env = { ...homeEnvironment(folder), ...options.env };
  const session = await connect({ ...options, env, cwd: folder });
  try {
    expect((await session.client.listTools()).tools).toHaveLength(TOOL_LIST.length);
    const item = await session.call('get_catalog_item', { asin: 'B0SBX00002' });
    expect(item).toMatchObject({ isError: false });
    expect(item.text).toContain('4 issues');
    const change = await session.call('update_supply_source', {
      supplySourceId: '3f0c9e52-7a41-4d0b-9c86-5b1e2a7d4f10',
      changes: { alias: 'Pike Street' },
      dryRun: true,
    });
    expect(change.text).toContain('nothing was sent');
    expect(session.stderr()).toBe('');
  } finally {
    await session.close();
  }
}

const manifestSchema = z.object({
  version: z.string(),
  icon: z.string(),
  server: z.object({
    entry_point: z.string(),
    mcp_config: z.object({
      command: z.string(),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()),
    }),
  }),
  user_config: z.record(z.string(), z.object({ type: z.string(), sensitive: z.boolean().optional() })),
});

describe('desktop bundle', () => {
  let unpacked: string;
  let manifest: z.infer<typeof manifestSchema>;
  beforeAll(async () => {
    unpacked = at('Installed Extensions', 'seller');
    await unzip(at('one', `${NAME}-${VERSION}.mcpb`), unpacked);
    manifest = manifestSchema.parse(JSON.parse(await readFile(join(unpacked, 'manifest.json'), 'utf8')));
  });

  /** Fills in the manifest as a host does: a missing value stays as the manifest has it. */
  function fill(given: Readonly<Record<string, string>>): {
    command: string;
    entry: string;
    env: Record<string, string>;
  } {
    const { command, args, env } = manifest.server.mcp_config;
    const [entry = ''] = args.map((arg) => arg.replaceAll(/\$\{__dirname\}/g, unpacked));
    const filled = Object.entries(env).map(([name, value]) => [
      name,
      value.replace(/\$\{user_config\.(\w+)\}/, (literal, key: string) => given[key] ?? literal),
    ]);
    return { command, entry, env: Object.fromEntries(filled) };
  }

  it('is, like all that is released, the same byte for byte when it is packed again elsewhere', async () => {
    await pack('two', { TZ: 'Asia/Tokyo', LANG: 'de_DE.UTF-8' });
    const files = ['.mcpb', '.mcpb.sha256', '.tgz', '.cdx.json'].map((end) => `${NAME}-${VERSION}${end}`);
    for (const file of [...files, 'server.json']) {
      const [first, second] = await Promise.all(['one', 'two'].map((name) => readFile(at(name, file))));
      expect(second?.equals(first ?? Buffer.of()), file).toBe(true);
    }
  }, 60_000);

  it('has its own SHA-256 beside it and in the registry entry', async () => {
    const bytes = await readFile(at('one', `${NAME}-${VERSION}.mcpb`));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await readFile(at('one', `${NAME}-${VERSION}.mcpb.sha256`), 'utf8')).toBe(
      `${sha256}  ${NAME}-${VERSION}.mcpb\n`,
    );
    expect(await readFile(at('one', 'server.json'), 'utf8')).toContain(`"fileSha256": "${sha256}"`);
    expect(bytes.length).toBeLessThan(2_000_000);
  });

  it('has its entry, its icon and every notice, and secrets go to the secure settings', async () => {
    for (const name of [
      manifest.server.entry_point,
      manifest.icon,
      'LICENSE',
      'dist/THIRD-PARTY-NOTICES.txt',
    ]) {
      expect((await stat(join(unpacked, name))).size).toBeGreaterThan(0);
    }
    const sensitive = Object.entries(manifest.user_config).flatMap(([key, one]) =>
      one.sensitive ? [key] : [],
    );
    expect(sensitive).toEqual(['client_id', 'client_secret', 'refresh_token']);
    const used = Object.values(manifest.server.mcp_config.env).map((value) =>
      value.replace(/^\$\{user_config\.(.*)\}$/, '$1'),
    );
    expect(used.sort()).toEqual(Object.keys(manifest.user_config).sort());
  });

  it.each(CLIENT_KINDS)('serves the demo shop to %s, started as the manifest says', async (kind) => {
    await demoSession({ kind, ...fill({ sandbox: 'true', read_only: 'false' }) });
  });

  it('with nothing filled in, starts and says what to fill in', async () => {
    const { env, ...start } = fill({});
    const session = await connect({ ...start, env: { ...homeEnvironment(folder), ...env } });
    const { isError, text } = await session.call('get_catalog_item', { asin: 'B0SBX00002' });
    await session.close();
    expect(isError).toBe(true);
    expect(text).not.toContain('user_config');
  });

  it('with the read-only switch on, writes nothing', async () => {
    const { env, ...start } = fill({ sandbox: 'true', read_only: 'true' });
    const session = await connect({ ...start, env: { ...homeEnvironment(folder), ...env } });
    const { tools } = await session.client.listTools();
    const { isError, text } = await session.call('write_operation', {
      operation: 'updateSupplySource',
      parameters: { supplySourceId: '3f0c9e52-7a41-4d0b-9c86-5b1e2a7d4f10' },
      body: { alias: 'Pike Street' },
    });
    await session.close();
    expect(tools.map(({ name }) => name)).not.toContain('update_supply_source');
    expect({ isError, text }).toMatchObject({
      isError: true,
      text: expect.stringContaining('nothing was sent'),
    });
  });
});

describe('npm package', () => {
  let installed: string;
  beforeAll(async () => {
    const file = at('one', `${NAME}-${VERSION}.tgz`);
    installed = at('a shop');
    await mkdir(installed);
    await writeFile(join(installed, 'package.json'), '{ "private": true }\n');
    // Offline, since nothing but the tarball is needed: the keychain module is optional.
    const how = ['--ignore-scripts', '--omit=optional', '--offline', '--no-audit', '--no-fund'];
    await execute('npm', ['install', ...how, file], { cwd: installed });
  }, 60_000);

  it('brings nothing but itself', async () => {
    const names = await readdir(join(installed, 'node_modules'));
    expect(names.filter((name) => !name.startsWith('.'))).toEqual(['seller-commerce-mcp']);
  });

  it('runs by npx', async () => {
    const { stdout } = await execute('npx', ['--no-install', 'seller-commerce-mcp', '--version'], {
      cwd: installed,
    });
    expect(stdout.trim()).toBe(VERSION);
  });

  it.each(CLIENT_KINDS)('serves the demo shop to %s', async (kind) => {
    const entry = join(installed, 'node_modules/seller-commerce-mcp/dist/main.mjs');
    await demoSession({ kind, entry, args: ['--sandbox'] });
  });
});
