/** The empty server with one tool that makes the catalog request with undici and returns the result, nothing more. */

import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const { SERVICE_URL = '', ACCESS_TOKEN = '' } = process.env;

serveStdio(() => {
  const server = new McpServer({ name: 'bare-tool', version: '1.0.0' });
  const inputSchema = z.strictObject({ asin: z.string(), MarketplaceId: z.string() });
  server.registerTool('get_catalog_item', { description: 'Gets an item.', inputSchema }, async (args) => ({
    content: [{ type: 'text', text: await getCatalogItem(args) }],
  }));
  return server;
});

async function getCatalogItem({ asin, MarketplaceId }: { asin: string; MarketplaceId: string }) {
  const { request } = await import('../../../src/call/transport/undici.ts');
  const { body } = await request(`${SERVICE_URL}/catalog/v0/items/${asin}?MarketplaceId=${MarketplaceId}`, {
    headers: { accept: 'application/json', 'x-amz-access-token': ACCESS_TOKEN },
  });
  return body.text();
}
