/** Calls of tools that only read, in the form that nearly all have: answered past the SDK, whose checks of messages take more than the call. */

import {
  type CallToolResult,
  isInputRequiredResult,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/server';
import { isJsonObject, jsonText } from '../base/json.ts';
import type { CallContext } from './call-context.ts';
import type { Handled } from './handle-call.ts';
import { isId } from './refuse-message.ts';

/** A request of which there is nothing that the SDK would have to look at. */
export interface PlainCall {
  id: RequestId;
  name: string;
  args: Readonly<Record<string, unknown>>;
  progressToken: RequestId | undefined;
  /** The whole of it. */
  message: JSONRPCRequest;
}

/** Who takes them, of one connection; loaded with the first tool, since no start needs it. */
export interface PlainCalls {
  /** Undefined for all that is not exactly a plain call. @param message as a JSON parser made it */
  read(message: unknown): PlainCall | undefined;
  /** What answers this one now; undefined where the SDK has to. */
  find(call: PlainCall): RunTool | undefined;
  /** The line that answers it; undefined where the person has to be asked, which the SDK carries: it begins anew there. */
  answer(
    call: PlainCall,
    run: RunTool,
    signal: AbortSignal,
    send: (message: object) => void,
  ): Promise<string | undefined>;
}

export function createPlainCalls(find: PlainCalls['find']): PlainCalls {
  return {
    read: readPlainCall,
    find,
    async answer(call, run, signal, send) {
      try {
        const { result, json } = await run(call.args, contextOf(call, signal, send));
        return isInputRequiredResult(result) ? undefined : answerLine(call.id, result, json);
      } catch (error) {
        return answerLine(call.id, failedResult(error));
      }
    },
  };
}

export type RunTool = (args: Readonly<Record<string, unknown>>, ctx: CallContext) => Promise<Handled>;

const MEMBERS: readonly string[] = ['jsonrpc', 'id', 'method', 'params'];
const PARAMS: readonly string[] = ['name', 'arguments', '_meta'];
const META: readonly string[] = ['progressToken'];

export function readPlainCall(message: unknown): PlainCall | undefined {
  if (!isJsonObject(message) || !hasOnly(message, MEMBERS)) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isId(id)) return undefined;
  if (!isJsonObject(params) || !hasOnly(params, PARAMS)) return undefined;
  const { name, arguments: args = {}, _meta: meta = {} } = params;
  // The SDK drops a member of that name.
  if (typeof name !== 'string' || !isJsonObject(args) || Object.hasOwn(args, '__proto__')) return undefined;
  if (!isJsonObject(meta) || !hasOnly(meta, META)) return undefined;
  const { progressToken } = meta;
  if (progressToken !== undefined && !isId(progressToken)) return undefined;
  return { id, name, args, progressToken, message: { jsonrpc, id, method, params } };
}

function hasOnly(value: object, names: readonly string[]): boolean {
  for (const name of Object.keys(value)) if (!names.includes(name)) return false;
  return true;
}

/** What a tool gets to know of its call. @param send writes a message to the client */
export function contextOf(
  { progressToken }: PlainCall,
  signal: AbortSignal,
  send: (message: object) => void,
): CallContext {
  return {
    mcpReq: {
      signal,
      _meta: progressToken === undefined ? undefined : { progressToken },
      notify: async (notification) => send({ ...notification, jsonrpc: '2.0' }),
      requestState: () => undefined,
    },
  };
}

type Content = CallToolResult['content'][number];

/**
 * The line that answers a call: to the byte as the SDK writes it, whose schemas give members their order.
 * @param json the structured content, where it has been written already
 */
export function answerLine(id: RequestId, given: CallToolResult, json?: string): string {
  const { _meta, content, structuredContent, isError } = given;
  const head = JSON.stringify({ _meta, content: content.map(inOrder) }).slice(0, -1);
  const structured =
    structuredContent === undefined ? '' : `,"structuredContent":${json ?? jsonText(structuredContent)}`;
  const failed = isError === undefined ? '' : `,"isError":${isError}`;
  return `{"result":${head}${structured}${failed}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}\n`;
}

function inOrder(block: Content): Content {
  if (block.type !== 'resource_link') return block;
  const { name, uri, description, mimeType, type } = block;
  return { name, uri, description, mimeType, type };
}

/** What the SDK makes of anything that a tool throws. */
function failedResult(error: unknown): CallToolResult {
  const text = error instanceof Error ? error.message : String(error);
  return { content: [{ type: 'text', text }], isError: true };
}
