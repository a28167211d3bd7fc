/** A marketplace by country, through the tools: what was understood is what is asked about, sent, recorded and told. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { getCatalogItem } from '../../tools/get-catalog-item.ts';
import { readOperation } from '../../tools/read-operation.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import { nobody, startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';
import { readEntries } from '../write/records/journal/helpers.ts';

let runner: ToolRunner;

/** The first request that is not about a token. */
const firstCall = () => runner.calls().find(({ path }) => !path.startsWith('/tokens/'));

afterEach(() => runner.close());

const GERMANY = 'A1PA6795UKMFR9';
const subscribe = (marketplaceIds: string[]) => ({
  operation: 'notifications/createSubscription',
  parameters: { notificationType: 'ANY_OFFER_CHANGED' },
  body: {
    payloadVersion: '1.0',
    destinationId: 'd',
    processingDirective: { eventFilter: { eventFilterType: 'ANY_OFFER_CHANGED', marketplaceIds } },
  },
});
const removal = (marketplaceIds: string[]) => ({
  operation: 'listings-items/deleteListingsItem',
  parameters: { sku: 'LAMP', marketplaceIds },
});

it('a reading call goes to the country that was named, and both forms of the answer say which', async () => {
  runner = await startToolRunner(() => ({ body: { payload: {} } }));
  const parameters = { MarketplaceIds: ['germany'], CreatedAfter: '2026-01-01' };
  const { text, structured } = await runner.run(readOperation, { operation: 'orders/getOrders', parameters });
  expect(firstCall()?.path).toContain(`MarketplaceIds=${GERMANY}`);
  expect(text).toContain(`Marketplace: Germany (${GERMANY}).`);
  expect(structured.note).toContain(`Marketplace: Germany (${GERMANY}).`);
});

it('get_catalog_item takes a country too', async () => {
  runner = await startToolRunner(() => ({ body: { payload: { sku: 'A' } } }));
  await runner.run(getCatalogItem, { asin: 'B1', MarketplaceId: 'UK' });
  expect(firstCall()?.path).toContain('MarketplaceId=A1F83G8C2ARO7P');
});

it('an id that is not known is sent as it is, with a warning in both forms, also where the service refuses it', async () => {
  let status = 200;
  runner = await startToolRunner(() => ({
    status,
    body: { errors: [{ code: 'InvalidInput', message: 'no' }] },
  }));
  const call = {
    operation: 'orders/getOrders',
    parameters: { MarketplaceIds: ['A1NEWMARKET42'], CreatedAfter: '2026-01-01' },
  };
  const { text, structured } = await runner.run(readOperation, call);
  expect(firstCall()?.path).toContain('MarketplaceIds=A1NEWMARKET42');
  const warning = '"A1NEWMARKET42" is no marketplace known here and is sent as it is.';
  expect(text).toContain(warning);
  expect(structured.note).toContain(warning);
  status = 400;
  await expect(runner.run(readOperation, call)).rejects.toMatchObject({
    hint: expect.stringContaining(warning),
  });
});

it('a word that is no country is not sent', async () => {
  runner = await startToolRunner(() => ({ body: {} }), { SELLER_WRITES: 'allow' });
  const parameters = { MarketplaceIds: ['Germny'], CreatedAfter: '2026-01-01' };
  await expect(runner.run(readOperation, { operation: 'orders/getOrders', parameters })).rejects.toThrow(
    'Did you mean Germany (DE)?',
  );
  await expect(runner.run(writeOperation, removal(['Austria']))).rejects.toThrow(
    'a country without a marketplace',
  );
  expect(runner.service.requests).toEqual([]);
});

it('the question names the country, in parameters and bodies, and nothing that a caller writes can look like it', async () => {
  runner = await startToolRunner(() => ({ body: {} }));
  const questions: string[] = [];
  const person = {
    ...nobody,
    canConfirm: true,
    confirm(_key: string, message: string): never {
      questions.push(message);
      throw new Error('asked');
    },
  };
  const ask = (args: object) => expect(runner.run(writeOperation, args, { person })).rejects.toThrow('asked');
  await ask(removal(['Germany']));
  expect(questions[0]).toMatch(/^Delete: deleteListingsItem, LAMP, Germany\./);
  await ask(subscribe(['DE', 'A1NEWMARKET42']));
  expect(questions[1]).toContain(`Germany (${GERMANY})`);
  expect(questions[1]).toContain('is no marketplace known here and is sent as it is.');
  const forged = `x", Germany (${GERMANY}), "y_1`;
  await ask({
    ...removal(['DE']),
    parameters: { sku: forged, marketplaceIds: ['DE'], issueLocale: GERMANY },
  });
  expect(questions[2]).toMatch(
    /^Delete: deleteListingsItem, "x\\", Germany \(A1PA6795UKMFR9\), \\"y_1", Germany\./,
  );
  expect(questions[2]).toContain(`query issueLocale: "${GERMANY}"`);
});

it('a code is bound to what was understood, whichever way it is named, and the journal holds the id', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'seller-journal-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const settings = { SELLER_WRITES: 'code', SELLER_STATE_DIR: folder };
  runner = await startToolRunner(() => ({ body: {} }), settings);
  const { structured } = await runner.run(writeOperation, removal(['Germany']));
  const confirmationCode = structured.confirmation_code;
  const other = runner.run(writeOperation, { ...removal(['FR']), confirmationCode });
  await expect(other).rejects.toThrow('Nothing was sent');
  const again = await runner.run(writeOperation, removal(['Germany']));
  await runner.run(writeOperation, {
    ...removal(['de']),
    confirmationCode: again.structured.confirmation_code,
  });
  expect(firstCall()?.path).toContain(`marketplaceIds=${GERMANY}`);
  const journal = JSON.stringify(await readEntries(folder));
  expect(journal).toContain(GERMANY);
  expect(journal).not.toContain('"Germany"');
});

it('a request and a write that was made tell their doubts in both forms', async () => {
  runner = await startToolRunner(() => ({ body: { reportId: '1' } }), { SELLER_WRITES: 'allow' });
  const report = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: ['A1NEWMARKET42'] };
  const calls = [{ operation: 'reports/createReport', body: report }, removal(['A1NEWMARKET42'])];
  for (const call of calls) {
    const { text, structured } = await runner.run(writeOperation, call);
    expect(text.split('is no marketplace known here')).toHaveLength(2);
    expect(JSON.stringify(structured.warnings)).toContain('is no marketplace known here');
  }
});

it.each([
  ['Germany', GERMANY],
  ['uk', 'A1F83G8C2ARO7P'],
  ['A1NEWMARKET42', 'A1NEWMARKET42'],
])('the setting %s', async (given, id) => {
  runner = await startToolRunner(() => ({ body: { payload: {} } }), { SELLER_MARKETPLACE_ID: given });
  const parameters = { CreatedAfter: '2026-01-01' };
  const { structured } = await runner.run(readOperation, { operation: 'orders/getOrders', parameters });
  expect(firstCall()?.path).toContain(`MarketplaceIds=${id}`);
  expect(structured.filled_in).toEqual({ MarketplaceIds: id });
});

it('a setting that is a word and no country stops the call, with what may be meant', async () => {
  runner = await startToolRunner(() => ({ body: {} }), { SELLER_MARKETPLACE_ID: 'Germny' });
  const call = { operation: 'orders/getOrders', parameters: { CreatedAfter: '2026-01-01' } };
  await expect(runner.run(readOperation, call)).rejects.toThrow('did you mean Germany?');
  expect(runner.service.requests).toEqual([]);
});
