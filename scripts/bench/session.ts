/** Talks JSON-RPC with a spawned program, with as little as possible between the clock and the pipe. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { Program } from './programs.ts';

export interface SessionOptions {
  env?: Readonly<Record<string, string>>;
  args?: readonly string[];
}

const answerSchema = z.object({
  id: z.number(),
  result: z.looseObject({ isError: z.boolean().optional() }).optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});
type Answer = z.infer<typeof answerSchema>;

const GRACE_MS = 3000;
/** A call that goes on with what is under way, at most so often. */
const MAX_CALLS = 100;
const ENDED = { message: 'the program ended' };

/** Each session has a home of its own, so that no journal or cache of another run is found there. */
const folder = mkdtempSync(join(tmpdir(), 'bench-home-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const HOME = {
  HOME: process.env.HOME ?? '',
  XDG_STATE_HOME: join(folder, 'state'),
  XDG_DATA_HOME: join(folder, 'data'),
};

export class Session {
  /** `performance.now()` just before the program was spawned. */
  readonly startedAt = performance.now();
  /** Answers to requests that are no longer awaited (they were cancelled). */
  late = 0;
  stderr = '';
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #rest = '';
  #id = 0;
  #over = false;

  constructor(program: Program, { env = {}, args = [] }: SessionOptions = {}) {
    this.#child = spawn(process.execPath, [program.file, ...(program.args ?? []), ...args], {
      env: { PATH: process.env.PATH ?? '', ...HOME, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-10_000);
    });
    this.#child.stdin?.on('error', () => undefined);
    this.#child.once('exit', () => this.#ended());
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** True when the program has ended. */
  get isOver(): boolean {
    return this.#over;
  }

  /** ID of the last request sent. */
  get lastId(): number {
    return this.#id;
  }

  request(method: string, params: object = {}): Promise<Answer> {
    this.#id += 1;
    const id = this.#id;
    if (this.#over) return Promise.resolve({ id, error: ENDED });
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: object = {}): void {
    this.#send({ method, params });
  }

  /** Stops waiting for an answer; the server owes none after a cancellation. */
  forget(id: number): void {
    this.#waiting.delete(id);
  }

  /** @throws Error with the program's output when it does not answer. */
  async initialize(): Promise<void> {
    const { error } = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1.0.0' },
    });
    if (error !== undefined) throw new Error(`${error.message}: ${this.stderr}`);
    this.notify('notifications/initialized');
  }

  /** True when the tool answered without an error. */
  async call(name: string, args: object): Promise<boolean> {
    const { result } = await this.request('tools/call', { name, arguments: args });
    return result !== undefined && result.isError !== true;
  }

  /**
   * Returns the structured members of a call, which is repeated until its work has ended.
   * @throws Error with the answer where it is none of the schema's, or does not end
   */
  async ask<T>(
    name: string,
    args: object,
    schema: z.ZodType<T>,
    goesOn: (parsed: T) => boolean = () => false,
  ): Promise<T> {
    for (let calls = 0; calls < MAX_CALLS; calls += 1) {
      const { result, error } = await this.request('tools/call', { name, arguments: args });
      const parsed = schema.safeParse(result?.structuredContent);
      if (!parsed.success) throw new Error(`${name}: ${JSON.stringify(error ?? result).slice(0, 2000)}`);
      if (!goesOn(parsed.data)) return parsed.data;
    }
    throw new Error(`${name} was still under way after ${MAX_CALLS} calls`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Closes stdin as a host does, and waits for the program to end. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), GRACE_MS);
    await exited;
    clearTimeout(timer);
  }

  #send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#take(line);
  }

  #take(line: string): void {
    const answer = answerSchema.safeParse(JSON.parse(line));
    if (!answer.success) return;
    const resolve = this.#waiting.get(answer.data.id);
    if (resolve === undefined) this.late += 1;
    this.#waiting.delete(answer.data.id);
    resolve?.(answer.data);
  }

  #ended(): void {
    this.#over = true;
    for (const [id, resolve] of this.#waiting) resolve({ id, error: ENDED });
    this.#waiting.clear();
  }
}
