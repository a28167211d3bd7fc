import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { HEADS } from '../../src/write/model/outcome.ts';
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
  // The state is read for the preview; nothing else is sent.
  expect(runner.calls().map(({ method }) => method)).toEqual(['GET']);
  const confirmationCode = structured.confirmation_code;
  const done = await runner.run(writeOperation, { ...args, confirmationCode });
  expect(done.structured).toMatchObject({ outcome: 'done', status: 204 });
  expect(done.structured).not.toHaveProperty('value');
  const path = '/supplySources/2020-07-01/supplySources/s-1';
  expect(runner.calls().slice(2)).toMatchObject([
    { method: 'DELETE', path, body: '' },
    { method: 'GET', path },
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

const report = {
  operation: 'createReport',
  body: { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: ['ATVPDKIKX0DER'] },
};

it.each(['ask', 'code', 'deny'])(
  'a request is sent at once where writes are %s, and never told as done',
  async (writes) => {
    runner = await startToolRunner(() => ({ status: 202, body: { reportId: 'r-1' } }), {
      SELLER_WRITES: writes,
    });
    const { text, structured } = await runner.run(writeOperation, report);
    expect(runner.calls()).toMatchObject([{ method: 'POST', path: '/reports/2021-06-30/reports' }]);
    expect(structured).toMatchObject({ outcome: 'requested', status: 202, value: { reportId: 'r-1' } });
    expect(structured).not.toHaveProperty('journal_id');
    expect(text).toContain('Requested: reports/createReport');
    expect(text).toContain('Nothing was changed.');
    expect(text).toContain(
      'read_operation {"operation":"reports/getReport","parameters":{"reportId":"r-1"}}',
    );
  },
);

it('a dry run of a request says that it is one, and sends nothing', async () => {
  runner = await startToolRunner(() => ({ body: {} }), { SELLER_READ_ONLY: 'true' });
  const { text } = await runner.run(writeOperation, { ...report, dryRun: true });
  expect(text).toMatch(/^Request: createReport/m);
  expect(runner.service.requests).toEqual([]);
});

it('a report schedule is a write', async () => {
  runner = await startToolRunner(() => ({ body: {} }), { SELLER_WRITES: 'deny' });
  const schedule = { ...report.body, period: 'P1D' };
  await expect(
    runner.run(writeOperation, { operation: 'createReportSchedule', body: schedule }),
  ).rejects.toThrow('Writes are switched off');
  expect(runner.service.requests).toEqual([]);
});

it('a listing that is only checked is a request; without the mode it is asked about', async () => {
  runner = await startToolRunner(
    () => ({ body: { sku: 'A', status: 'VALID', submissionId: 's', issues: [] } }),
    {
      SELLER_WRITES: 'deny',
    },
  );
  const patch = {
    operation: 'patchListingsItem',
    parameters: { sellerId: 'A1', sku: 'LAMP', marketplaceIds: ['ATVPDKIKX0DER'] },
    body: { productType: 'LAMP', patches: [{ op: 'replace', path: '/attributes/x', value: [{ value: 1 }] }] },
  };
  const parameters = { ...patch.parameters, mode: 'VALIDATION_PREVIEW' };
  const { structured, text } = await runner.run(writeOperation, { ...patch, parameters });
  expect(structured).toMatchObject({ outcome: 'requested', value: { status: 'VALID' } });
  expect(text).toContain(`${HEADS.requested}: `);
  expect(runner.calls()).toHaveLength(1);
  expect(runner.calls()[0]?.path).toContain('mode=VALIDATION_PREVIEW');
  await expect(runner.run(writeOperation, patch)).rejects.toThrow('Writes are switched off');
  expect(runner.calls().map(({ method }) => method)).toEqual(['PATCH', 'GET']);
});

it('a bare name that others share is told with them', async () => {
  runner = await startToolRunner(() => ({ status: 202, body: {} }), { SELLER_WRITES: 'deny' });
  const { text, structured } = await runner.run(writeOperation, {
    operation: 'submitInvoice',
    parameters: { orderId: 'o-1' },
    body: {
      invoiceContent: 'PGE+',
      marketplaceId: 'A2Q3Y263D00KWC',
      contentMD5Value: 'x',
      invoiceType: 'Outbound',
      programType: 'EasyShip',
    },
    dryRun: true,
  });
  expect(structured.operation).toBe('shipment-invoice/submitInvoice@2022-07-01');
  expect(structured.note).toContain('shipment-invoice/submitInvoice,');
  expect(text).toContain('submitInvoice means shipment-invoice/submitInvoice@2022-07-01 here');
});

it('a list tells the marketplace of each call, also where the account fills it in', async () => {
  runner = await startToolRunner(() => ({ body: {} }), { SELLER_WRITES: 'code' });
  const call = (at: number, marketplace?: string) => ({
    parameters: {
      amazonOrderId: `304-000000${at}-0000000`,
      ...(marketplace && { marketplaceIds: [marketplace] }),
    },
  });
  const operation = 'createProductReviewAndSellerFeedbackSolicitation';
  for (const calls of [
    [call(1, 'A1RKKUPIHCS9HS'), call(2), call(3)],
    [call(1), call(2, 'A1RKKUPIHCS9HS'), call(3)],
  ]) {
    const { structured } = await runner.run(writeOperation, { operation, calls, dryRun: true });
    const changedRows = z.array(z.looseObject({ change: z.string() })).parse(structured.rows);
    expect(changedRows.map(({ change }) => /Spain|United States/.exec(change)?.[0])).toEqual(
      calls.map(({ parameters }) => ('marketplaceIds' in parameters ? 'Spain' : 'United States')),
    );
  }
});

describe('another seller than the account', () => {
  const US = 'ATVPDKIKX0DER';
  const call = (sku: string, sellerId?: string) => ({
    parameters: { sku, marketplaceIds: [US], ...(sellerId && { sellerId }) },
    body: {
      productType: 'LAMP',
      patches: [{ op: 'replace', path: '/attributes/color', value: [{ value: 'red' }] }],
    },
  });
  const patch = { operation: 'patchListingsItem' };
  const start = async () => {
    const item = { sku: 'L', summaries: [{ marketplaceId: US, productType: 'LAMP' }], attributes: {} };
    runner = await startToolRunner(() => ({ body: item }), { SELLER_WRITES: 'code' });
  };

  it.each([
    ['one write', { ...patch, ...call('L-1', 'A2OTHER') }],
    ['a list', { ...patch, calls: [call('L-1', 'A2OTHER'), call('L-2', 'A2OTHER')] }],
  ])('%s is told as theirs, never as the own', async (_kind, args) => {
    await start();
    const { text, structured } = await runner.run(writeOperation, args);
    expect(text).toContain(
      "Seller: A2OTHER, AS THE PARAMETERS NAME IT, NOT THE ACCOUNT'S OWN: A1SELLER, account default",
    );
    expect(text).toContain('path sellerId: "A2OTHER"');
    expect(structured.seller).toMatchObject({ id: "A2OTHER, NOT THE ACCOUNT'S OWN (A1SELLER)" });
  });

  it('a list of both says which are theirs', async () => {
    await start();
    const calls = [call('L-1'), call('L-2', 'A2OTHER'), call('L-3', 'A1SELLER')];
    const { text } = await runner.run(writeOperation, { ...patch, calls });
    expect(text.split('\n').filter((line) => line.includes('path sellerId: "A2OTHER"'))).toMatchObject([
      expect.stringMatching(/^ {2}L-2: /),
    ]);
  });
});
