/**
 * The example of an agency, as its files say: what the image is built of is enough, and the commands of the compose file
 * bring up store, server and proxy, without the containers around them.
 */

import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { startSandbox } from '../../sandbox/start-sandbox.ts';
import { connectHttp } from '../helpers/http-program.ts';
import { freePort } from '../helpers/http-service.ts';
import { LAUNCH } from '../helpers/launch.ts';
import { homeEnvironment } from '../helpers/outside-service.ts';
import { mayUseStore, startPostgres, stopAllPostgres } from '../helpers/postgres.ts';
import { startTokenIssuer } from '../helpers/token-issuer.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const EXAMPLE = join(ROOT, 'examples/agency');
const hasCaddy = spawnSync('caddy', ['--version'], { timeout: 10_000 }).error === undefined;
const mayRun = process.env.CI === 'true' || (hasCaddy && mayUseStore);
if (!mayRun)
  process.stderr.write("Skipped: the agency's compose file (it needs Caddy and a PostgreSQL server)\n");

const serviceSchema = z.looseObject({
  command: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
});
const composeSchema = z.looseObject({
  services: z.object({ server: serviceSchema, store: serviceSchema, proxy: serviceSchema }),
});

const children: ChildProcess[] = [];
const endings: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const end of endings) await end();
});

/** Puts the values of `.env` in their places, as compose does; a value that is needed and not there is an error. */
function substitute(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, other?: string) => {
    const value = values[name] ?? (kind === '-' ? other : undefined);
    if (value === undefined) throw new Error(`${name} is not set: ${other ?? ''}`);
    return value;
  });
}

async function readEnvExample(): Promise<Record<string, string>> {
  const lines = (await readFile(join(EXAMPLE, '.env.example'), 'utf8')).split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  );
}

it('the image is built of what .dockerignore lets in', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'seller-image-'));
  endings.push(() => rm(folder, { recursive: true, force: true }));
  const admitted = (await readFile(join(ROOT, '.dockerignore'), 'utf8'))
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  for (const path of admitted) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(ROOT, path), join(folder, path), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: folder });
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(folder, 'dist/main.mjs'),
    '--version',
  ]);
  expect(stdout.trim()).toMatch(/\d+\.\d+\.\d+/);
  const dockerfile = await readFile(join(ROOT, 'Dockerfile'), 'utf8');
  for (const [, names = ''] of dockerfile.matchAll(/^COPY ([^-].*) \.\/$/gm))
    for (const name of names.split(' ')) expect(admitted.concat('.')).toContain(name);
});

// Skipped for a newcomer without them, never in CI.
describe.skipIf(!mayRun)('with a store and Caddy installed', () => {
  it('the commands of the compose file bring up store, server and proxy, and a person uses an account', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'seller-agency-'));
    const [server, proxy, monitor] = await Promise.all(Array.from({ length: 3 }, () => freePort()));
    const host = `localhost:${proxy}`;
    const issuer = await startTokenIssuer(() => `https://${host}/mcp`);
    const sandbox = await startSandbox({ rotate: false });
    endings.push(issuer.close, sandbox.close, () =>
      rm(folder, { recursive: true, force: true, maxRetries: 10 }),
    );
    const values = {
      ...(await readEnvExample()),
      PUBLIC_HOST: host,
      ISSUER: issuer.issuer,
      SERVER_USER: '1000:1000',
      STORE_PASSWORD: 'a-password-of-the-store',
    };
    const text = await readFile(join(EXAMPLE, 'compose.yaml'), 'utf8');
    const { services } = composeSchema.parse(parse(substitute(text, values)));

    // The mode that the first lines of the compose file tell the operator to set.
    const secret = { mode: 0o400 };
    for (const name of ['data', 'secrets']) await mkdir(join(folder, name), { mode: 0o700 });
    await cp(join(EXAMPLE, 'config'), join(folder, 'config'), { recursive: true });
    await writeFile(join(folder, 'config/state-key'), Buffer.alloc(32, 7).toString('base64'), secret);
    const { baseUrl, authUrl, credentials, sellerId, marketplaceId } = sandbox;
    const account = { ...credentials, baseUrl, authUrl, sellerId, marketplaceId };
    for (const name of ['lamps', 'chairs'])
      await writeFile(join(folder, 'secrets', `${name}.json`), JSON.stringify(account), secret);

    const {
      POSTGRES_USER: user,
      POSTGRES_DB: database,
      POSTGRES_PASSWORD: password,
    } = services.store.environment;
    const store = await startStore({ user, database, password });
    const mounts = services.server.volumes.map((volume) => volume.split(':'));
    const args = services.server.command.map((arg) => {
      const mounted = mounts.find(([, inside = '']) => arg.includes(`=${inside}`));
      const [outside = '', inside = ''] = mounted ?? [];
      return (mounted === undefined ? arg : arg.replace(inside, join(folder, outside)))
        .replace('0.0.0.0:8787', `127.0.0.1:${server}`)
        .replace('127.0.0.1:9464', `127.0.0.1:${monitor}`)
        .replace('store:5432', `127.0.0.1:${store.port}`);
    });
    const dockerfile = await readFile(join(ROOT, 'Dockerfile'), 'utf8');
    const folders = Object.fromEntries(
      [...dockerfile.matchAll(/(SELLER_\w+)=(\/data\S*)/g)].map(([, name = '', path = '']) => [
        name,
        join(folder, path),
      ]),
    );
    const log = start(LAUNCH.node, [LAUNCH.program, ...args], {
      ...LAUNCH.env,
      ...homeEnvironment(folder),
      ...folders,
      SELLER_STORE_PASSWORD: values.STORE_PASSWORD,
    });
    const caddyfile = ['run', '--adapter', 'caddyfile', '--config', join(EXAMPLE, 'Caddyfile')];
    start('caddy', caddyfile, {
      ...homeEnvironment(folder),
      PUBLIC_HOST: `http://${host}`,
      SERVER: `127.0.0.1:${server}`,
    });

    const ready = () =>
      fetch(`http://127.0.0.1:${monitor}/readyz`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(ready, { timeout: 20_000 }).toBe(200);
    const endpoint = new URL(`http://${host}/mcp`);
    await expect
      .poll(
        () =>
          fetch(endpoint).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 10_000 },
      )
      .toBe(401);
    const connected = async (claims: object) =>
      connectHttp(endpoint, { kind: 'sdk-v2-modern', token: await issuer.token({ ...claims }) });
    const anna = await connected({ sub: "the sub of Anna's login", scope: 'seller:read seller:write' });
    const ben = await connected({ sub: 'ben', groups: ['readers'], scope: 'seller:read' });
    const stores = { name: 'read_operation', arguments: { operation: 'getSupplySources', account: 'lamps' } };
    for (const person of [anna, ben])
      expect(JSON.stringify(await person.callTool(stores))).toContain('Pike Street');
    const chairs = { ...stores, arguments: { ...stores.arguments, account: 'chairs' } };
    expect(JSON.stringify(await anna.callTool(chairs))).toContain('Pike Street');
    expect(await ben.callTool(chairs)).toMatchObject({ isError: true });
    await expect(connected({ sub: 'carl', groups: ['sales'], scope: 'seller:read' })).rejects.toThrow('403');
    await expect.poll(() => log().includes('carl') && log().includes('sales')).toBe(true);
    await expect(connected({ sub: 'ben', aud: 'https://other.example' })).rejects.toThrow();
    await expect.poll(() => log().includes('(aud)')).toBe(true);
    const connections = await store.query('SELECT numbackends FROM pg_stat_database WHERE datname = $1', [
      database,
    ]);
    expect(connections).not.toEqual([{ numbackends: 0 }]);
    // The log blames neither accounts, access nor provider: the operator reads of these two alone.
    const problems = log()
      .split('\n')
      .filter((line) => /"level":[4-9]0/.test(line) && !/store/i.test(line));
    expect(problems).toEqual([expect.stringContaining('carl'), expect.stringContaining(endpoint.host)]);
  });
});

/** Makes what the image makes of its variables, for a role that may do less; that role needs its password. */
async function startStore({ user, database, password }: Readonly<Record<string, string | undefined>>) {
  const folder = await mkdtemp(join(tmpdir(), 'seller-store-'));
  endings.push(stopAllPostgres, () => rm(folder, { recursive: true, force: true }));
  const rules = join(folder, 'hba.conf');
  await writeFile(rules, 'host postgres seller samehost trust\nhost all all samehost scram-sha-256\n');
  await chmod(folder, 0o755);
  const server = await startPostgres(`hba_file=${rules}`);
  await server.query(`CREATE ROLE ${user} LOGIN PASSWORD '${password}'`);
  await server.query(`CREATE DATABASE ${database} OWNER ${user}`);
  return server;
}

/** @returns what it has written to stderr */
function start(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): () => string {
  let text = '';
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  children.push(child);
  return () => text;
}
