/** Reads outgoing documents: a small one in this thread, a large one in a thread of its own. */

import type { ApprovalRow } from '../../../../../views/data.ts';
import { systemClock } from '../../../../base/clock.ts';
import { InputError } from '../../../../base/errors.ts';
import { createSemaphore } from '../../../../base/semaphore.ts';
import type { CallOptions } from '../../../../call/client-types.ts';
import { openScope, waitFor } from '../../../../call/scope.ts';
import type { WorkerPool, WorkerThread } from '../../../../data/tables/worker-thread.ts';
import type { ContentOptions, DocumentContent } from './content.ts';
import type { ContentRequest } from './content-worker.ts';
import type { RefusedContent } from './read-content.ts';

type Bounds = Required<Pick<CallOptions, 'signal' | 'deadline'>>;

export interface ContentThreads {
  /** @throws InputError for a document that takes too much memory; what ends the call */
  read(bytes: Uint8Array, options: ContentOptions, call: Bounds): Promise<DocumentContent | RefusedContent>;
  /** Returns all items that a page has room for, for the user. @throws as `read` */
  pageRows(bytes: Uint8Array, options: ContentOptions, where: string, call: Bounds): Promise<ApprovalRow[]>;
  /** Ends the threads, at work or not. */
  close(): Promise<void>;
}

/** A document of up to this many bytes is read within some milliseconds, so it needs no thread. */
const SMALL_BYTES = 100_000;
const MAX_THREADS = 2;
/** A thread ends after this time, because no call waits for it any longer. */
const MAX_MS = 10 * 60_000;

export function createContentThreads(workers: () => WorkerPool): ContentThreads {
  const turns = createSemaphore(MAX_THREADS);
  const working = new Set<WorkerThread>();
  const closing = new AbortController();
  let pool: WorkerPool | undefined;
  const inThread = async <T>(request: ContentRequest, { signal, deadline }: Bounds): Promise<T> => {
    const scope = openScope(systemClock, 0, [signal, closing.signal], deadline - systemClock.now());
    try {
      const done = turns.take(scope.ending.signal, async () => {
        pool ??= workers();
        const thread = await pool.take('content');
        working.add(thread);
        const tooLong = setTimeout(() => void thread.end(), MAX_MS).unref();
        try {
          return await thread.ask<T>(request);
        } catch (error) {
          if (thread.isEnded() && !closing.signal.aborted) throw tooLarge();
          throw error;
        } finally {
          clearTimeout(tooLong);
          working.delete(thread);
          // Ending the thread gives back the memory of the large document.
          void thread.end();
        }
      });
      return await waitFor(done, scope.ending);
    } finally {
      scope.end();
    }
  };
  return {
    async read(bytes, options, call) {
      if (bytes.length > SMALL_BYTES) return inThread({ do: 'read', bytes, options }, call);
      const { readContent } = await import('./read-content.ts');
      return readContent(bytes, options);
    },
    async pageRows(bytes, options, where, call) {
      if (bytes.length > SMALL_BYTES) return inThread({ do: 'rows', bytes, options, where }, call);
      const { readPageRows } = await import('./page-rows.ts');
      return readPageRows(bytes, options, where);
    },
    async close() {
      closing.abort();
      await Promise.all([pool?.close(), ...[...working].map((thread) => thread.end())]);
    },
  };
}

function tooLarge(): InputError {
  return new InputError(
    'The document takes more memory to read than one document is given; nothing was sent.',
    'Split it into several documents.',
  );
}
