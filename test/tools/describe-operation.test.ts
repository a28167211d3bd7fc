import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOperation } from '../../tools/describe-operation.ts';
import { listKnownOperations } from '../../tools/list-known-operations.ts';
import { readOperation } from '../../tools/read-operation.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
beforeAll(async () => {
  runner = await startToolRunner(() => ({ status: 500 }));
});
afterAll(async () => {
  expect(runner.service.requests).toEqual([]);
  await runner.close();
});

it('tells everything that a call needs, with the tool that makes it', async () => {
  const { text, structured } = await runner.run(describeOperation, { operation: 'updateSupplySource' });
  expect(structured).toMatchObject({
    id: 'supply-sources/updateSupplySource',
    method: 'PUT',
    path: '/supplySources/2020-07-01/supplySources/{supplySourceId}',
    effect: 'write',
    description: text,
  });
  expect(['update_supply_source', 'write_operation']).toContain(structured.tool);
  for (const word of ['operatingHoursByDay', 'timezone', 'supplySourceId']) expect(text).toContain(word);
  expect(Buffer.byteLength(text) / 3).toBeLessThan(2_000);
});

it('its example is a call that the checks accept', async () => {
  const { structured } = await runner.run(describeOperation, { operation: 'getListingsItem' });
  expect(structured).toMatchObject({
    tool: 'read_operation',
    example: { operation: 'listings-items/getListingsItem' },
  });
});

it('shows one member deeper', async () => {
  const { text } = await runner.run(describeOperation, {
    operation: 'getListingsItem',
    member: 'includedData',
  });
  expect(text).toContain('fulfillmentAvailability');
});

it('an ambiguous name is an error that lists the candidates', async () => {
  await expect(runner.run(describeOperation, { operation: 'getShipment' })).rejects.toMatchObject({
    name: 'InputError',
    hint: expect.stringMatching(/merchant-fulfillment\/getShipment.*shipping\/getShipment/),
  });
});

it('does not name what was refused in this session, nor does the error of another refusal', async () => {
  const refusing = await startToolRunner(() => ({
    status: 403,
    body: { errors: [{ code: 'Unauthorized' }] },
  }));
  const steered = async () =>
    Promise.all(
      [
        refusing.run(describeOperation, { operation: 'orders/getOrders' }),
        refusing.run(listKnownOperations, { search: 'getOrders' }),
      ].map(async (answer) =>
        /use orders.searchOrders|"successor":"orders.searchOrders/.test(JSON.stringify(await answer)),
      ),
    );
  const refusal = (operation: string, parameters: Record<string, unknown>) =>
    refusing
      .run(readOperation, { operation, parameters })
      .catch((error: unknown) => JSON.stringify(error, ['hint']));
  const created = '2026-11-01T00:00:00Z';
  expect(await steered()).toEqual([true, true]);
  expect(await refusal('orders/searchOrders', { createdAfter: created })).toContain('orders/getOrders');
  expect(await steered()).toEqual([false, false]);
  expect(await refusal('orders/getOrders', { CreatedAfter: created })).not.toContain('orders/searchOrders');
  await refusing.close();
});
