/** What the worker thread of the tables answers: collections are built, queries answered. */

import { createBuilder } from './build-collection.ts';
import { createExporter } from './export-rows.ts';
import type { ExportRequest, LoadRequest, QueryRequest } from './messages.ts';
import { createQueryOpener, runQuery } from './open-query.ts';

/** Queries need nothing but themselves; a collection is one builder from its beginning to its end. */
export function createWorker(): (request: LoadRequest | QueryRequest | ExportRequest) => unknown {
  const open = createQueryOpener();
  const answerExport = createExporter(open);
  let build: ReturnType<typeof createBuilder> | undefined;
  return (request) => {
    switch (request.do) {
      case 'query':
        return runQuery(open, request);
      case 'export':
      case 'more':
      case 'stop':
        return answerExport(request);
      case 'begin':
        build = createBuilder(request);
        return undefined;
      default:
        if (build === undefined) throw new Error('No collection was begun');
        return build(request);
    }
  };
}
