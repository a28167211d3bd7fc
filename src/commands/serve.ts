/** The default command: serves MCP over stdio until the host closes its end. */

import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from '../mcp/create-server.ts';
import { TOOL_LIST } from '../mcp/generated/tool-list.ts';
import { createLineAssembler, findRequestId, MAX_LINE_BYTES } from '../mcp/line-assembler.ts';
import { refuseMessage } from '../mcp/refuse-message.ts';
import type { Outside } from '../runtime/outside.ts';
import { createProgram } from '../runtime/program.ts';
import { openSession } from '../runtime/session.ts';
import type { Command } from './line/command.ts';

/** Nothing needs this tick; it keeps the process alive in hosts whose stdin does not. */
const KEEP_ALIVE_MS = 60_000;

/** The session waits up to 2 s for what must not be lost: the outcome of a write, a refresh token that was replaced. */
const GRACE_MS = 3_000;

export const serve: Command = {
  name: 'serve',
  summary: 'Serve MCP over stdio (the default; hosts start it)',
  options: {},
  graceMs: GRACE_MS,
  async run(_args, io) {
    const program = createProgram(io);
    const session = openSession(program);
    const lines = createLineAssembler({ onTooLong: (...ends) => refuseLine(ends, io) });
    const closed = new AbortController();
    const transport = new EndingTransport(() => closed.abort(), io.stdin.pipe(lines), io.protocolOut);
    const parts = { version: io.version, tools: TOOL_LIST, loadTool, session };
    const connection = serveStdio(() => createServer(parts), {
      transport,
      onerror: (error) => session.log.debug('MCP transport', { err: error.message }),
    });
    const keepAlive = setInterval(() => {}, KEEP_ALIVE_MS);
    await firstAbort(closed.signal, io.signal);
    clearInterval(keepAlive);
    await Promise.allSettled([connection.close(), session.close()]);
    await program.close();
    return 0;
  },
};

/** The SDK's transport, which also answers requests that it cannot read, and tells when the host has closed its end. */
class EndingTransport extends StdioServerTransport {
  readonly #ended: () => void;
  readonly #lines: Readable;
  readonly #out: Writable;

  constructor(ended: () => void, lines: Readable, out: Writable) {
    super(lines, out);
    this.#ended = ended;
    this.#lines = lines;
    this.#out = out;
  }

  /** What the SDK's own listener cannot read it reports while the line is handed round, between these two. */
  override async start(): Promise<void> {
    let line: Buffer | undefined;
    this.#lines.on('data', (chunk: Buffer) => {
      line = chunk;
    });
    const tell = this.onerror;
    this.onerror = (error) => {
      const refusals = line === undefined ? [] : refuseMessage(line.toString('utf8'));
      for (const refusal of refusals) this.#out.write(`${JSON.stringify(refusal)}\n`);
      tell?.(error);
    };
    await super.start();
    this.#lines.on('data', () => {
      line = undefined;
    });
  }

  override async close(): Promise<void> {
    await super.close();
    this.#ended();
  }
}

async function loadTool(name: string) {
  const { getTool } = await import('../../tools/index.ts');
  return getTool(name);
}

async function firstAbort(...signals: AbortSignal[]): Promise<void> {
  const either = AbortSignal.any(signals);
  if (!either.aborted) await once(either, 'abort');
}

/** A message too long to read still gets an answer, so that its caller does not wait in vain. */
function refuseLine(ends: [head: string, tail: string], { protocolOut }: Outside): void {
  const message = `Message longer than ${MAX_LINE_BYTES} bytes; it was not read. Send less in one call.`;
  const answer = { jsonrpc: '2.0', id: findRequestId(...ends) ?? null, error: { code: -32600, message } };
  protocolOut.write(`${JSON.stringify(answer)}\n`);
}
