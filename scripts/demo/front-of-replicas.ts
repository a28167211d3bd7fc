/** Starts the surroundings of two replicas: a database that they share, and HAProxy with the configuration of the example. */

import { type ChildProcess, spawn } from 'node:child_process';
import { freePort } from '../../test/helpers/http-service.ts';
import { startPostgres, stopAllPostgres } from '../../test/helpers/postgres.ts';

export interface FrontOfReplicas {
  publicUrl: string;
  store: string;
  replicas: { listen: string; monitor: string }[];
  /** Once the replicas are there. Resolves when the proxy lets requests through. */
  begin(): Promise<void>;
  /** Calls of tools, by replica. */
  answered(): Promise<number[]>;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

export async function startFront(): Promise<FrontOfReplicas> {
  const database = await startPostgres();
  const port = await freePort();
  const replicas: FrontOfReplicas['replicas'] = [];
  const env: Record<string, string> = { PATH: process.env.PATH ?? '', BIND: `${HOST}:${port}` };
  for (const n of [1, 2]) {
    const [own, monitor] = [await freePort(), await freePort()];
    replicas.push({ listen: `${HOST}:${own}`, monitor: `${HOST}:${monitor}` });
    env[`REPLICA_${n}`] = `${HOST}:${own}`;
    env[`MONITOR_HOST_${n}`] = HOST;
    env[`MONITOR_PORT_${n}`] = String(monitor);
  }
  const publicUrl = `http://${HOST}:${port}`;
  let proxy: ChildProcess | undefined;
  return {
    publicUrl,
    store: database.address,
    replicas,
    async begin() {
      for (const { monitor } of replicas) await until(`http://${monitor}/readyz`, 200);
      proxy = spawn('haproxy', ['-f', 'examples/agency/haproxy.cfg'], { env, stdio: 'ignore' });
      await until(`${publicUrl}/mcp`, 401);
    },
    async answered() {
      const counts: number[] = [];
      for (const { monitor } of replicas) {
        const text = await (await fetch(`http://${monitor}/metrics`)).text();
        const calls = [...text.matchAll(/^seller_tool_calls_total\{[^}]*\} (\d+)/gm)];
        counts.push(calls.reduce((sum, [, count]) => sum + Number(count), 0));
      }
      return counts;
    },
    async close() {
      proxy?.kill('SIGKILL');
      await stopAllPostgres();
    },
  };
}

async function until(address: string, status: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const response = await fetch(address).catch(() => undefined);
    if (response?.status === status) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${address} did not answer with ${status}.`);
}
