/** Arguments that are wrong: each problem by its path, with the valid names, before any request. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { TOOL_LIST } from '../../src/protocol/generated/tool-list.ts';
import { type Outside, SHOP, startOutside } from '../helpers/outside-service.ts';
import { connect, type Session } from '../helpers/sessions.ts';

let outside: Outside;
let session: Session;
beforeAll(async () => {
  outside = await startOutside();
  session = await connect({ args: outside.args, env: outside.env });
});
afterAll(async () => {
  await session.close();
  await outside.close();
});

const refusal = async (name: string, args: Record<string, unknown>) => {
  const { isError, text } = await session.call(name, args);
  expect(isError).toBe(true);
  expect(outside.sandbox.stats()).toMatchObject({ exchanges: 0, failedExchanges: 0, connections: 0 });
  return text;
};

it.each([
  ['list_known_operations', 'grup', 'group', ['search', 'method', 'callable', 'offset', 'limit']],
  ['describe_operation', 'opration', 'operation', ['member']],
  ['read_operation', 'parameter', 'parameters', ['operation', 'body', 'select', 'account']],
  ['update_supply_source', 'dryrun', 'dryRun', ['supplySourceId', 'changes', 'alias', 'confirmationCode']],
  ['write_operation', 'confirmCode', 'confirmationCode', ['operation', 'parameters', 'body', 'dryRun']],
  ['get_catalog_item', 'marketplaceId', 'MarketplaceId', ['asin', 'select', 'account']],
  ['exchange_token', 'clientsecret', 'client_secret', ['grant_type', 'refresh_token', 'client_id']],
])('%s names the unknown argument %s, the nearest and all valid ones', async (name, wrong, near, others) => {
  const text = await refusal(name, { [wrong]: 'x' });
  expect(text).toContain(`- ${wrong}: is not known; did you mean ${near}? Valid names:`);
  for (const other of [near, ...others]) expect(text).toContain(other);
});

it('names what is missing', async () => {
  expect(await refusal('get_catalog_item', {})).toContain('- asin: is missing; it is a string');
  expect(await refusal('read_operation', {})).toContain('- operation: is missing; it is a string');
  expect(await refusal('update_supply_source', { alias: 'x' })).toContain(
    'Either supplySourceId or supplySourceIds is needed',
  );
});

it('names wrong types by path, all of them at once, however deep', async () => {
  const text = await refusal('update_supply_source', {
    supplySourceId: 7,
    alias: null,
    dryRun: 'yes',
    configuration: { timeZone: 'UTC', operationalConfiguration: { handlingTime: { value: '4' } } },
    capabilities: { outbound: { pickupChannel: { inventoryHoldPeriod: { valu: 1 } } } },
  });
  expect(text.split('\n')).toEqual([
    'The arguments are not right; nothing was sent.',
    '- supplySourceId: must be a string, not a number',
    '- alias: must be a string, not null',
    '- configuration.operationalConfiguration.handlingTime.value: must be a number, not a string',
    '- configuration.timeZone: is not known; did you mean timezone? Valid names: operationalConfiguration, timezone',
    '- capabilities.outbound.pickupChannel.inventoryHoldPeriod.valu: is not known; did you mean value? Valid names: value, timeUnit',
    '- dryRun: must be a boolean, not a string',
  ]);
});

it('checks changes like a body', async () => {
  // The shop is read before its changes are checked: nothing to read here, so that nothing is sent either.
  const both = await refusal('update_supply_source', { supplySourceId: '', changes: { alais: 'x' } });
  expect(both).toContain('- supplySourceId: is empty; getSupplySources lists the ids');
});

it.each([
  ['empty', ''],
  ['a dot segment', '../x'],
  ['dots alone', '..'],
  ['one dot', '.'],
  ['a backslash', '..\\x'],
  ['10 KB', 'B'.repeat(10_240)],
  ['a line break', 'B0SBX00001\r\nx-evil: 1'],
  ['a null character', 'B0SBX00001\u0000'],
])('get_catalog_item refuses an asin that is %s', async (_case, asin) => {
  const text = await refusal('get_catalog_item', { asin });
  expect(text).toMatch(/asin:? (must|is)/);
  expect(text.length).toBeLessThan(1_000);
});

it.each([
  ['read_operation', { operation: 'getSupplySource', parameters: { supplySourceId: '../orders' } }],
  ['update_supply_source', { supplySourceId: '../orders', alias: 'x' }],
  ['write_operation', { operation: 'archiveSupplySource', parameters: { supplySourceId: '..' } }],
])('%s refuses a path that climbs', async (name, args) => {
  expect(await refusal(name, args)).toMatch(/supplySourceId:? must not (be|hold) a dot segment/);
});

it('names wrong parameters and body members of any operation', async () => {
  const read = await refusal('read_operation', {
    operation: 'getListingsItem',
    parameters: { Sku: 'x', includedData: ['isues'] },
  });
  expect(read).toMatch(/Sku:? is not known.* sku/);
  expect(read).toMatch(/sku:? is required/);
  expect(read).toMatch(/includedData\.0:? .*issues/);
  const write = await refusal('write_operation', {
    operation: 'updateSupplySourceStatus',
    parameters: { supplySourceId: SHOP },
    body: { status: 'Open' },
  });
  expect(write).toMatch(/body\.status:? must be one of Active, Inactive/);
});

it.each([
  ['read_operation', { operation: 'archiveSupplySource' }, 'write_operation'],
  ['write_operation', { operation: 'getSupplySources' }, 'read_operation'],
])('%s sends the caller to the right tool', async (name, args, other) => {
  expect(await refusal(name, args)).toContain(`Call it with ${other}.`);
});

it.each(['read_operation', 'write_operation', 'describe_operation'])(
  '%s names the nearest operation, or the candidates',
  async (name) => {
    expect(await refusal(name, { operation: 'getListingItem' })).toContain('getListingsItem');
    const several = await refusal(name, { operation: 'getShipment' });
    expect(several).toContain('merchant-fulfillment/getShipment');
    expect(several).toContain('shipping/getShipment');
    expect((await refusal(name, { operation: 'x'.repeat(10_000) })).length).toBeLessThan(2_000);
  },
);

it('refuses an unknown account', async () => {
  await refusal('read_operation', { operation: 'getSupplySources', account: 'secnod' });
});

it('names an unknown tool as a protocol error, and goes on', async () => {
  await expect(session.call('get_catalog_items', {})).rejects.toThrow(/get_catalog_items not found/);
  expect((await session.client.listTools()).tools).toHaveLength(TOOL_LIST.length);
});

// Last, since it is the one that is sent.
it('sends an asin that only looks encoded as one segment, encoded itself', async () => {
  // A dot segment to whoever decodes twice on the way.
  const refused = await session.call('get_catalog_item', { asin: '%2e%2e/x' });
  expect(JSON.stringify(refused)).toContain('dot segment');
  await session.call('get_catalog_item', { asin: '%41%2Fx' });
  expect(outside.sandbox.recorded().map(({ path }) => path)).toEqual(['/catalog/v0/items/%2541%252Fx']);
});
