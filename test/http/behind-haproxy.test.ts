/** Two servers of many people behind a real HAProxy with the configuration of the example: a person comes to the same one. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../helpers/http-service.ts';
import { MCP_HEADERS, type StartedPeople, startPeople } from '../helpers/people-server.ts';
import { startTokenIssuer, type TokenIssuer } from '../helpers/token-issuer.ts';

const CONFIG = fileURLToPath(new URL('../../examples/agency/haproxy.cfg', import.meta.url));
const mayRun = process.env.CI === 'true' || spawnSync('haproxy', ['-v'], { timeout: 10_000 }).status === 0;
if (!mayRun) process.stderr.write('Skipped: two servers behind HAProxy (none installed)\n');

let proxy: ChildProcess | undefined;
let issuer: TokenIssuer | undefined;
const replicas: StartedPeople[] = [];

afterEach(async () => {
  proxy?.kill('SIGKILL');
  await Promise.all([issuer?.close(), ...replicas.splice(0).map((one) => one.close())]);
});

async function start(): Promise<{ address: string; token(sub: string): Promise<string> }> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/mcp`;
  const own = await startTokenIssuer(() => address);
  issuer = own;
  for (let n = 0; n < 2; n++)
    replicas.push(await startPeople({ publicUrl: `http://127.0.0.1:${port}`, issuer: own }));
  // The proxy starts after the replicas, as in its compose file.
  for (const { server } of replicas)
    await expect
      .poll(async () => (await fetch(`http://127.0.0.1:${server.monitorPort}/readyz`)).status)
      .toBe(200);
  const [one, two] = replicas;
  proxy = spawn('haproxy', ['-f', CONFIG], {
    env: {
      PATH: process.env.PATH ?? '',
      BIND: `127.0.0.1:${port}`,
      REPLICA_1: `127.0.0.1:${one?.port}`,
      REPLICA_2: `127.0.0.1:${two?.port}`,
      MONITOR_HOST_1: '127.0.0.1',
      MONITOR_HOST_2: '127.0.0.1',
      MONITOR_PORT_1: String(one?.server.monitorPort),
      MONITOR_PORT_2: String(two?.server.monitorPort),
    },
    stdio: 'ignore',
  });
  await expect.poll(() => ask(address).catch(() => 0), { timeout: 10_000 }).toBe(401);
  return { address, token: (sub) => own.token({ sub }) };
}

/** @returns the status */
async function ask(address: string, token?: string): Promise<number> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { ...MCP_HEADERS, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  await response.text();
  return response.status;
}

const peopleAt = (replica: StartedPeople | undefined) =>
  new Set(replica?.callers.map(({ subject }) => subject));

// Skipped for a newcomer without HAProxy, never in CI.
describe.skipIf(!mayRun)('haproxy (2.6 or newer, installed)', () => {
  it('each person has one replica, all have about as many, and who is at one that ends goes to the other', async () => {
    const { address, token } = await start();
    const people = Array.from({ length: 50 }, (_, n) => `auth0|person-${n}`);
    const tokens = new Map<string, string>();
    for (const sub of people) tokens.set(sub, await token(sub));
    for (let round = 0; round < 3; round++)
      for (const sub of people) expect(await ask(address, tokens.get(sub))).toBe(200);
    // A new token of the same person, on a new connection.
    for (const sub of people.slice(0, 10)) await ask(address, await token(sub));
    const [one, two] = replicas.map(peopleAt);
    expect([...(one ?? [])].filter((sub) => two?.has(sub))).toEqual([]);
    expect((one?.size ?? 0) + (two?.size ?? 0)).toBe(50);
    expect(Math.min(one?.size ?? 0, two?.size ?? 0)).toBeGreaterThanOrEqual(12);
    const ended = replicas.shift();
    await ended?.close();
    const [left = ''] = peopleAt(ended);
    await expect.poll(() => ask(address, tokens.get(left)), { timeout: 15_000 }).toBe(200);
    expect(peopleAt(replicas[0])).toContain(left);
  }, 60_000);
});
