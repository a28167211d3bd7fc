/** All rows of a statement, from the worker that reads them to whoever saves them: a piece at a time. */

import type { ExportFormat } from './types.ts';
import type { ExportEnd, ExportPiece, ExportRequest, QueryRequest } from './worker/protocol.ts';
import type { WorkerThread } from './worker-thread.ts';

/** Rows of a sheet of Excel below the header. */
export const MOST_CSV_ROWS = 1_048_575;

export type SaveContent<Saved> = (
  content: AsyncIterable<Uint8Array>,
  about: { personal: boolean },
) => Promise<Saved>;

export interface ExportedRows<Saved> {
  saved: Saved;
  end: ExportEnd;
}

/** @throws what the worker says about the statement, whatever `save` makes of it; else what `save` throws */
export async function exportRows<Saved>(
  worker: Pick<WorkerThread, 'ask'>,
  { format, ...request }: Omit<QueryRequest, 'do'> & { format: ExportFormat },
  save: (content: AsyncIterable<Uint8Array>) => Promise<Saved>,
): Promise<ExportedRows<Saved>> {
  const mostRows = format === 'csv' ? MOST_CSV_ROWS : Number.MAX_SAFE_INTEGER;
  await ask(worker, { ...request, do: 'export', format, mostRows });
  let end: ExportEnd | undefined;
  let failure: { error: unknown } | undefined;
  async function* content() {
    try {
      while (end === undefined) {
        const piece = await worker.ask<ExportPiece | undefined>({ do: 'more' } satisfies ExportRequest);
        if (piece === undefined)
          throw new Error('The worker has no more rows, and did not say that it was done');
        end = piece.end;
        if (piece.bytes.length > 0) yield piece.bytes;
      }
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  try {
    const saved = await save(content());
    if (end === undefined) throw new Error('The rows were saved before all of them were read');
    return { saved, end };
  } catch (error) {
    // Whoever saves stops where it fails; the statement is still open then.
    await ask(worker, { do: 'stop' }).catch(() => undefined);
    throw failure === undefined ? error : failure.error;
  }
}

const ask = (worker: Pick<WorkerThread, 'ask'>, request: ExportRequest) => worker.ask<undefined>(request);
