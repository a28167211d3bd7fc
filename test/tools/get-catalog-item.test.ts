import { afterEach, expect, it } from 'vitest';
import { getCatalogItem } from '../../tools/get-catalog-item.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

const payload = {
  sku: 'MUG-1',
  summaries: [{ marketplaceId: 'ATVPDKIKX0DER', asin: 'B01', itemName: 'Mug', status: ['BUYABLE'] }],
  attributes: { brand: [{ value: 'Clay' }] },
  issues: [
    { code: '2', message: 'Add a bullet point.', severity: 'WARNING' },
    {
      code: '1',
      message: 'The brand is missing.',
      severity: 'ERROR',
      attributeNames: ['brand'],
      enforcements: { actions: [{ action: 'LISTING_SUPPRESSED' }] },
    },
  ],
  somethingNew: { kept: true },
};
const answering = (headers: Record<string, string> = {}) =>
  startToolRunner(() => ({ body: { payload, errors: [{ code: 'X', message: 'partly' }] }, headers }));

it('sends GET with the marketplace and the access token, and nothing else of the caller', async () => {
  runner = await answering();
  await runner.run(getCatalogItem, { asin: 'B0 1/2', MarketplaceId: 'A1PA6795UKMFR9' });
  const [call] = runner.calls();
  expect(call).toMatchObject({
    method: 'GET',
    path: '/catalog/v0/items/B0%201%2F2?MarketplaceId=A1PA6795UKMFR9',
    headers: { 'x-amz-access-token': 'Atza|token-1', accept: 'application/json' },
    body: '',
  });
  expect(runner.exchanges()).toMatchObject([
    {
      method: 'POST',
      json: {
        grant_type: 'refresh_token',
        refresh_token: 'Atzr|refresh-1',
        client_id: 'client-1',
        client_secret: 'client-secret-1',
      },
    },
  ]);
});

it('fills in the marketplace of the account and says so', async () => {
  runner = await answering();
  const { text, structured } = await runner.run(getCatalogItem, { asin: 'B01' });
  expect(runner.calls()[0]?.path).toBe('/catalog/v0/items/B01?MarketplaceId=ATVPDKIKX0DER');
  expect(structured).toMatchObject({ filled_in: { MarketplaceId: 'ATVPDKIKX0DER' } });
  expect(text).toContain('MarketplaceId ATVPDKIKX0DER taken from the account');
});

it.each([
  ['the documented', { 'x-svc-RateLimit-Limit': '2.5', 'x-svc-RequestId': 'r-1' }],
  ["SP-API's", { 'x-amzn-RateLimit-Limit': '2.5', 'x-amzn-RequestId': 'r-1' }],
])('reads rate limit and request id under %s header names', async (_whose, headers) => {
  runner = await answering(headers);
  const { structured } = await runner.run(getCatalogItem, { asin: 'B01' });
  expect(structured).toMatchObject({ rate_limit: '2.5', request_id: 'r-1' });
});

it('explains issues by severity, keeps what it does not know, and leaves attributes for select', async () => {
  runner = await answering();
  const { text, structured } = await runner.run(getCatalogItem, { asin: 'B01' });
  expect(text.indexOf('The brand is missing.')).toBeLessThan(text.indexOf('Add a bullet point.'));
  expect(text).toContain('1 suppresses the listing');
  expect(structured).toMatchObject({
    payload: { sku: 'MUG-1', somethingNew: { kept: true } },
    errors: [{ code: 'X', message: 'partly' }],
    omitted: [{ select: ['payload.attributes'] }],
  });
  expect(structured).not.toHaveProperty('payload.attributes');
});

it('returns exactly what is selected, with or without the envelope in the path', async () => {
  runner = await answering();
  for (const select of [['attributes.brand'], ['payload.attributes.brand']]) {
    const { structured } = await runner.run(getCatalogItem, { asin: 'B01', select });
    expect(structured.payload).toEqual({ attributes: { brand: [{ value: 'Clay' }] } });
  }
});

it('a 403 names the likelier causes before the removal', async () => {
  runner = await startToolRunner(() => ({
    status: 403,
    body: { errors: [{ code: 'Unauthorized', message: 'no' }] },
  }));
  const failure = runner.run(getCatalogItem, { asin: 'B01' });
  await expect(failure).rejects.toMatchObject({
    name: 'ApiError',
    status: 403,
    message: expect.stringContaining('«Unauthorized: no»'),
    hint: expect.stringMatching(/role.*2022-09-30/),
  });
});

it('an asin that climbs out of the path is refused before any request', async () => {
  runner = await answering();
  await expect(runner.run(getCatalogItem, { asin: '../x' })).rejects.toMatchObject({
    name: 'InputError',
    problems: [{ path: 'asin' }],
  });
  expect(runner.service.requests).toEqual([]);
});
