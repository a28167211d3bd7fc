/**
 * The sandbox without limits in a process of its own, so that it does not share a thread with the program that measures;
 * beside it a service that gives every reader the same listing, or 300 KB of them, at no cost of its own.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import * as z from 'zod';
import { startSandbox } from '../../../sandbox/start-sandbox.ts';
import { TOKEN_ANSWER } from '../account.ts';
import { INCLUDED, LISTING_SKU } from '../listing-call.ts';

const LARGE_BYTES = 300_000;

const sandbox = await startSandbox({ rateLimits: false, rotate: false });
const { baseUrl, authUrl, credentials, sellerId, marketplaceId } = sandbox;

const accessToken = await exchangeToken();
const listing = await readListing();
const count = Math.ceil(LARGE_BYTES / listing.length);
const item = z.looseObject({}).parse(JSON.parse(listing));
const items = Array.from({ length: count }, (_, at) => ({ ...item, sku: `${LISTING_SKU}-${at}` }));
const page = JSON.stringify({ numberOfResults: count, items });
const token = JSON.stringify(TOKEN_ANSWER.body);

const fixed = createServer((request, response) => {
  const isOne = request.url?.includes(LISTING_SKU);
  const body = request.method === 'POST' ? token : isOne ? listing : page;
  request.resume();
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    // The highest limit that a program with rate limits believes.
    'x-amzn-ratelimit-limit': '1000.0',
  });
  response.end(body);
}).listen(0, '127.0.0.1');
await once(fixed, 'listening');
const address = fixed.address();
const fixedUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

const account = { baseUrl, authUrl, credentials, sellerId, marketplaceId };
process.stdout.write(`${JSON.stringify({ account, accessToken, fixedUrl })}\n`);
process.stdin.resume().on('end', () => {
  fixed.close();
  fixed.closeAllConnections();
  void sandbox.close();
});

/** Returns the listing as the sandbox answers it. */
async function readListing(): Promise<string> {
  const path = `/listings/2021-08-01/items/${sellerId}/${LISTING_SKU}`;
  const query = `marketplaceIds=${marketplaceId}&includedData=${INCLUDED}`;
  const response = await fetch(`${baseUrl}${path}?${query}`, {
    headers: { 'x-amz-access-token': accessToken },
  });
  return response.text();
}

/** Exchanges a token for programs that do not do so themselves. */
async function exchangeToken(): Promise<string> {
  const response = await fetch(`${authUrl}/auth/o2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'refresh_token',
      refresh_token: credentials.refreshToken,
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    }),
  });
  return z.object({ access_token: z.string() }).parse(await response.json()).access_token;
}
