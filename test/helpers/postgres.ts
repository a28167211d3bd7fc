/** A real PostgreSQL for tests: the server of this machine, in a folder of its own, on loopback, ended with the test. */

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './http-service.ts';

/** Debian keeps the programs of a server out of the path. */
const FOLDERS = ['', '/usr/local/bin', '/usr/lib/postgresql/*/bin', '/opt/homebrew/bin'].flatMap((folder) => {
  const [before = '', behind] = folder.split('*');
  if (behind === undefined) return [folder];
  return existsSync(before) ? readdirSync(before).map((version) => join(before, version, behind)) : [];
});
const FOLDER = FOLDERS.find(
  (folder) => spawnSync(join(folder, 'initdb'), ['--version'], { timeout: 10_000 }).status === 0,
);

/** Whether tests of a real store run: for a newcomer where there is one, in CI always. */
export const mayUseStore = FOLDER !== undefined || process.env.CI === 'true';
if (!mayUseStore) process.stderr.write('Skipped: replicas on a store (no PostgreSQL server)\n');
export const STORE_NAME = FOLDER === undefined ? 'needs a PostgreSQL server' : 'real PostgreSQL';

export interface PostgresServer {
  port: number;
  /** The address as `--store` takes it. */
  address: string;
  /** Frozen with all its processes, as a machine that swaps: it takes connections and answers nothing. */
  freeze(): void;
  thaw(): void;
  /** Ends it at once, as a crash of the server; what was committed is on its disk. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** The rows of statements that a program of ours never gives. */
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Everything that replicas share is gone, as in a store that begins anew; its tables are there. */
  clear(): Promise<void>;
  /** A streaming copy of it, which takes no writes before it is promoted. */
  startStandby(): Promise<PostgresServer>;
  /** Makes a standby the server that takes writes. */
  promote(): Promise<void>;
}

const running = new Set<{ child: ChildProcess; folder: string }>();

/** PostgreSQL does not run as root. */
const user = process.getuid?.() === 0 ? idsOf('postgres') : undefined;

function idsOf(name: string): { uid: number; gid: number } {
  const number = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}

/** @param settings of the server, such as `fsync=off` */
export async function startPostgres(...settings: string[]): Promise<PostgresServer> {
  const folder = makeFolder();
  runProgram('initdb', ['-D', join(folder, 'data'), '-A', 'trust', '-U', 'seller', '--no-sync']);
  return startIn(folder, settings);
}

function makeFolder(): string {
  if (FOLDER === undefined) throw new Error('PostgreSQL is not installed (Debian: postgresql)');
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  return folder;
}

function runProgram(name: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(join(FOLDER ?? '', name), args, {
    ...user,
    cwd: '/',
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
}

async function startIn(folder: string, settings: readonly string[]): Promise<PostgresServer> {
  const port = await freePort();
  const data = join(folder, 'data');
  let one: { child: ChildProcess; folder: string } | undefined;
  const connection = { host: '127.0.0.1', port, user: 'seller', database: 'postgres' };
  const server: PostgresServer = {
    port,
    address: `postgres://seller@127.0.0.1:${port}/postgres`,
    freeze: () => signal(one?.child, 'SIGSTOP'),
    thaw: () => signal(one?.child, 'SIGCONT'),
    async stop() {
      if (one !== undefined) await end(one.child);
    },
    async start() {
      const options = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, ...settings];
      const child = spawn(
        join(FOLDER ?? '', 'postgres'),
        ['-D', data, '-p', String(port), ...options.flatMap((option) => ['-c', option])],
        { ...user, cwd: '/', stdio: 'ignore' },
      );
      one = { child, folder };
      running.add(one);
      for (let tries = 0; tries < 400; tries++) {
        if ((await server.query('SELECT 1').catch(() => [])).length > 0) return;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error('The store did not start.');
    },
    async query(text, values) {
      const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2_000 });
      // The server may be stopped meanwhile.
      client.on('error', () => undefined);
      await client.connect();
      try {
        await client.query('SET search_path = seller_commerce_mcp');
        return (await client.query(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    async clear() {
      const tables = await server.query(
        `SELECT string_agg('seller_commerce_mcp.' || tablename, ', ') AS names FROM pg_tables
          WHERE schemaname = 'seller_commerce_mcp' AND tablename <> 'versions'`,
      );
      const names = tables[0]?.names;
      if (typeof names === 'string') await server.query(`TRUNCATE ${names}`);
    },
    async startStandby() {
      const copy = makeFolder();
      const address = `host=127.0.0.1 port=${port} user=seller`;
      runProgram('pg_basebackup', ['-D', join(copy, 'data'), '-d', address, '-R', '-c', 'fast', '--no-sync']);
      return startIn(copy, settings);
    },
    async promote() {
      await server.query('SELECT pg_promote()');
    },
  };
  await server.start();
  return server;
}

export async function stopAllPostgres(): Promise<void> {
  for (const { child, folder } of running) {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  }
  running.clear();
}

/** Sends a signal to the server and the processes that it has started. */
function signal(child: ChildProcess | undefined, name: NodeJS.Signals): void {
  if (child?.pid === undefined) return;
  const all = process.platform === 'linux' ? readdirSync('/proc') : [];
  const own = all.filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === child.pid);
  for (const pid of [child.pid, ...own.map(Number)]) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}

function parentOf(pid: string): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    signal(child, 'SIGCONT');
    // The signal stops it at once, without waiting for clients.
    child.kill('SIGQUIT');
  });
}
