/** list_known_operations: what the service offers, grouped names without a filter, details with one. */

import * as z from 'zod';
import { lazy } from '../src/base/lazy.ts';
import { tokensOf } from '../src/base/text/shorten.ts';
import { refusedOperations } from '../src/call/access.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
import { boundedText } from '../src/render/arguments/arguments.ts';
import type { GroupedOperations, OperationsAnswer } from '../src/service/describe/list-operations.ts';
import { METHODS } from '../src/service/facts/operation.ts';

/** The rest of each entry (group, path, reason, deprecated, ending ...) speaks for itself. */
const operationSchema = z.looseObject({ id: z.string(), method: z.string(), callable: z.boolean() });

export const listKnownOperations = defineTool({
  name: 'list_known_operations',
  title: 'Find what can be done',
  description:
    'Finds operations for orders, listings, inventory, sales, returns, refunds, fees, settlements, shipping and more. Says which can be called, are deprecated or ending. Without arguments: the names of all, by group. With search, group or method: details, page by page. Then describe_operation shows how to call one.',
  effect: 'read',
  alwaysLoad: true,
  longAnswers: true,
  openWorld: false,
  input: z.strictObject({
    group: boundedText(100).optional().describe('Group or part of its name, such as orders'),
    search: boundedText(200)
      .optional()
      .describe("Name of an operation, or a seller's words, such as late orders"),
    method: z.enum(METHODS).optional(),
    callable: z.boolean().optional().describe('true: only those that can be called'),
    offset: z.int().min(0).optional().describe('nextOffset of the page before'),
    limit: z.int().min(1).max(100).optional().describe('Operations in one answer; default with search: 5'),
  }),
  output: z.looseObject({
    kind: z.enum(['groups', 'operations']),
    groups: z.record(z.string(), z.string()).optional(),
    total: z.int().optional(),
    nextOffset: z.int().optional(),
    operations: z.array(operationSchema).optional(),
  }),
  async run(filter, { session }) {
    const [registry, { listOperations }] = await Promise.all([session.program.registry(), loadListing()]);
    const list = (limit = filter.limit) =>
      listOperations(registry, { ...filter, limit }, async () => refusedOperations(await session.client()));
    const answerTokens = roomFor(filter.limit, session.settings().answerTokens);
    const whole = await list();
    if (sizeOf(whole) <= answerTokens) return toAnswer(whole);
    if (whole.data.kind === 'groups') return toAnswer(countGroups(whole.data));
    for (let limit = whole.data.operations.length - 1; limit > 1; limit = Math.floor(limit * 0.7)) {
      const page = await list(limit);
      if (sizeOf(page) <= answerTokens) return toAnswer(page);
    }
    return toAnswer(await list(1));
  },
});

const loadListing = lazy(() => import('../src/service/describe/list-operations.ts'));

/** A page that nobody asked to be longer stays short, as everything does that an assistant reads on its way. */
function roomFor(limit: number | undefined, answerTokens: number): number {
  return limit === undefined ? Math.min(answerTokens, SHORT_PAGE_TOKENS) : answerTokens;
}

const SHORT_PAGE_TOKENS = 2_000;

/** Tokens of the longer form. */
function sizeOf({ text, data }: OperationsAnswer): number {
  return Math.max(tokensOf(text), tokensOf(JSON.stringify(data)));
}

const toAnswer = ({ text, data }: OperationsAnswer) => ({ text, structured: { ...data } });

/** Counts the operations of each group, for a budget in which not even the names fit. */
function countGroups(data: GroupedOperations): OperationsAnswer {
  const groups = Object.fromEntries(
    Object.entries(data.groups).map(([group, names]) => [group, String(names.split(' ').length)]),
  );
  const counts = Object.entries(groups).map(([group, count]) => `${group} ${count}`);
  const text = `Operations by group (a filter by group, search or method shows them): ${counts.join(', ')}`;
  return { text, data: { ...data, groups } };
}
