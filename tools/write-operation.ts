/** write_operation: any operation that changes something, by its exact name, previewed and confirmed. */

import * as z from 'zod';
import type { SentMarketplace } from '../src/client/request/resolve-marketplaces.ts';
import { InputError } from '../src/errors.ts';
import { formatPath } from '../src/json-difference.ts';
import {
  accountArgument,
  bodyArgument,
  confirmationCodeArgument,
  dryRunArgument,
  operationArgument,
  parametersArgument,
  saveAsArgument,
  selectArgument,
} from '../src/mcp/arguments.ts';
import { defineTool } from '../src/mcp/define-tool.ts';
import { resolveArguments } from '../src/mcp/resolve-arguments.ts';
import { checkSaveAs } from '../src/mcp/save-documents.ts';
import { serviceAnswerFields } from '../src/mcp/service-answer.ts';
import type { ToolContext } from '../src/mcp/session.ts';
import { showFindings, showRequest } from '../src/mcp/shown-write.ts';
import { buildWriteAnswer, writeOutput } from '../src/mcp/write-answer.ts';
import { buildPreview } from '../src/mcp/write-preview.ts';
import { addWriteValue } from '../src/mcp/write-value.ts';
import { reportWarnings } from '../src/service/describe/report-warnings.ts';
import { effectOfCall } from '../src/service/facts/effects.ts';
import type { WriteResult } from '../src/writes/send-write.ts';
import type { Warning } from '../src/writes/supply-source/warnings.ts';

const input = z.strictObject({
  operation: operationArgument,
  parameters: parametersArgument,
  body: bodyArgument,
  select: selectArgument,
  save_as: saveAsArgument,
  dryRun: dryRunArgument,
  confirmationCode: confirmationCodeArgument,
  account: accountArgument,
});
type Arguments = z.output<typeof input>;

export const writeOperation = defineTool({
  name: 'write_operation',
  title: 'Call an operation that writes',
  description:
    'Calls any operation of the service that creates, changes, submits, cancels or deletes. Shows the exact request first (dryRun: only that); depending on the settings the person is asked, or a confirmation code is needed. Every write is kept in a local journal. Use describe_operation first; update_supply_source is better for supply sources.',
  effect: 'write',
  takesMarks: true,
  input,
  output: z.looseObject({ ...writeOutput.shape, value: z.unknown().optional(), ...serviceAnswerFields }),
  async run(given, ctx) {
    const asked = await readArguments(given, ctx);
    const write = await prepareWrite(asked, ctx);
    const { operation, account, saveAs, note: remark } = asked;
    const { shown, told, parameters } = write;
    const preview = await previewWrite(asked, write, ctx);
    const result = await sendWrite(asked, write, preview.question, ctx);
    const parts = {
      ...{ account, operation, request: shown, preview: preview.text },
      ...{ ...told, result, saveAs, remark, effect: effectOfCall(operation, parameters) },
    };
    const answer = await buildWriteAnswer(parts, ctx.session);
    if (result.outcome !== 'done' && result.outcome !== 'requested') return answer;
    return addWriteValue(answer, { ...asked, remark, response: result.response }, ctx);
  },
});

/** @throws InputError for what is no write, a name that no file can have, and a mark that stands for nothing known */
async function readArguments(given: Arguments, { session }: ToolContext) {
  const { select, save_as: saveAs, dryRun = false, confirmationCode } = given;
  const account = session.accountOf(given.account);
  const { operation, note } = (await session.program.registry()).resolve(given.operation);
  if (operation.effect === 'read') {
    throw new InputError(`${operation.id} only reads; nothing was sent.`, 'Call it with read_operation.');
  }
  await checkSaveAs(saveAs);
  /** As they came: with their marks. */
  const marked = { parameters: given.parameters, body: given.body };
  const resolved = await resolveArguments(marked, account, session);
  return { operation, note, account, select, saveAs, dryRun, confirmationCode, marked, ...resolved };
}
type Asked = Awaited<ReturnType<typeof readArguments>>;

/** What is sent, and as what of it the assistant sees. */
async function prepareWrite(asked: Asked, { session }: ToolContext) {
  const { operation, account, marked, replaced } = asked;
  const body = asked.body === undefined ? {} : { body: asked.body };
  const given = { operation, account, parameters: asked.parameters, ...body };
  const request = await (await session.client()).prepare(given);
  // What was made of the arguments is what is shown, confirmed, recorded and sent.
  const { parameters } = request;
  const input = { ...given, parameters, ...(asked.body === undefined ? {} : { body: request.body }) };
  const reports = await reportWarnings(operation, asked.body);
  const warnings = [...doubtfulMarketplaces(request.marketplaces), ...reports];
  const shown = showRequest(request, operation, { given: marked, replaced });
  return { request, parameters, input, warnings, shown, told: showFindings({ warnings }, replaced) };
}
type Write = Awaited<ReturnType<typeof prepareWrite>>;

function previewWrite({ operation, account, saveAs, replaced }: Asked, write: Write, ctx: ToolContext) {
  const { request, parameters, warnings, shown, told } = write;
  return buildPreview(
    { operation, account, parameters: shown.parameters, request: shown, saveAs, ...told },
    ctx.session,
    { parts: { operation, account, parameters, request, warnings, saveAs }, replaced },
  );
}

async function sendWrite(
  { dryRun, confirmationCode, replaced }: Asked,
  { input, request, shown }: Write,
  preview: string,
  { session, person, call }: ToolContext,
): Promise<WriteResult> {
  const marked = replaced.length === 0 ? {} : { marked: { parameters: shown.parameters, body: shown.body } };
  const writes = await session.writes();
  return writes.run({
    ...{ input, prepared: request, dryRun, confirmationCode, preview, person, call },
    ...marked,
  });
}

function doubtfulMarketplaces(marketplaces: readonly SentMarketplace[]): Warning[] {
  return marketplaces.flatMap(({ segments, warning }) =>
    warning === undefined ? [] : [{ path: formatPath(segments), segments, message: warning }],
  );
}
