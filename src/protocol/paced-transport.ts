/** The stdio transport with backpressure, which also answers requests that the SDK cannot read: a client never waits in vain. */

import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { parseJson } from '../base/json.ts';
import { isId, refuseMessage } from './refuse-message.ts';

/** Requests worked on at once, and bytes of their messages; further ones wait, and then so does the client. */
export const MAX_IN_FLIGHT = 1_000;
const MAX_IN_FLIGHT_BYTES = 64 * 1024 * 1024;
/**
 * Messages that wait to be worked on, and their bytes: behind them may be the answer to a question that those in work
 * wait for, so it has to be read.
 */
const MAX_WAITING = 1_000;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** The bytes that a pipe takes at once; each piece wakes the reader. */
const PIECE = 64 * 1024;

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
  readonly #ended: () => void;
  /** Bytes of each request that is worked on. */
  readonly #inFlight = new Map<RequestId, number>();
  #inFlightBytes = 0;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  /** Lines of this turn. */
  #unwritten = '';
  #isStarted = false;
  #isClosed = false;

  /** @param lines one whole line in each chunk (line-assembler.ts). @param ended called when the client has closed its end. */
  constructor(lines: Readable, out: Writable, ended: () => void) {
    this.#lines = lines;
    this.#out = out;
    this.#ended = ended;
  }

  async start(): Promise<void> {
    if (this.#isStarted) throw new Error('The transport was started before.');
    this.#isStarted = true;
    // Each answer that waits for a slow reader listens.
    this.#out.setMaxListeners(0);
    this.#out.on('drain', () => this.#goOn());
    this.#out.on('error', (error) => {
      if (this.#isClosed) return;
      this.onerror?.(error);
      void this.close();
    });
    const end = () => void this.close();
    if (this.#lines.readableEnded || this.#lines.destroyed) setImmediate(end);
    this.#lines.on('error', (error) => this.onerror?.(error));
    this.#lines.on('end', end).on('close', end);
    // The input has ended: the rest is small, and the end behind it has to be seen.
    this.#lines.once('finish', () => this.#lines.resume());
    this.#lines.on('data', (line: Buffer) => this.#read(line));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('The transport is closed.');
    this.#write(`${JSON.stringify(message)}\n`);
    if (!('method' in message) && message.id !== undefined) this.#settle(message.id);
    this.#goOn();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#flush();
    this.#isClosed = true;
    this.#lines.pause();
    this.onclose?.();
    this.#ended();
  }

  #read(line: Buffer): void {
    if (this.#isClosed) return;
    const text = line.toString('utf8');
    const value = parseJson(text);
    // A line that is not JSON is skipped.
    if (value === undefined) return;
    try {
      this.#receive(parseJSONRPCMessage(value), line.length);
    } catch (error) {
      for (const refusal of refuseMessage(text)) this.#write(`${JSON.stringify(refusal)}\n`);
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      this.#goOn();
    }
  }

  #receive(message: JSONRPCMessage, bytes: number): void {
    if (!('method' in message)) {
      this.onmessage?.(message);
    } else if (message.method === 'notifications/cancelled') {
      this.#cancel(message);
    } else {
      this.#waiting.push({ message, bytes });
      this.#waitingBytes += bytes;
    }
    this.#goOn();
  }

  /** A cancelled request gets no answer; one that still waits is never begun. */
  #cancel(message: JSONRPCMessage): void {
    const id = 'params' in message ? message.params?.requestId : undefined;
    const isMeant = ({ message: waiting }: Waiting) => 'id' in waiting && waiting.id === id;
    const dropped = this.#waiting.find(isMeant);
    if (dropped === undefined) {
      if (isId(id)) this.#settle(id);
      this.onmessage?.(message);
      return;
    }
    this.#waiting = this.#waiting.filter((each) => each !== dropped);
    this.#waitingBytes -= dropped.bytes;
  }

  /** Lines that come in one turn leave in one piece, as far as a pipe takes it: the system takes its time by the piece. */
  #write(line: string): void {
    if (this.#isClosed) return;
    if (this.#unwritten === '') setImmediate(() => this.#flush());
    this.#unwritten += line;
    if (this.#unwritten.length >= PIECE) this.#flush();
  }

  #flush(): void {
    if (this.#unwritten === '') return;
    const lines = this.#unwritten;
    this.#unwritten = '';
    this.#out.write(lines);
  }

  #isFull(): boolean {
    const { writableLength, writableHighWaterMark, writableNeedDrain } = this.#out;
    return writableNeedDrain || writableLength >= writableHighWaterMark;
  }

  #settle(id: RequestId): void {
    this.#inFlightBytes -= this.#inFlight.get(id) ?? 0;
    this.#inFlight.delete(id);
  }

  /** Begins what can be begun, and reads on unless enough waits. */
  #goOn(): void {
    if (this.#waiting.length === 0 && !this.#lines.isPaused()) return;
    // The next request starts only if there is room for its answer.
    const { writableLength, writableHighWaterMark } = this.#out;
    if (writableLength + this.#unwritten.length >= writableHighWaterMark) this.#flush();
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { message, bytes } = next;
      this.#waiting.shift();
      this.#waitingBytes -= bytes;
      if ('id' in message && isAnswered(message)) this.#begin(message.id, bytes);
      this.onmessage?.(message);
    }
    const enough = this.#waiting.length >= MAX_WAITING || this.#waitingBytes >= MAX_WAITING_BYTES;
    if (enough || this.#isFull()) this.#lines.pause();
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
    return busy || this.#isFull() ? undefined : next;
  }
}

/** A subscription stays open: its first answer is a notification. */
function isAnswered(message: JSONRPCMessage): boolean {
  return !('method' in message) || message.method !== 'subscriptions/listen';
}
