/** The stdio transport with backpressure, which also answers requests that the SDK cannot read: a client never waits in vain. */

import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { refuseMessage } from './refuse-message.ts';

/** Requests worked on at once, and bytes of their messages; further ones wait, and then so does the client. */
export const MAX_IN_FLIGHT = 1_000;
const MAX_IN_FLIGHT_BYTES = 64 * 1024 * 1024;
/**
 * Messages that wait to be worked on, and their bytes: behind them may be the answer to a question that those in work
 * wait for, so it has to be read.
 */
const MAX_WAITING = 1_000;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

interface Waiting {
  message: JSONRPCMessage;
  bytes: number;
}

/**
 * While stdout is full, nothing is read from stdin and no request is begun: a client that asks and never reads would
 * have all answers kept for it. Answers to our own questions and cancellations overtake what waits.
 */
export class PacedTransport implements Transport {
  onmessage: Transport['onmessage'];
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  readonly #lines: Readable;
  readonly #out: Writable;
  readonly #inner: StdioServerTransport;
  readonly #ended: () => void;
  /** Bytes of each request that is worked on. */
  readonly #inFlight = new Map<RequestId, number>();
  #inFlightBytes = 0;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  /** While it is handed round. */
  #line: Buffer | undefined;

  /** @param lines one whole line in each chunk (line-assembler.ts). @param ended called when the client has closed its end. */
  constructor(lines: Readable, out: Writable, ended: () => void) {
    this.#lines = lines;
    this.#out = out;
    this.#inner = new StdioServerTransport(lines, out);
    this.#ended = ended;
  }

  async start(): Promise<void> {
    // Each answer that waits for a slow reader listens.
    this.#out.setMaxListeners(0);
    this.#out.on('drain', () => this.#goOn());
    this.#lines.on('data', (line: Buffer) => {
      this.#line = line;
    });
    // Nothing more will come: what is left is little, and the end behind it has to be seen.
    this.#lines.once('finish', () => this.#lines.resume());
    this.#inner.onmessage = (message) => this.#receive(message);
    this.#inner.onerror = (error) => this.#fail(error);
    this.#inner.onclose = () => {
      this.onclose?.();
      this.#ended();
    };
    await this.#inner.start();
    this.#lines.on('data', () => {
      this.#line = undefined;
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const sent = this.#inner.send(message);
    if (!('method' in message) && message.id !== undefined) this.#settle(message.id);
    this.#goOn();
    await sent;
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #receive(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      this.onmessage?.(message);
    } else if (message.method === 'notifications/cancelled') {
      this.#cancel(message);
    } else {
      const bytes = this.#line?.length ?? 0;
      this.#waiting.push({ message, bytes });
      this.#waitingBytes += bytes;
    }
    this.#goOn();
  }

  /** What the SDK's own listener cannot read it reports while the line is handed round. */
  #fail(error: Error): void {
    const refusals = this.#line === undefined ? [] : refuseMessage(this.#line.toString('utf8'));
    for (const refusal of refusals) this.#out.write(`${JSON.stringify(refusal)}\n`);
    this.onerror?.(error);
    this.#goOn();
  }

  /** A cancelled request gets no answer; one that still waits is never begun. */
  #cancel(message: JSONRPCMessage): void {
    const id = 'params' in message ? message.params?.requestId : undefined;
    const isMeant = ({ message: waiting }: Waiting) => 'id' in waiting && waiting.id === id;
    const dropped = this.#waiting.find(isMeant);
    if (dropped === undefined) {
      if (typeof id === 'string' || typeof id === 'number') this.#settle(id);
      this.onmessage?.(message);
      return;
    }
    this.#waiting = this.#waiting.filter((each) => each !== dropped);
    this.#waitingBytes -= dropped.bytes;
  }

  #settle(id: RequestId): void {
    this.#inFlightBytes -= this.#inFlight.get(id) ?? 0;
    this.#inFlight.delete(id);
  }

  /** Begins what can be begun, and reads on unless enough waits. */
  #goOn(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { message, bytes } = next;
      this.#waiting.shift();
      this.#waitingBytes -= bytes;
      if ('id' in message && isAnswered(message)) this.#begin(message.id, bytes);
      this.onmessage?.(message);
    }
    const enough = this.#waiting.length >= MAX_WAITING || this.#waitingBytes >= MAX_WAITING_BYTES;
    if (enough || this.#out.writableNeedDrain) this.#lines.pause();
    else if (this.#lines.isPaused()) this.#lines.resume();
  }

  #begin(id: RequestId | undefined, bytes: number): void {
    if (id === undefined) return;
    this.#settle(id);
    this.#inFlight.set(id, bytes);
    this.#inFlightBytes += bytes;
  }

  #next(): Waiting | undefined {
    const [next] = this.#waiting;
    const busy =
      this.#inFlight.size >= MAX_IN_FLIGHT ||
      (this.#inFlight.size > 0 && this.#inFlightBytes + (next?.bytes ?? 0) > MAX_IN_FLIGHT_BYTES);
    return busy || this.#out.writableNeedDrain ? undefined : next;
  }
}

/** A subscription stays open: its first answer is a notification. */
function isAnswered(message: JSONRPCMessage): boolean {
  return !('method' in message) || message.method !== 'subscriptions/listen';
}
