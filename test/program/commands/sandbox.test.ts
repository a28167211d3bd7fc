/** `sandbox` as a process: what it prints is enough for a second process, whose writes stay out of the real journal. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LAUNCH } from '../../helpers/launch.ts';
import { homeEnvironment } from '../../helpers/outside-service.ts';
import { runProgram } from '../../helpers/run-program.ts';
import { connect } from '../../helpers/sessions.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sandbox-command-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const history = async (...args: string[]) => {
  const { stdout } = await runProgram(['history', '--json', ...args], { env: homeEnvironment(home) });
  return JSON.parse(stdout).entries.map((entry: { operation: string }) => entry.operation);
};

async function write(env: Record<string, string>, args: string[]): Promise<void> {
  const session = await connect({ env, args: [...args, '--writes', 'allow'] });
  try {
    const shops = await session.call('read_operation', { operation: 'getSupplySources' });
    expect(shops.isError).toBe(false);
    const [id] = /[0-9a-f-]{36}|ss-[\w-]+/.exec(shops.text) ?? [];
    const done = await session.call('update_supply_source', { supplySourceId: id, alias: 'Other' });
    expect(done.text).not.toBe('');
    expect(done.isError).toBe(false);
  } finally {
    await session.close();
  }
}

it('prints values that a second process can use exactly as they stand', async () => {
  const env = homeEnvironment(home);
  const child = spawn(LAUNCH.node, [LAUNCH.program, 'sandbox'], { env: { ...LAUNCH.env, ...env } });
  try {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    while (!printed.includes('SELLER_STATE_DIR')) await once(child.stdout, 'data');
    expect(printed).not.toContain('[redacted]');
    const given = Object.fromEntries(
      [...printed.matchAll(/^(\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value]),
    );
    await write({ ...env, ...given }, []);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'close');
  }
  expect(await history()).toEqual([]);
  expect(await history('--sandbox')).toHaveLength(1);
});

it('--sandbox keeps a journal of its own, in the folder that is named too', async () => {
  const stateDir = ['--state-dir', join(home, 'state')];
  await write(homeEnvironment(home), ['--sandbox', ...stateDir]);
  expect(await history(...stateDir)).toEqual([]);
  expect(await history('--sandbox', ...stateDir)).toEqual(['supply-sources/updateSupplySource']);
});
