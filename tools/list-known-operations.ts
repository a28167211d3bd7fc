/** list_known_operations: what the service offers, grouped names without a filter, details with one. */

import * as z from 'zod';
import { defineTool } from '../src/mcp/define-tool.ts';

/** The rest of each entry (group, path, reason, deprecated, withdrawn ...) speaks for itself. */
const operationSchema = z.looseObject({ id: z.string(), method: z.string(), callable: z.boolean() });

export const listKnownOperations = defineTool({
  name: 'list_known_operations',
  title: 'List known operations',
  description:
    "Finds operations of the seller's service by group, words or method, and says which can be called, are deprecated or withdrawn. Without a filter: all names by group. With one: id, method, path and state, page by page. Then describe_operation shows how to call one.",
  effect: 'read',
  openWorld: false,
  input: z.strictObject({
    group: z.string().min(1).optional().describe('Group or part of its name: orders, listings'),
    search: z.string().min(1).optional().describe('Words in any order'),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
    callable: z.boolean().optional(),
    offset: z.int().min(0).optional(),
    limit: z.int().min(1).max(100).optional().describe('Default 20'),
  }),
  output: z.looseObject({
    kind: z.enum(['groups', 'operations']),
    groups: z.record(z.string(), z.string()).optional(),
    total: z.int().optional(),
    nextOffset: z.int().optional(),
    operations: z.array(operationSchema).optional(),
  }),
  async run(filter, { services }) {
    const [registry, { listOperations }] = await Promise.all([
      services.registry(),
      import('../src/service/list-operations.ts'),
    ]);
    const { text, data } = listOperations(registry, filter);
    return { text, structured: { ...data } };
  },
});
