/** The thread that reads documents which are to be sent: a large one takes seconds, in which other calls are answered. */

import { parentPort } from 'node:worker_threads';
import { serve } from '../../../../data/tables/worker-thread.ts';
import type { ContentOptions } from './content.ts';

export type ContentRequest =
  /** What the question tells of it. */
  | { do: 'read'; bytes: Uint8Array; options: ContentOptions }
  /** What the page shows of it. */
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
