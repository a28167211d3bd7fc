import { afterEach, expect, it } from 'vitest';
import { writeOperation } from '../../tools/write-operation.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

const create = {
  operation: 'createSupplySource',
  body: {
    supplySourceCode: 'shop-9',
    alias: 'Shop 9',
    address: { name: 'Shop 9', addressLine1: '1 Road', countryCode: 'US', stateOrRegion: 'WA' },
  },
};
const allow = { SELLER_WRITES: 'allow' };

it('sends method, path, query, body and token exactly', async () => {
  runner = await startToolRunner(() => ({ body: { supplySourceId: 's-9' } }), allow);
  const { structured } = await runner.run(writeOperation, create);
  expect(runner.calls()).toMatchObject([
    {
      method: 'POST',
      path: '/supplySources/2020-07-01/supplySources',
      headers: { 'content-type': 'application/json', 'x-amz-access-token': 'Atza|token-1' },
      json: create.body,
    },
  ]);
  expect(structured).toMatchObject({
    outcome: 'done',
    status: 200,
    operation: 'supply-sources/createSupplySource',
    journal_id: expect.any(String),
    value: { supplySourceId: 's-9' },
  });
});

it('a dry run shows the request without any secret and sends nothing', async () => {
  runner = await startToolRunner(() => ({ body: {} }), allow);
  const { text, structured } = await runner.run(writeOperation, { ...create, dryRun: true });
  expect(structured).toMatchObject({
    outcome: 'preview',
    request: {
      method: 'POST',
      url: `${runner.service.url}/supplySources/2020-07-01/supplySources`,
      body: create.body,
    },
  });
  expect(`${text}${JSON.stringify(structured)}`).not.toMatch(/Atz|client-secret|access-token/);
  expect(runner.service.requests).toEqual([]);
});

it('sends only with the code of its own preview', async () => {
  runner = await startToolRunner(() => ({ status: 204 }), { SELLER_WRITES: 'code' });
  const args = { operation: 'archiveSupplySource', parameters: { supplySourceId: 's-1' } };
  const { structured } = await runner.run(writeOperation, args);
  expect(runner.service.requests).toEqual([]);
  const confirmationCode = structured.confirmation_code;
  const done = await runner.run(writeOperation, { ...args, confirmationCode });
  expect(done.structured).toMatchObject({ outcome: 'done', status: 204 });
  expect(done.structured).not.toHaveProperty('value');
  expect(runner.calls()).toMatchObject([
    { method: 'DELETE', path: '/supplySources/2020-07-01/supplySources/s-1', body: '' },
  ]);
});

it('an error array of the service is told with every entry', async () => {
  const errors = [
    { code: 'InvalidInput', message: 'alias: too long' },
    { code: 'InvalidInput', message: 'address: incomplete', details: 'city' },
  ];
  runner = await startToolRunner(() => ({ status: 400, body: errors }), allow);
  await expect(runner.run(writeOperation, create)).rejects.toMatchObject({
    name: 'ApiError',
    status: 400,
    message: expect.stringContaining(
      '«InvalidInput: alias: too long; InvalidInput: address: incomplete (city)»',
    ),
    mayHaveBeenApplied: false,
  });
});

it('an operation that reads is sent to the other tool', async () => {
  runner = await startToolRunner(() => ({ body: {} }), allow);
  await expect(runner.run(writeOperation, { operation: 'getSupplySources' })).rejects.toMatchObject({
    name: 'InputError',
    hint: 'Call it with read_operation.',
  });
});
