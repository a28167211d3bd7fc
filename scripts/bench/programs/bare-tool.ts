/** The empty server with a tool for each measured call that makes the same request with undici and returns the result, nothing more. */

import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const { SERVICE_URL = '', ACCESS_TOKEN = '' } = process.env;

serveStdio(() => {
  const server = new McpServer({ name: 'bare-tool', version: '1.0.0' });
  const inputSchema = z.strictObject({ asin: z.string(), MarketplaceId: z.string() });
  server.registerTool('get_catalog_item', { description: 'Gets an item.', inputSchema }, async (args) => ({
    content: [
      {
        type: 'text',
        text: await passOn(`/catalog/v0/items/${args.asin}?MarketplaceId=${args.MarketplaceId}`),
      },
    ],
  }));
  const path = z.strictObject({ path: z.string() });
  server.registerTool('pass_on', { description: 'Gets a path.', inputSchema: path }, async (args) => ({
    content: [{ type: 'text', text: await passOn(args.path) }],
  }));
  return server;
});

async function passOn(path: string) {
  const { request } = await import('../../../src/call/transport/undici.ts');
  const { body } = await request(`${SERVICE_URL}${path}`, {
    headers: { accept: 'application/json', 'x-amz-access-token': ACCESS_TOKEN },
  });
  return body.text();
}
