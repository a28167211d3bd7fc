/** Speaks bare JSON lines with the spawned program, for what no SDK client would ever send. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { LAUNCH } from './launch.ts';

export interface RawServer {
  child: ChildProcessWithoutNullStreams;
  /** Every line of stdout so far but the questions to the person. */
  lines: string[];
  stderr(): string;
  /** Writes text as it is. */
  write(text: string): Promise<void>;
  /** Sends a request and resolves with the answer that has its id. */
  request(method: string, params?: unknown): Promise<Record<string, unknown>>;
  notify(method: string, params?: unknown): Promise<void>;
  /** @param canAsk questions to the person are answered with yes */
  initialize(canAsk?: boolean): Promise<Record<string, unknown>>;
  /** Resolves with the exit code (null after a signal). */
  exited: Promise<number | null>;
  stop(): Promise<void>;
}

/** @param elicited answers every question to the person */
export function startRawServer(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  elicited: object = { result: { action: 'accept', content: {} } },
): RawServer {
  const child = spawn(LAUNCH.node, [LAUNCH.program, ...args], {
    env: { ...LAUNCH.env, ...env },
  });
  const lines: string[] = [];
  const waiting = new Map<unknown, (answer: Record<string, unknown>) => void>();
  let errors = '';
  let id = 0;
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8');
  });
  child.stdin.on('error', () => {});
  // Every request that waits for a slow pipe listens.
  child.stdin.setMaxListeners(0);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message: unknown = JSON.parse(line);
    const isMessage = typeof message === 'object' && message !== null;
    if (isMessage && 'method' in message && message.method === 'elicitation/create' && 'id' in message) {
      void send({ id: message.id, ...elicited });
      return;
    }
    lines.push(line);
    if (!isMessage || !('id' in message)) return;
    waiting.get(message.id)?.({ ...message });
    waiting.delete(message.id);
  });
  const exited = once(child, 'exit').then(([code]: unknown[]) => (typeof code === 'number' ? code : null));
  const write = async (text: string) => {
    if (!child.stdin.write(text)) await once(child.stdin, 'drain');
  };
  const send = (message: object) => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request: RawServer['request'] = async (method, params = {}) => {
    id += 1;
    const answered = new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
    await send({ id, method, params });
    return answered;
  };
  return {
    child,
    lines,
    stderr: () => errors,
    write,
    request,
    notify: (method, params = {}) => send({ method, params }),
    async initialize(canAsk = false) {
      const answer = await request('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: canAsk ? { elicitation: {} } : {},
        clientInfo: { name: 'raw', version: '1' },
      });
      await send({ method: 'notifications/initialized' });
      return answer;
    },
    exited,
    async stop() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
      await exited;
      clearTimeout(timer);
    },
  };
}
