/**
 * Reads outgoing documents in a worker thread, because a large one takes seconds in which other calls need
 * answers.
 */

import { parentPort } from 'node:worker_threads';
import { serve } from '../../../../data/tables/worker-thread.ts';
import type { ContentOptions } from './content.ts';

export type ContentRequest =
  /** Reads what the approval request shows. */
  | { do: 'read'; bytes: Uint8Array; options: ContentOptions }
  /** Reads what the approval page shows. */
  | { do: 'rows'; bytes: Uint8Array; options: ContentOptions; where: string };

async function answer(request: ContentRequest): Promise<unknown> {
  const { bytes, options } = request;
  if (request.do === 'rows') {
    const { readPageRows } = await import('./page-rows.ts');
    return readPageRows(bytes, options, request.where);
  }
  const { readContent } = await import('./read-content.ts');
  return readContent(bytes, options);
}

if (parentPort !== null) serve(parentPort, answer);
