/** Runs code as a tool of a real MCP server, called by a real client over memory, to get at what the SDK hands over. */

import { Client } from '@modelcontextprotocol/client';
import {
  type CallToolResult,
  type ClientCapabilities,
  InMemoryTransport,
  type InputRequiredResult,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

export type Handler = (
  ctx: ServerContext,
  connected: ClientCapabilities | undefined,
) => Promise<CallToolResult | InputRequiredResult>;

export interface CallThroughOptions {
  /** Declared by the client. */
  capabilities?: ClientCapabilities;
  /** Answers every question to the person. */
  /** `accept without a form` is what hosts say that show none. */
  elicit?: (params: Record<string, unknown>) => 'accept' | 'accept without a form' | 'decline' | 'cancel';
  onprogress?: (progress: {
    progress: number;
    total?: number | undefined;
    message?: string | undefined;
  }) => void;
  signal?: AbortSignal;
}

/** The result as the client gets it, after every question has been answered. */
export async function callThrough(handler: Handler, options: CallThroughOptions = {}) {
  const server = new McpServer({ name: 'test', version: '1' });
  server.registerTool('run', { inputSchema: z.object({}) }, (_args, ctx) =>
    handler(ctx, server.server.getClientCapabilities()),
  );
  const { capabilities = {}, elicit, onprogress, signal } = options;
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  if (elicit !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const action = elicit({ ...params });
      if (action === 'accept without a form') return { action: 'accept' };
      return action === 'accept' ? { action, content: {} } : { action };
    });
  }
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  try {
    return await client.callTool({ name: 'run', arguments: {} }, { onprogress, signal });
  } finally {
    await client.close();
    await server.close();
  }
}
