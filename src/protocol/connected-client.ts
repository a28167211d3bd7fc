/** The MCP client at the other end, as it names itself: nothing of it is trusted. */

import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { CallContext } from './call-context.ts';

/** Written at each call, for whoever tells it on. */
export interface ConnectedClient {
  /** Undefined before the first call, and for a client that gives no name. */
  named: ClientInfo | undefined;
}

const namedSchema = z.looseObject({ name: z.string(), version: z.string().optional().catch(undefined) });
export type ClientInfo = Readonly<z.infer<typeof namedSchema>>;

const envelopeSchema = z.looseObject({ [CLIENT_INFO_META_KEY]: namedSchema });

/** Reads the client, which is sent with each request in the 2026-07-28 era, and at `initialize` before it. */
export function readClient(ctx: CallContext, connected: unknown): ClientInfo | undefined {
  const { envelope } = ctx.mcpReq;
  if (envelope !== undefined) {
    const { data } = envelopeSchema.safeParse(envelope);
    if (data !== undefined) return data[CLIENT_INFO_META_KEY];
  }
  if (connected !== last?.connected) last = { connected, named: namedSchema.safeParse(connected).data };
  return last?.named;
}

/** The last result, because a client sends the same with every call. */
let last: { connected: unknown; named: ClientInfo | undefined } | undefined;
