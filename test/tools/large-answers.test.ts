/** Reads a service whose answers are larger than one call reads: each is cut off while it arrives. */

import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { MAX_READ_BYTES } from '../../src/call/read-bound.ts';
import { readItem } from '../../src/protocol/resources/read-resources.ts';
import { errorText } from '../../src/render/error-result.ts';
import { collectData } from '../../tools/collect-data.ts';
import { getCatalogItem } from '../../tools/get-catalog-item.ts';
import { readOperation } from '../../tools/read-operation.ts';
import { failureOf } from '../helpers/test-client.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

/** Sends text without an end, and resolves with the bytes that were sent once the client has cut it off. */
function sendEndlessly(response: ServerResponse, begin: string): Promise<number> {
  response.writeHead(200, { 'content-type': 'application/json' });
  let sent = 0;
  const more = () => {
    let isTaken = true;
    while (isTaken && !response.destroyed) {
      const piece = sent === 0 ? begin : 'x'.repeat(65_536);
      sent += piece.length;
      isTaken = response.write(piece);
    }
  };
  response.on('drain', more);
  more();
  return new Promise((resolve) => {
    response.on('close', () => resolve(sent));
  });
}

async function startEndless(begin = '{"payload":"') {
  const cutOff: Promise<number>[] = [];
  runner = await startToolRunner((_request, response) => {
    cutOff.push(sendEndlessly(response, begin));
    return undefined;
  });
  return cutOff;
}

const plain = (text: string) => text;

describe('an answer without an end', () => {
  it('is cut off, and the error gives the call that reads all pages', async () => {
    const cutOff = await startEndless('{"note":"Atza|token-1, Atza|another-token","payload":"');
    const parameters = { CreatedAfter: '2026-01-01', NextToken: 'page-2' };
    const error = await failureOf(runner.run(readOperation, { operation: 'getOrders', parameters }));
    expect(error).toMatchObject({ name: 'NetworkError', code: 'BODY_TOO_LARGE' });
    const text = errorText(error, plain);
    expect(text).toContain('the answer is larger than 2,000,000 bytes, the most that is read of it');
    expect(text).toContain(
      'collect_data {"operation":"orders/getOrders","parameters":{"CreatedAfter":"2026-01-01"}}',
    );
    expect(text).not.toMatch(/Atza|page-2|client-secret/);
    // The restricted data token is asked for first, and its answer has no end either.
    expect(cutOff).toHaveLength(2);
    for (const sent of cutOff) expect(await sent).toBeLessThan(20_000_000);
  });

  it('names the account that the call named', async () => {
    await startEndless();
    const args = { operation: 'getOrders', account: 'default', parameters: { CreatedAfter: '2026-01-01' } };
    const error = await failureOf(runner.run(readOperation, args));
    expect(errorText(error, plain)).toContain('"account":"default"}');
  });

  it('of a call with many arguments names the operation alone', async () => {
    await startEndless();
    const parameters = {
      AmazonOrderIds: Array.from({ length: 40 }, (_, at) => `026-0000000-${1_000_000 + at}`),
    };
    const error = await failureOf(runner.run(readOperation, { operation: 'getOrders', parameters }));
    expect(errorText(error, plain)).toContain(
      'collect_data with operation "orders/getOrders" and the same parameters and body.',
    );
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'read_operation',
      () => runner.run(readOperation, { operation: 'getListingsItem', parameters: { sku: 'A' } }),
    ],
    ['get_catalog_item', () => runner.run(getCatalogItem, { asin: 'B0TEST0001' })],
    ['the resource of a listing', () => readItem('A', runner.session, AbortSignal.timeout(40_000))],
  ])('without pages says how to ask for less: %s', async (_what, read) => {
    const cutOff = await startEndless();
    const text = errorText(await failureOf(read()), plain);
    expect(text).toContain('larger than 2,000,000 bytes');
    expect(text).toContain('Ask for less: fewer includedData, a smaller pageSize, a narrower date range.');
    expect(text).not.toContain('collect_data');
    expect(await cutOff[0]).toBeLessThan(20_000_000);
  });
});

describe('an answer of the token endpoint', () => {
  it.each([
    ['above 64,000 bytes is refused', 64_001, 'larger than 64,000 bytes'],
    ['of 64,000 bytes is read', 64_000, undefined],
  ])('%s', async (_what, size, message) => {
    const answer = JSON.stringify({ restrictedDataToken: 'Atz.sprdt|canary', expiresIn: 60 });
    runner = await startToolRunner(() => ({
      headers: { 'content-type': 'application/json' },
      body: answer.padEnd(size),
    }));
    const body = { restrictedResources: [{ method: 'GET', path: '/orders/v0/orders/1/address' }] };
    const bought = runner.run(readOperation, { operation: 'createRestrictedDataToken', body });
    if (message === undefined) await bought;
    else expect(errorText(await failureOf(bought), plain)).toContain(message);
  });
});

describe('within the bound', () => {
  it('an answer of 2 MB is read whole', async () => {
    const body = JSON.stringify({ payload: { Orders: [], note: 'x'.repeat(1_900_000) } }).padEnd(
      MAX_READ_BYTES,
    );
    runner = await startToolRunner(() => ({ headers: { 'content-type': 'application/json' }, body }));
    const { links = [] } = await runner.run(readOperation, {
      operation: 'getOrders',
      parameters: { CreatedAfter: '2026-01-01' },
    });
    const kept = (await runner.session.answers()).read(links[0]?.uri ?? '') ?? '';
    expect(JSON.parse(kept)).toEqual(JSON.parse(body));
  });

  it('collect_data reads a page that is too large for one answer', async () => {
    const Orders = Array.from({ length: 30 }, (_, at) => ({
      AmazonOrderId: `026-${at}`,
      note: 'x'.repeat(100_000),
    }));
    runner = await startToolRunner(() => ({
      headers: { 'x-amzn-ratelimit-limit': '1000' },
      body: { payload: { Orders } },
    }));
    const { structured } = await runner.run(collectData, {
      operation: 'getOrders',
      parameters: { CreatedAfter: '2026-01-01' },
      sql: 'SELECT count(*) AS orders, sum(length(note)) AS characters FROM Orders',
    });
    expect(JSON.stringify(structured)).toContain('3000000');
  });
});
