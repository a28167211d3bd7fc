/** The part of the SDK's request that a tool call uses. */

import type { ServerContext } from '@modelcontextprotocol/server';

type Request = ServerContext['mcpReq'];

export interface CallContext {
  mcpReq: Pick<Request, 'signal' | '_meta' | 'notify'> & { requestState(): unknown } & Partial<
      Pick<Request, 'envelope' | 'inputResponses' | 'droppedInputResponseKeys'>
    >;
}
