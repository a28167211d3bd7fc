/** Tests that the spawned program advertises exactly the committed snapshots, the same to everyone and at any time. */

import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { TOOL_LIST } from '../../src/protocol/generated/tool-list.ts';
import { homeEnvironment, SHOP } from '../helpers/outside-service.ts';
import { startRawServer } from '../helpers/raw-server.ts';
import { CLIENT_KINDS, connect } from '../helpers/sessions.ts';

const snapshots = () =>
  Promise.all(
    TOOL_LIST.map(async ({ name }): Promise<unknown> => {
      const file = new URL(`../snapshots/tools/${name}.json`, import.meta.url);
      return JSON.parse(await readFile(file, 'utf8'));
    }),
  );

it.each(CLIENT_KINDS)('%s sees the snapshots, before and after calls and failures', async (kind) => {
  const session = await connect({
    spawn: kind === 'sdk-v2-modern',
    kind,
    args: ['--sandbox'],
    env: homeEnvironment('/nonexistent'),
  });
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
  ['writes by code', { SELLER_WRITES: 'code' }],
  ['wrong settings', { SELLER_REGION: 'us' }],
])('does not vary with the settings: %s', async (_case, env) => {
  const server = startRawServer([], { ...homeEnvironment('/nonexistent'), ...env });
  try {
    await server.initialize();
    const { result } = await server.request('tools/list');
    expect(Object(result).tools).toHaveLength(TOOL_LIST.length);
    const line = server.lines.find((text) => text.includes('"tools":['));
    expect(Buffer.byteLength(line ?? '')).toBeLessThan(36_500);
    expect(Object(result).tools).toEqual(await snapshots());
    expect(server.lines.every((text) => text.startsWith('{'))).toBe(true);
  } finally {
    await server.stop();
  }
});

it.each([
  ['--read-only', ['--read-only'], {}],
  ['SELLER_WRITES=deny', [], { SELLER_WRITES: 'deny' }],
])(
  '%s lists no tool and no prompt that only writes, and the one that previews says so',
  async (_case, args, env) => {
    const session = await connect({
      args: [...args, '--sandbox'],
      env: { ...homeEnvironment('/nonexistent'), ...env },
    });
    try {
      const { tools } = await session.client.listTools();
      const names = tools.map(({ name }) => name);
      expect(names).toEqual(
        TOOL_LIST.map(({ name }) => name).filter(
          (name) => !['change_listings', 'update_supply_source'].includes(name),
        ),
      );
      const description = tools.find(({ name }) => name === 'write_operation')?.description ?? '';
      expect(description).toMatch(/writes are switched off here/);
      const { prompts } = await session.client.listPrompts();
      expect(prompts.map(({ name }) => name)).toEqual(['explain_listing_issues', 'find_operation']);
      const advertised = `${JSON.stringify([tools, prompts])}${session.client.getInstructions()}`;
      expect(advertised).not.toMatch(/update_supply_source|edit_supply_source/);
      expect(session.client.getInstructions()).toContain('Writes are switched off here');
      const args = { operation: 'archiveSupplySource', parameters: { supplySourceId: SHOP } };
      const preview = await session.call('write_operation', { ...args, dryRun: true });
      expect(preview.structured).toMatchObject({ outcome: 'preview' });
      const refused = await session.call('write_operation', args);
      expect(refused.text).toContain('Writes are switched off here');
    } finally {
      await session.close();
    }
  },
);

it('instructions reach the client whole, under 2 KB', async () => {
  const session = await connect({ spawn: true, env: homeEnvironment('/nonexistent') });
  try {
    const instructions = session.client.getInstructions() ?? '';
    expect(instructions).toContain('update_supply_source');
    expect(Buffer.byteLength(instructions)).toBeLessThan(2_048);
  } finally {
    await session.close();
  }
});
