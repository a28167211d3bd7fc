/** The resources: the operations, the report types, the decisions where the interface is silent, the last full answers, items, files. */

import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import type { Session } from '../../write/session.ts';
import { completeFile, completeOperation, completeReportType, withoutPrototype } from '../completions.ts';

/** Each reader's code is loaded when something is read. */
const readers = () => import('./read-resources.ts');
const fileReaders = () => import('./read-files.ts');

export function registerResources(server: McpServer, session: Session): void {
  server.registerResource(
    'operations',
    'seller://operations',
    { title: 'Known operations', description: 'All operations by group', mimeType: 'text/plain' },
    async () => (await readers()).readOperations(session),
  );
  server.registerResource(
    'decisions',
    'seller://decisions',
    {
      title: 'Where the interface is silent',
      description: 'What this program does where the interface document does not say',
      mimeType: 'text/markdown',
    },
    async () => (await readers()).readDecisions(),
  );
  server.registerResource(
    'operation',
    new ResourceTemplate('seller://operations/{+id}', {
      list: undefined,
      complete: withoutPrototype({ id: (typed: string) => completeOperation(typed, session) }),
    }),
    { title: 'Description of an operation', mimeType: 'text/plain' },
    async (uri, { id }) => (await readers()).readOperation(uri, String(id), session),
  );
  server.registerResource(
    'report-types',
    'seller://report-types',
    {
      title: 'Report types',
      description: 'What each report holds, how it is had, its limits, and whether it is restricted',
      mimeType: 'text/plain',
    },
    async () => (await readers()).readReportTypes(),
  );
  server.registerResource(
    'report-type',
    new ResourceTemplate('seller://report-types/{type}', {
      list: undefined,
      complete: withoutPrototype({ type: (typed: string) => completeReportType(typed, session) }),
    }),
    { title: 'One report type, with its options', mimeType: 'text/plain' },
    async (uri, { type }) => (await readers()).readReportType(uri, String(type), session),
  );
  server.registerResource(
    'item',
    new ResourceTemplate('seller://items/{sku}', { list: undefined }),
    { title: 'A listing with its issues explained, by SKU', mimeType: 'text/plain' },
    async (uri, { sku }, { mcpReq }) => (await readers()).readItem(uri, String(sku), session, mcpReq.signal),
  );
  server.registerResource(
    'answer',
    new ResourceTemplate('seller://answers/{id}', {
      list: async () => (await readers()).listAnswers(session),
    }),
    { title: 'Full answer of a recent call', mimeType: 'application/json' },
    async (uri) => (await readers()).readAnswer(uri, session),
  );
  server.registerResource(
    'file',
    new ResourceTemplate('seller://files/{name}', {
      list: async () => (await fileReaders()).listFiles(session),
      complete: withoutPrototype({ name: (typed: string) => completeFile(typed, session) }),
    }),
    { title: 'A file that was saved, or that the person has put beside them', mimeType: 'text/plain' },
    async (uri, { name }) => (await fileReaders()).readFile(uri, String(name), session),
  );
}
