/** Builds the MCP server: advertises tools, prompts and resources from generated lists, and runs them on demand. */

import {
  McpServer,
  type ScopeChallengeHandler,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { lazy } from '../base/lazy.ts';
import { knownSettings } from '../render/reading-session.ts';
import type { Session } from '../write/session.ts';
import type { CallContext } from './call-context.ts';
import type { ConnectedClient } from './connected-client.ts';
import type { Tool } from './define-tool.ts';
import type { Elsewhere } from './elsewhere.ts';
import { INSTRUCTIONS, instructionsOfDemo } from './instructions.ts';
import type { ListedTool } from './listed-tool.ts';
import { PROMPTS } from './prompts.ts';
import { registerResources } from './resources/register-resources.ts';
import { areWritesOff, instructionsWithoutWrites, toolsWithoutWrites } from './writes-off.ts';

interface ServerParts {
  version: string;
  tools: readonly ListedTool[];
  /** Loads the tool's own code on its first call. */
  loadTool(name: string): Promise<Tool>;
  session: Session;
  /** Stores the client's name at each call, so that requests can name it. */
  connected?: ConnectedClient;
  /** How the same is said to a person at another machine. */
  elsewhere?: Elsewhere;
  /** A server for one call of this tool: nothing else is registered, which takes longer than most calls. */
  only?: string | undefined;
  /** Returns the scopes that a call of the tool needs, if callers have tokens. */
  challengeOf?(tool: ListedTool): ScopeChallengeHandler | undefined;
}

/** May be called twice for one connection (a probe, then the real one): everything shared is in `parts`. */
export function createServer(parts: ServerParts): McpServer {
  const off = areWritesOff(parts.session);
  const elsewhereText = parts.session.principal.isElsewhere ? parts.elsewhere : undefined;
  const server = new McpServer(
    { name: 'seller-commerce-mcp', title: 'Seller commerce', version: parts.version },
    { instructions: (elsewhereText?.instructions ?? same)(instructionsFor(parts.session)) },
  );
  const listed = off ? toolsWithoutWrites(parts.tools) : parts.tools;
  const tools = (elsewhereText?.tools ?? same)(listed);
  const only = tools.filter(({ name }) => name === parts.only);
  for (const tool of only.length > 0 ? only : tools) registerTool(server, tool, parts);
  // One that is not there is told by a server that has the others.
  if (only.length > 0) return server;
  for (const prompt of PROMPTS.filter(({ onlyWrites }) => !(off && onlyWrites)))
    prompt.register(server, parts.session);
  registerResources(server, parts.session);
  return server;
}

function instructionsFor(session: Session): string {
  const text = areWritesOff(session) ? instructionsWithoutWrites() : INSTRUCTIONS;
  return knownSettings(session)?.sandbox === true ? instructionsOfDemo(text) : text;
}

const same = <T>(it: T): T => it;

function registerTool(server: McpServer, tool: ListedTool, parts: ServerParts): void {
  const { name, inputSchema, outputSchema, ...words } = tool;
  const scopeChallenge = parts.challengeOf?.(tool);
  const shapes = { inputSchema: advertise(inputSchema), outputSchema: advertise(outputSchema) };
  const load = lazy(() => Promise.all([loadHandling(), parts.loadTool(name)]));
  const run = async (args: unknown, ctx: CallContext) => {
    const [[{ handleCall }, { readClient }], loaded] = await load();
    if (parts.connected !== undefined)
      parts.connected.named = readClient(ctx, server.server.getClientVersion());
    return handleCall(loaded, args, ctx, parts.session, server.server.getClientCapabilities());
  };
  const config = { ...words, ...shapes, scopeChallenge };
  server.registerTool(name, config, async (args, ctx) => {
    const { askWhileOpen } = await loadAsking();
    return askWhileOpen((round) => run(args, round), ctx);
  });
}

/** Asked for once: even a module that is loaded is looked up again by each import(). */
const loadAsking = lazy(() => import('./open-questions.ts'));
const loadHandling = lazy(() => Promise.all([import('./handle-call.ts'), import('./connected-client.ts')]));

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
