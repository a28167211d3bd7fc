/** What a tool call has of the SDK: as much of a request as anything here looks at. */

import type { ServerContext } from '@modelcontextprotocol/server';

type Request = ServerContext['mcpReq'];

export interface CallContext {
  mcpReq: Pick<Request, 'signal' | '_meta' | 'notify'> & { requestState(): unknown } & Partial<
      Pick<Request, 'envelope' | 'inputResponses' | 'droppedInputResponseKeys'>
    >;
}
