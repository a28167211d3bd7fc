/** Both sides of a worker thread, requests and answers, and a pool of such threads. */

import { getPriority, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { type MessagePort, Worker, workerData } from 'node:worker_threads';
import { AppError, codeOf, InputError } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import { DocumentError, type DocumentErrorKind } from '../documents/document-error.ts';
import { diskIsFull } from './disk-failure.ts';

/** The max JavaScript heap of a worker; SQLite's own memory comes on top. */
const MAX_HEAP_MB = 512;
/**
 * The part of the heap for new objects. Node 24 takes three times as much by default, and a load of tiny rows
 * held 360 MB.
 */
const YOUNG_HEAP_MB = 32;

export interface WorkerThread {
  /**
   * @throws SqlError, DocumentError, ConfigError for a full disk; WorkerEndedError when the thread is gone
   */
  ask<Answer>(request: unknown): Promise<Answer>;
  /** Ends the thread: pending requests fail, and it resolves when the thread is gone. */
  end(): Promise<void>;
  isEnded(): boolean;
  /** Returns the memory of its own engine in bytes, unlike that of the process, which all users share. */
  engineBytes(): number;
}

/** SQLite's own error about a statement. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
}

/** The error for a failure of the engine itself, which neither SQLite nor our code reported. */
export class WorkerFaultError extends Error {
  override readonly name = 'WorkerFaultError';
}

/** The error for a thread that ended before it answered. */
class WorkerEndedError extends Error {
  override readonly name = 'WorkerEndedError';
}

/** `sql`: the database refused the statement; `disk`: it could not write. */
interface WorkerFailure {
  kind: 'document' | 'sql' | 'disk' | 'other';
  message: string;
  hint: string;
  fault?: DocumentErrorKind;
}

type Reply<Answer> = { id: number; value: Answer } | { id: number; failure: WorkerFailure };

/**
 * The budget after which Node optimizes a SQLite function (about the executed bytes of its code, 1.8 million
 * by default in V8). With a few hundred rows most of the work was optimization, in four threads, and a load
 * of 200,000 rows is no slower without it.
 */
const TIERING_BUDGET_FLAG = '--wasm-tiering-budget=200000000';

/** The start options of a thread. */
interface WorkerStart {
  /** True for a thread with lower priority than any other work. */
  yields?: boolean;
}

/**
 * Starts a thread that does not keep the process alive while idle.
 * @param file a built worker, which answers with `serve`
 */
export function startWorker(file: string, start: WorkerStart = {}): WorkerThread {
  setFlagsFromString(TIERING_BUDGET_FLAG);
  const held = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  const bytes = new Float64Array(held);
  const worker = new Worker(file, {
    workerData: { ...start, held },
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  });
  let asked = 0;
  let waiting = 0;
  let ended: Error | undefined;
  const stop = (error: Error) => {
    ended ??= error;
  };
  worker.setMaxListeners(0);
  worker.on('error', stop);
  worker.on('exit', () => stop(new WorkerEndedError('The worker thread has ended')));
  worker.unref();
  return {
    isEnded: () => ended !== undefined,
    engineBytes: () => bytes[0] ?? 0,
    async end() {
      stop(new WorkerEndedError('The worker thread was ended'));
      await worker.terminate();
    },
    ask<Answer>(request: unknown) {
      if (ended !== undefined) return Promise.reject(ended);
      const id = ++asked;
      waiting += 1;
      worker.ref();
      return new Promise<Answer>((resolve, reject) => {
        const onExit = () => done(() => reject(ended ?? new WorkerEndedError('The worker thread has ended')));
        const onMessage = (reply: Reply<Answer>) => {
          if (reply.id !== id) return;
          done(() => ('failure' in reply ? reject(toError(reply.failure)) : resolve(reply.value)));
        };
        const done = (settle: () => void) => {
          worker.off('exit', onExit);
          worker.off('message', onMessage);
          waiting -= 1;
          if (waiting === 0) worker.unref();
          settle();
        };
        worker.on('exit', onExit);
        worker.on('message', onMessage);
        try {
          worker.postMessage({ id, request });
        } catch (error) {
          done(() => reject(error));
        }
      });
    },
  };
}

/** An idle thread is ended after this time, which frees its memory. */
const IDLE_MS = 60_000;

export interface WorkerPool {
  /**
   * @param purpose prefers a thread with the same purpose, whose code is compiled; of several, the last one
   * used
   */
  take(purpose: string): WorkerThread | Promise<WorkerThread>;
  giveBack(worker: WorkerThread): void;
  /** Ends idle threads, and each that is given back later. */
  close(): Promise<void>;
}

/**
 * Provides threads for consecutive work, because a new one needs 0.2 s until it is as fast as a used one. A
 * caller has its thread exclusively; it gives back a reusable one and ends any other.
 * @param file a built worker, which answers with `serve`
 */
export function createWorkerPool(file: string, start?: WorkerStart) {
  const resting = new Map<WorkerThread, NodeJS.Timeout>();
  /** The last purpose of each thread. */
  const usedFor = new WeakMap<WorkerThread, string>();
  let isClosed = false;
  const rest = (worker: WorkerThread) => {
    if (worker.isEnded()) return;
    if (isClosed) return void worker.end();
    const end = () => {
      resting.delete(worker);
      void worker.end();
    };
    resting.set(worker, setTimeout(end, IDLE_MS).unref());
  };
  const wake = (worker: WorkerThread) => {
    clearTimeout(resting.get(worker));
    resting.delete(worker);
  };
  return {
    take(purpose: string): WorkerThread {
      const able = [...resting.keys()].reverse().filter((worker) => !worker.isEnded());
      const worker =
        able.find((each) => usedFor.get(each) === purpose) ?? able[0] ?? startWorker(file, start);
      wake(worker);
      usedFor.set(worker, purpose);
      return worker;
    },
    giveBack: rest,
    async close(): Promise<void> {
      isClosed = true;
      const ending = [...resting.keys()];
      for (const worker of ending) wake(worker);
      await Promise.all(ending.map((worker) => worker.end()));
    },
  };
}

function toError({ kind, message, hint, fault }: WorkerFailure): Error {
  if (kind === 'document') return new DocumentError(fault ?? 'damaged', message, hint);
  if (kind === 'sql') return new SqlError(message);
  if (kind === 'other') return hint === '' ? new WorkerFaultError(message) : new InputError(message, hint);
  return diskIsFull(
    'The disk that holds the collected tables is full, or cannot be written; nothing of this collection is kept.',
  );
}

// This part runs in the worker.

/** Declares the members used here, because Node's types omit them. */
declare const WebAssembly: {
  Memory: { prototype: { readonly buffer: ArrayBuffer; grow(pages: number): number } };
};

/**
 * Reports the engine's memory each time it grows, because a running statement answers no request.
 * @param held the buffer that the main thread passed
 */
export function reportEngineBytes({ held }: { held: SharedArrayBuffer }): void {
  const bytes = new Float64Array(held);
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function (pages: number) {
    const before = grow.call(this, pages);
    bytes[0] = this.buffer.byteLength;
    return before;
  };
}

/** Answers one request at a time, in the order of their arrival. */
export function serve<Request>(port: MessagePort, answer: (request: Request) => unknown): void {
  if (isJsonObject(workerData) && workerData.yields === true) yieldToOthers();
  let last = Promise.resolve();
  port.on('message', ({ id, request }: { id: number; request: Request }) => {
    last = last.then(async () => {
      const reply: Reply<unknown> = await Promise.resolve()
        .then(() => answer(request))
        .then(
          (value) => ({ id, value }),
          (error: unknown) => ({ id, failure: toFailure(error) }),
        );
      port.postMessage(reply);
    });
  });
}

const YIELDING = 10;

/** Lowers the priority of this thread on Linux only, because elsewhere it would affect the whole process. */
function yieldToOthers(): void {
  if (process.platform === 'linux') setPriority(Math.max(YIELDING, getPriority()));
}

/** Matches SQLite's errors when the file system refuses a write. */
const DISK = /disk I\/O error|database or disk is full|unable to open database file/;

const SYSTEM_DISK = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO']);

/** Converts an error for the main thread, where it becomes one of src/base/errors.ts. */
function toFailure(error: unknown): WorkerFailure {
  if (error instanceof DocumentError) {
    return { kind: 'document', message: error.message, hint: error.hint, fault: error.fault };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof AppError) return { kind: 'other', message, hint: error.hint };
  const code = codeOf(error);
  if (DISK.test(message) || SYSTEM_DISK.has(code)) return { kind: 'disk', message, hint: '' };
  const isSql = error instanceof Error && error.name === 'SQLite3Error';
  return { kind: isSql ? 'sql' : 'other', message, hint: '' };
}
