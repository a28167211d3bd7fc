/** Bare tools/call requests of the 2026-07-28 era, where a client sends its capabilities with each request. */

import type { RawServer } from './raw-server.ts';

export interface ModernCall {
  name: string;
  arguments?: Readonly<Record<string, unknown>>;
  /** Answers to what the server asked, by key, with the state that came with the question. */
  inputResponses?: Readonly<Record<string, unknown>>;
  requestState?: string;
}

export async function callModern(
  server: RawServer,
  call: ModernCall,
  capabilities: Readonly<Record<string, unknown>> = { elicitation: { form: {}, url: {} } },
): Promise<Record<string, unknown>> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw-modern', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return server.request('tools/call', { ...call, _meta });
}
