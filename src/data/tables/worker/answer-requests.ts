/** Answers the requests to the worker thread of the tables: it builds collections and runs queries. */

import { createBuilder } from './build-collection.ts';
import { createExporter } from './export-rows.ts';
import type { ExportRequest, LoadRequest, QueryRequest } from './messages.ts';
import { createQueryOpener, runQuery } from './open-query.ts';

/**
 * Returns the handler of all requests. Queries are independent; a collection has one builder from beginning
 * to end.
 */
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
