/** The floor of a server over HTTP: the same SDK, and one tool that does nothing; nobody is asked who they are. */

import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'empty-http-server', version: '1.0.0' });
  const words = { description: 'Does nothing.', inputSchema: z.strictObject({}) };
  server.registerTool('idle', words, async () => ({ content: [{ type: 'text', text: 'idle' }] }));
  return server;
});
const server = createServer(toNodeHandler(handler)).listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null)
    process.stderr.write(`Serving http://127.0.0.1:${address.port}/mcp to everybody.\n`);
});
process.once('SIGTERM', () => process.exit(0));
