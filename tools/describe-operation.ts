/** describe_operation: everything needed to call one operation, in at most 2,000 tokens. */

import * as z from 'zod';
import { lazy } from '../src/base/lazy.ts';
import { takeLines, tokensOf } from '../src/base/text/shorten.ts';
import { refusedOperations } from '../src/call/access.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
import { boundedText, operationArgument } from '../src/render/arguments/arguments.ts';
import { withoutRefusedSuccessor } from '../src/service/facts/endings.ts';
import type { Operation } from '../src/service/facts/operation.ts';

export const describeOperation = defineTool({
  name: 'describe_operation',
  title: 'Describe an operation',
  description:
    'Shows how to call one operation: its parameters, its whole body, rate limits, and an example call for this server. Use it before the first call of an operation. Also names the tables and columns that collect_data makes of its answers.',
  effect: 'read',
  openWorld: false,
  input: z.strictObject({
    operation: operationArgument,
    member: boundedText(300)
      .optional()
      .describe(
        'Only this parameter, body member or table, in full; with operation createReport, a report type with its columns',
      ),
  }),
  output: z.looseObject({
    id: z.string(),
    method: z.string(),
    path: z.string(),
    effect: z.string(),
    tool: z.string().describe('Tool that calls it'),
    source: z.string(),
    description: z.string().describe('The same as the text'),
  }),
  async run({ operation, member }, { session }) {
    const [
      registry,
      [{ describeOperation: describe, reportLinesOf }, { describeExpected, describeReportRequest }],
    ] = await Promise.all([session.program.registry(), loadParts()]);
    const { operation: resolved, note } = registry.resolve(operation);
    const refusals = await refusedOperations(await session.client());
    const found = withoutRefused(resolved, refusals);
    const refused = refusals.get(found.id);
    const [reportLines, tables] = await Promise.all([
      reportLinesOf(found),
      describeExpected(found, registry),
    ]);
    const memberText =
      member === undefined
        ? undefined
        : (tables?.table(member) ?? (await describeReportRequest(found, member)));
    const about = { member, memberText, reportLines, refused, tableLines: tables?.lines };
    const { text: own, tokens: _, example, ...facts } = describe(found, about);
    const text = note === '' ? own : `${note}\n${own}`;
    const whole = { ...facts, example, description: text, ...(refused !== undefined && { refused }) };
    const { answerTokens } = session.settings();
    if (tokensOf(JSON.stringify(whole)) <= answerTokens) return { text, structured: whole };
    // A text grows by its escapes in JSON, and the facts need room beside it.
    const shown = takeLines(text.split('\n'), answerTokens * 0.6 - FACTS_TOKENS, cutRemark).join('\n');
    return { text: shown, structured: { ...facts, description: shown } };
  },
});

const loadParts = lazy(() =>
  Promise.all([
    import('../src/service/describe/describe-operation.ts'),
    import('../src/render/describe-expected.ts'),
  ]),
);

/** Leaves out operations that were refused in this session, because they are no alternative. */
function withoutRefused(operation: Operation, refused: ReadonlyMap<string, string>): Operation {
  const { ending } = operation;
  return ending === undefined
    ? operation
    : { ...operation, ending: withoutRefusedSuccessor(ending, refused) };
}

const FACTS_TOKENS = 100;
const cutRemark = (missing: number) => `(${missing} more lines; "member" shows a part alone)`;
