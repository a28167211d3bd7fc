/** The floor of this design: the same SDK and zod, and one tool that does nothing. */

import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'empty-server', version: '1.0.0' });
  const words = { description: 'Does nothing.', inputSchema: z.strictObject({}) };
  server.registerTool('idle', words, async () => ({ content: [{ type: 'text', text: 'idle' }] }));
  return server;
});
