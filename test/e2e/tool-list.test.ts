/** What the spawned program advertises: exactly the committed snapshots, the same to everyone and at any time. */

import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { TOOLS } from '../../tools/index.ts';
import { homeEnvironment } from '../helpers/outside-service.ts';
import { startRawServer } from '../helpers/raw-server.ts';
import { CLIENT_KINDS, connect } from '../helpers/sessions.ts';

const snapshots = () =>
  Promise.all(
    TOOLS.map(async ({ name }): Promise<unknown> => {
      const file = new URL(`../snapshots/tools/${name}.json`, import.meta.url);
      return JSON.parse(await readFile(file, 'utf8'));
    }),
  );

it.each(CLIENT_KINDS)('%s sees the snapshots, before and after calls and failures', async (kind) => {
  const session = await connect({ kind, args: ['--sandbox'], env: homeEnvironment('/nonexistent') });
  try {
    const before = await session.client.listTools();
    await session.call('get_catalog_item', { asin: 'B0SBX00001' });
    await session.call('get_catalog_item', { nonsense: 1 });
    const after = await session.client.listTools();
    expect(after.tools).toEqual(before.tools);
    expect(before.tools.map(({ execution: _, ...tool }) => tool)).toEqual(await snapshots());
  } finally {
    await session.close();
  }
});

it.each([
  ['nothing set', {}],
  ['writes denied', { SELLER_WRITES: 'deny' }],
  ['wrong settings', { SELLER_REGION: 'us' }],
])('does not vary with the settings: %s', async (_case, env) => {
  const server = startRawServer([], { ...homeEnvironment('/nonexistent'), ...env });
  try {
    await server.initialize();
    const { result } = await server.request('tools/list');
    expect(Object(result).tools).toHaveLength(TOOLS.length);
    const line = server.lines.find((text) => text.includes('"tools":['));
    expect(Buffer.byteLength(line ?? '')).toBeLessThan(16_000);
    expect(Object(result).tools).toEqual(await snapshots());
    expect(server.lines.every((text) => text.startsWith('{'))).toBe(true);
  } finally {
    await server.stop();
  }
});

it('instructions reach the client whole, under 2 KB', async () => {
  const session = await connect({ env: homeEnvironment('/nonexistent') });
  try {
    const instructions = session.client.getInstructions() ?? '';
    expect(instructions).toContain('update_supply_source');
    expect(Buffer.byteLength(instructions)).toBeLessThan(2_048);
  } finally {
    await session.close();
  }
});
