/**
 * The sandbox without limits in a process of its own, so that it does not share a thread with the program that measures;
 * beside it a service that gives every reader the same listing, or 300 KB of them, at no cost of its own, and the report
 * in the file REPORT. The sandbox has MORE_LISTINGS.
 */

import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import * as z from 'zod';
import { startSandbox } from '../../../sandbox/start-sandbox.ts';
import { TOKEN_ANSWER } from '../account.ts';
import { exchange } from '../exchange.ts';
import { INCLUDED, LISTING_SKU } from '../listing-call.ts';

const LARGE_BYTES = 300_000;

const { REPORT, MORE_LISTINGS } = process.env;
const FEED_SPEED = 50;

const sandbox = await startSandbox({
  rateLimits: false,
  rotate: false,
  feedSpeed: FEED_SPEED,
  moreListings: Number(MORE_LISTINGS ?? 0),
});
const { baseUrl, authUrl, credentials, sellerId, marketplaceId } = sandbox;

const listing = await readListing();
const count = Math.ceil(LARGE_BYTES / listing.length);
const item = z.looseObject({}).parse(JSON.parse(listing));
const items = Array.from({ length: count }, (_, at) => ({ ...item, sku: `${LISTING_SKU}-${at}` }));
const page = JSON.stringify({ numberOfResults: count, items });
const token = JSON.stringify(TOKEN_ANSWER.body);

const SIGNED = '/signed/report';

function answerReport(url: string, response: ServerResponse, host = ''): boolean {
  if (REPORT === undefined) return false;
  if (url === SIGNED) {
    response.writeHead(200);
    createReadStream(REPORT).pipe(response);
    return true;
  }
  if (!url.startsWith('/reports/2021-06-30/documents/')) return false;
  response.writeHead(200, { 'content-type': 'application/json' });
  const document = { reportDocumentId: 'document-of-the-bench', url: `http://${host}${SIGNED}` };
  response.end(JSON.stringify({ ...document, compressionAlgorithm: 'GZIP' }));
  return true;
}

const fixed = createServer((request, response) => {
  if (answerReport(request.url ?? '', response, request.headers.host)) return;
  const isOne = request.url?.includes(LISTING_SKU);
  const body = request.method === 'POST' ? token : isOne ? listing : page;
  request.resume();
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    // As much as a program that keeps to the limits believes.
    'x-amzn-ratelimit-limit': '1000.0',
  });
  response.end(body);
}).listen(0, '127.0.0.1');
await once(fixed, 'listening');
const address = fixed.address();
const fixedUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

process.stdout.write(
  `${JSON.stringify({ baseUrl, authUrl, credentials, sellerId, marketplaceId, fixedUrl })}\n`,
);
process.stdin.resume().on('end', () => {
  fixed.close();
  fixed.closeAllConnections();
  void sandbox.close();
});

/** As the sandbox answers it. */
async function readListing(): Promise<string> {
  const path = `/listings/2021-08-01/items/${sellerId}/${LISTING_SKU}`;
  const query = `marketplaceIds=${marketplaceId}&includedData=${INCLUDED}`;
  const response = await fetch(`${baseUrl}${path}?${query}`, {
    headers: { 'x-amz-access-token': await exchange(sandbox) },
  });
  return response.text();
}
