/** The resources: the operations, the report types, the decisions where the interface is silent, the last full answers, items, files. */

import { type McpServer, type ReadResourceResult, ResourceTemplate } from '@modelcontextprotocol/server';
import type { Session } from '../../write/session.ts';
import { completerOf, withoutPrototype } from '../completions.ts';

/** Each reader's code is loaded when something is read. */
const readers = () => import('./read-resources.ts');
const fileReaders = () => import('./read-files.ts');

export function registerResources(server: McpServer, session: Session): void {
  type Readers = Awaited<ReturnType<typeof readers>>;
  const shown = async (
    uri: URL,
    read: (from: Readers) => Promise<string>,
    mimeType = 'text/plain',
  ): Promise<ReadResourceResult> => {
    const from = await readers();
    return {
      contents: [{ uri: uri.href, text: await from.withToolErrors(session, () => read(from)), mimeType }],
    };
  };
  server.registerResource(
    'operations',
    'seller://operations',
    { title: 'Known operations', description: 'All operations by group', mimeType: 'text/plain' },
    (uri) => shown(uri, ({ readOperations }) => readOperations(session)),
  );
  server.registerResource(
    'decisions',
    'seller://decisions',
    {
      title: 'Where the interface is silent',
      description: 'What this program does where the interface document does not say',
      mimeType: 'text/markdown',
    },
    (uri) => shown(uri, ({ readDecisions }) => readDecisions(), 'text/markdown'),
  );
  server.registerResource(
    'operation',
    new ResourceTemplate('seller://operations/{+id}', {
      list: undefined,
      complete: withoutPrototype({ id: completerOf('operation', session) }),
    }),
    { title: 'Description of an operation', mimeType: 'text/plain' },
    (uri, { id }) => shown(uri, ({ readOperation }) => readOperation(String(id), session)),
  );
  server.registerResource(
    'report-types',
    'seller://report-types',
    {
      title: 'Report types',
      description: 'What each report holds, how it is had, its limits, and whether it is restricted',
      mimeType: 'text/plain',
    },
    (uri) => shown(uri, ({ readReportTypes }) => readReportTypes()),
  );
  server.registerResource(
    'report-type',
    new ResourceTemplate('seller://report-types/{type}', {
      list: undefined,
      complete: withoutPrototype({ type: completerOf('reportType', session) }),
    }),
    { title: 'One report type, with its options', mimeType: 'text/plain' },
    (uri, { type }) => shown(uri, ({ readReportType }) => readReportType(String(type))),
  );
  server.registerResource(
    'item',
    new ResourceTemplate('seller://items/{sku}', { list: undefined }),
    { title: 'A listing with its issues explained, by SKU', mimeType: 'text/plain' },
    (uri, { sku }, { mcpReq }) => shown(uri, ({ readItem }) => readItem(String(sku), session, mcpReq.signal)),
  );
  server.registerResource(
    'answer',
    new ResourceTemplate('seller://answers/{id}', {
      list: async () => (await readers()).listAnswers(session),
    }),
    { title: 'Full answer of a recent call', mimeType: 'application/json' },
    (uri) => shown(uri, ({ readAnswer }) => readAnswer(uri, session), 'application/json'),
  );
  server.registerResource(
    'file',
    new ResourceTemplate('seller://files/{name}', {
      list: async () => (await fileReaders()).listFiles(session),
      complete: withoutPrototype({ name: completerOf('file', session) }),
    }),
    { title: 'A file that was saved, or that the person has put beside them', mimeType: 'text/plain' },
    (uri, { name }) => shown(uri, async () => (await fileReaders()).readFile(String(name), session)),
  );
}
