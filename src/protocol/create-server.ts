/** Builds the MCP server: advertises tools, prompts and resources from generated lists, and runs them on demand. */

import { McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { lazy } from '../base/lazy.ts';
import type { Session } from '../write/tool-context.ts';
import type { ConnectedClient } from './connected-client.ts';
import type { Tool } from './define-tool.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { PROMPTS } from './prompts/all.ts';
import { registerResources } from './resources/register-resources.ts';
import type { ListedTool } from './tool-list.ts';
import { areWritesOff, instructionsWithoutWrites, toolsWithoutWrites, withoutWrites } from './writes-off.ts';

interface ServerParts {
  version: string;
  tools: readonly ListedTool[];
  /** Loads the tool's own code on its first call. */
  loadTool(name: string): Promise<Tool>;
  session: Session;
  /** Where the client's name is put down at each call, for whoever tells it on. */
  connected?: ConnectedClient;
}

/** May be called twice for one connection (a probe, then the real one): everything shared is in `parts`. */
export function createServer(parts: ServerParts): McpServer {
  const off = areWritesOff(parts.session);
  const server = new McpServer(
    { name: 'seller-commerce-mcp', title: 'Seller commerce', version: parts.version },
    { instructions: off ? instructionsWithoutWrites() : INSTRUCTIONS },
  );
  const tools = off ? toolsWithoutWrites(parts.tools) : parts.tools;
  for (const tool of tools) registerTool(server, tool, parts);
  for (const prompt of off ? withoutWrites(PROMPTS) : PROMPTS) prompt.register(server, parts.session);
  registerResources(server, parts.session);
  return server;
}

function registerTool(
  server: McpServer,
  { name, inputSchema, outputSchema, ...words }: ListedTool,
  parts: ServerParts,
) {
  const shapes = { inputSchema: advertise(inputSchema), outputSchema: advertise(outputSchema) };
  // Asked for once: even a module that is loaded is looked up again by each import().
  const load = lazy(() =>
    Promise.all([import('./handle-call.ts'), import('./connected-client.ts'), parts.loadTool(name)]),
  );
  server.registerTool(name, { ...words, ...shapes }, async (args, ctx) => {
    const [{ handleCall }, { readClient }, tool] = await load();
    if (parts.connected !== undefined)
      parts.connected.named = readClient(ctx, server.server.getClientVersion());
    return handleCall(tool, args, ctx, parts.session, server.server.getClientCapabilities());
  });
}

/** A schema that only advertises: the tool checks its arguments itself, in words that help an assistant. */
function advertise(json: Record<string, unknown>): StandardSchemaWithJSON {
  return {
    '~standard': {
      version: 1,
      vendor: 'seller-commerce-mcp',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
