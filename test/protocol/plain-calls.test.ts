/** A plain call is answered past the SDK with the very line that the SDK would write, and nothing else goes past it. */

import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  McpServer,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import * as z from 'zod';
import type { CallContext } from '../../src/protocol/call-context.ts';
import { createLineAssembler } from '../../src/protocol/line-assembler.ts';
import { PacedTransport } from '../../src/protocol/paced-transport.ts';
import { createPlainCalls, type RunTool, readPlainCall } from '../../src/protocol/plain-calls.ts';

type Run = (args: unknown, ctx: CallContext) => Promise<CallToolResult | InputRequiredResult>;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A connection of the era before 2026-07-28 with one tool; `passed` are the calls that went past the SDK. */
async function connect(run: Run, isPlain: boolean) {
  const passed: unknown[] = [];
  const stdin = new PassThrough();
  const out = new PassThrough();
  const transport = new PacedTransport(stdin.pipe(createLineAssembler({ onDropped() {} })), out, () => {});
  const { close } = serveStdio(
    () => {
      const server = new McpServer({ name: 'test', version: '1' });
      server.registerTool('run', { inputSchema: z.looseObject({}) }, run);
      const past: RunTool = async (args, ctx) => {
        passed.push(args);
        return { result: await run(args, ctx) };
      };
      if (isPlain) transport.takePlain(createPlainCalls(({ name }) => (name === 'run' ? past : undefined)));
      return server;
    },
    { transport },
  );
  closing.push(close);
  let written = '';
  out.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  /** The lines that come until one holds this. */
  const until = async (holds: string) => {
    while (!written.includes(holds) || !written.endsWith('\n')) await once(out, 'data');
    const lines = written;
    written = '';
    return lines;
  };
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo };
  send({ id: 'first', method: 'initialize', params });
  await until('"first"');
  return { send, until, passed };
}

const call = (id: number, args: object = {}, more: object = {}) => ({
  id,
  method: 'tools/call',
  params: { name: 'run', arguments: args, ...more },
});

const text = fc.string({ unit: 'grapheme' });
const link = fc.record(
  {
    type: fc.constant('resource_link' as const),
    uri: text,
    name: text,
    description: text,
    mimeType: text,
  },
  { requiredKeys: ['type', 'uri', 'name'], noNullPrototype: true },
);
const results = fc.record(
  {
    isError: fc.boolean(),
    content: fc
      .tuple(text, fc.array(link, { maxLength: 2 }))
      .map(([said, links]) => [{ type: 'text' as const, text: said }, ...links]),
    structuredContent: fc.dictionary(text, fc.jsonValue(), { noNullPrototype: true }),
    _meta: fc.record({ 'seller-commerce-mcp/error': fc.record({ kind: text }) }),
  },
  { requiredKeys: ['content'], noNullPrototype: true },
);

it('the line is to the byte the one that the SDK writes', async () => {
  let given: CallToolResult = { content: [] };
  const thrown = new Error('It threw.');
  const run: Run = async (args) => {
    if (JSON.stringify(args).includes('throw')) throw thrown;
    return given;
  };
  const [sdk, past] = [await connect(run, false), await connect(run, true)];
  let id = 0;
  const same = async (args: object) => {
    id += 1;
    for (const { send } of [sdk, past]) send(call(id, args));
    const end = `"id":${id}}\n`;
    expect(await past.until(end)).toBe(await sdk.until(end));
  };
  await fc.assert(
    fc.asyncProperty(results, async (result) => {
      given = result;
      await same({});
    }),
  );
  await same({ throw: true });
  expect(sdk.passed).toHaveLength(0);
  expect(past.passed).toHaveLength(id);
});

it('progress goes before the answer, and what is cancelled gets none', async () => {
  const stopped: boolean[] = [];
  const run: Run = async (_args, { mcpReq: { signal, notify, _meta } }) => {
    const params = { progressToken: _meta?.progressToken ?? '', progress: 1 };
    await notify({ method: 'notifications/progress', params });
    while (_meta?.progressToken === 'stop' && !signal.aborted) await turn();
    stopped.push(signal.aborted);
    return { content: [] };
  };
  const { send, until, passed } = await connect(run, true);
  send(call(1, {}, { _meta: { progressToken: 'stop' } }));
  await until('"stop"');
  send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  send(call(2, {}, { _meta: { progressToken: 7 } }));
  expect(await until('"id":2}')).toMatch(/^\{[^\n]*"progressToken":7[^\n]*\n\{"result"[^\n]*"id":2\}\n$/);
  expect(stopped.sort()).toEqual([false, true]);
  expect(passed).toHaveLength(2);
});

it('where the person has to be asked, the SDK carries the question', async () => {
  const asked = inputRequired({
    inputRequests: {
      go: inputRequired.elicit({ message: 'Go?', requestedSchema: { type: 'object', properties: {} } }),
    },
  });
  const run: Run = async (_args, { mcpReq }) =>
    mcpReq.inputResponses === undefined ? asked : { content: [{ type: 'text', text: 'Gone.' }] };
  const { send, until } = await connect(run, true);
  send(call(1));
  const { id } = z.object({ id: z.number() }).parse(JSON.parse(await until('elicitation/create')));
  send({ id, result: { action: 'accept', content: {} } });
  expect(await until('"id":1}')).toContain('Gone.');
});

it('whatever is unusual is left to the SDK', () => {
  const plain = { jsonrpc: '2.0', ...call(1) };
  expect(readPlainCall(plain)).toMatchObject({ id: 1, name: 'run', args: {} });
  const { params } = plain;
  for (const other of [
    [plain],
    { ...plain, jsonrpc: '1.0' },
    { ...plain, id: 1.5 },
    { ...plain, id: null },
    { ...plain, method: 'tools/list' },
    { ...plain, more: 1 },
    { ...plain, params: [] },
    { ...plain, params: { ...params, name: 1 } },
    { ...plain, params: { ...params, arguments: [] } },
    { ...plain, params: { ...params, arguments: null } },
    { ...plain, params: { ...params, arguments: JSON.parse('{"__proto__": 1}') } },
    { ...plain, params: { ...params, inputResponses: {} } },
    { ...plain, params: { ...params, task: {} } },
    { ...plain, params: { ...params, _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } },
    { ...plain, params: { ...params, _meta: { progressToken: null } } },
  ])
    expect(readPlainCall(other), JSON.stringify(other)).toBeUndefined();
});
