/**
 * Tests that the service's answer to an item is masked and cut: for listings and stores only issues, for
 * secrets nothing.
 */

import { afterAll, expect, it } from 'vitest';
import { unknownChange } from '../../../../src/write/model/change.ts';
import type { Write } from '../../../../src/write/model/write.ts';
import { createItemAnswers } from '../../../../src/write/render/batch/batch-answer.ts';
import { startToolRunner, toolContext } from '../../../helpers/tool-runner.ts';

const runner = await startToolRunner(() => ({ body: {} }));
afterAll(() => runner.close());

const view = { value: <T>(value: T) => value };

async function answer(operation: string, body: unknown, { isListing = false, sent = {} as unknown } = {}) {
  const { session } = runner;
  const found = (await session.program.registry()).find(operation);
  const change = unknownChange();
  const { owner } = await (await session.client()).prepare({
    operation: (await session.program.registry()).find('sellers/getMarketplaceParticipations'),
    account: 'default',
    parameters: {},
  });
  const write: Write = {
    key: 'k',
    input: { operation: found, account: 'default', parameters: {}, body: sent },
    change: isListing ? { ...change, subject: { kind: 'listing', sku: 'S1' } } : change,
    shown: { parameters: {}, body: sent, change },
    request: { filledIn: {}, owner },
  };
  const response = { status: 200, headers: {}, body, bytes: 10, filledIn: {}, owner };
  return createItemAnswers(toolContext(session))(write, response, view);
}

const PATCH = 'listings-items/patchListingsItem';
const ISSUES = [{ code: '8541', message: 'odd', severity: 'WARNING' }];

it('of what is read back only the remarks are told, where there are some', async () => {
  const accepted = { sku: 'S1', status: 'ACCEPTED', submissionId: 's' };
  expect(await answer(PATCH, { ...accepted, issues: ISSUES }, { isListing: true })).toEqual({
    issues: ISSUES,
  });
  for (const body of [{ ...accepted, issues: [] }, accepted, { issues: 'x' }, 'text', undefined, [ISSUES]])
    expect(await answer(PATCH, body, { isListing: true })).toBeUndefined();
  // The whole answer is returned where nothing is read back.
  expect(await answer(PATCH, accepted)).toEqual(accepted);
});

it('nothing is told of an answer without a body', async () => {
  expect(await answer(PATCH, undefined)).toBeUndefined();
});

it('a buyer’s data are marks, and known secrets are redacted', async () => {
  const body = { payload: { BuyerInfo: { BuyerName: 'Ada Lovelace' } }, note: 'client-secret-1' };
  const masked = await answer('orders/getOrders', body);
  expect(JSON.stringify(masked)).toMatch(/«buyer name [^»]+»/);
  expect(JSON.stringify(masked)).not.toMatch(/Lovelace|client-secret-1/);
});

it('a token that was bought is told as its kind and length alone', async () => {
  const token = `Atz.sprdt|${'x'.repeat(300)}`;
  const masked = await answer(
    'tokens/createRestrictedDataToken',
    { restrictedDataToken: token, expiresIn: 3600 },
    { sent: { restrictedResources: [{ method: 'GET', path: '/orders/v0/orders' }] } },
  );
  expect(masked).toMatchObject({ restrictedDataToken: 'Atz.sprdt|…(310 characters)' });
});

it('a long answer is cut to what an item may take', async () => {
  const long = { items: Array.from({ length: 500 }, (_, at) => ({ at, text: 'words of the service' })) };
  const masked = JSON.stringify(await answer(PATCH, long));
  expect(masked.length).toBeGreaterThan(100);
  expect(masked.length).toBeLessThan(2_000);
});
