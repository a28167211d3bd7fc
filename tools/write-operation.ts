/** write_operation: any operation that changes something, by its exact name, previewed and confirmed. */

import * as z from 'zod';
import type { Warning } from '../src/changes/change.ts';
import { findStore } from '../src/changes/find-store.ts';
import { planWrite } from '../src/changes/plan-write.ts';
import type { CallInput, CallOptions, Client } from '../src/client/client.ts';
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
  selectArgument,
} from '../src/mcp/arguments.ts';
import { defineTool } from '../src/mcp/define-tool.ts';
import { hideSecretAnswer } from '../src/mcp/secret-answers.ts';
import { fitServiceAnswer, serviceAnswerFields } from '../src/mcp/service-answer.ts';
import { buildWriteAnswer, writeOutput } from '../src/mcp/write-answer.ts';
import { buildPreview } from '../src/mcp/write-preview.ts';
import { askValidation } from '../src/mcp/write-validation.ts';
import { reportWarnings } from '../src/service/describe/report-warnings.ts';
import { effectOfCall } from '../src/service/facts/effects.ts';
import type { Registry } from '../src/service/registry/registry.ts';
import { tokensOf } from '../src/text/shorten.ts';

export const writeOperation = defineTool({
  name: 'write_operation',
  title: 'Call an operation that writes',
  description:
    'Calls any operation of the service that creates, changes, submits, cancels or deletes. Shows the exact request first (dryRun: only that); depending on the settings the person is asked, or a confirmation code is needed. Every write is kept in a local journal. Use describe_operation first; update_supply_source is better for supply sources.',
  effect: 'write',
  input: z.strictObject({
    operation: operationArgument,
    parameters: parametersArgument,
    body: bodyArgument,
    select: selectArgument,
    dryRun: dryRunArgument,
    confirmationCode: confirmationCodeArgument,
    account: accountArgument,
  }),
  output: z.looseObject({ ...writeOutput.shape, value: z.unknown().optional(), ...serviceAnswerFields }),
  async run(
    {
      operation: name,
      parameters: wanted = {},
      body,
      select,
      dryRun = false,
      confirmationCode,
      account: named,
    },
    ctx,
  ) {
    const { session, person, call } = ctx;
    const account = session.accountOf(named);
    const registry = await session.program.registry();
    const { operation, note } = registry.resolve(name);
    if (operation.effect === 'read') {
      throw new InputError(`${operation.id} only reads; nothing was sent.`, 'Call it with read_operation.');
    }
    const client = await session.client();
    const given = { operation, account, parameters: wanted, ...(body === undefined ? {} : { body }) };
    const { request, planned } = await plan(given, { client, registry }, call);
    // What was made of the arguments is what is shown, confirmed, recorded and sent.
    const { parameters } = request;
    const input = { ...given, parameters, ...(body === undefined ? {} : { body: request.body }) };
    const reports = await reportWarnings(operation, body);
    const doubtful = [...doubtfulMarketplaces(request.marketplaces), ...reports];
    const change = { ...planned.change, warnings: [...doubtful, ...planned.change.warnings] };
    const preview = await buildPreview({ operation, account, parameters, request, change }, session);
    const { basis, look, readBack } = planned;
    const asked = {
      input,
      prepared: request,
      basis,
      dryRun,
      confirmationCode,
      preview: preview.question,
      person,
      call,
      readBack: readBack && (() => readBack(call)),
    };
    const result = await (await session.writes()).run(asked);
    const validation = dryRun ? await askValidation(client, input, call) : undefined;
    const parts = {
      ...{ account, operation, request, preview: preview.text, change, look, validation },
      ...{ result, remark: note, effect: effectOfCall(operation, parameters) },
    };
    const answer = await buildWriteAnswer(parts, session);
    if (!('response' in result)) return answer;
    const whole = await hideSecretAnswer({ operation, body, result: result.response, session });
    if (whole === undefined) return answer;
    const fitted = await fitServiceAnswer({
      session,
      name: operation.name,
      account,
      // What is doubtful stands among the warnings of the write.
      result: { ...result.response, marketplaces: [] },
      whole,
      select,
      remark: note,
      taken: tokensOf(answer.text) + tokensOf(JSON.stringify(answer.structured)),
    });
    return {
      ...answer,
      text: joinTexts(answer.text, fitted.text, note),
      structured: { ...answer.structured, ...fitted.facts, value: fitted.value },
      links: fitted.links,
    };
  },
});

/** The request and what it changes; a store that is given by its alias is found by it. */
async function plan(given: CallInput, parts: { client: Client; registry: Registry }, call: CallOptions) {
  const prepare = async (input: CallInput) => {
    const request = await parts.client.prepare(input);
    const { operation, account } = input;
    const parameters = { ...request.parameters, ...request.filledIn };
    const planned = await planWrite({ operation, account, parameters, body: request.body }, parts, call);
    return { request, planned };
  };
  const first = await prepare(given);
  const { supplySourceId } = given.parameters;
  if (first.planned.isAbsent !== true || typeof supplySourceId !== 'string') return first;
  const id = await findStore(supplySourceId, { ...parts, account: given.account }, call);
  if (id === undefined || id === supplySourceId) return first;
  return prepare({ ...given, parameters: { ...given.parameters, supplySourceId: id } });
}

function doubtfulMarketplaces(marketplaces: readonly SentMarketplace[]): Warning[] {
  return marketplaces.flatMap(({ segments, warning }) =>
    warning === undefined ? [] : [{ path: formatPath(segments), segments, message: warning }],
  );
}

/** Each begins with the sentence on data; that of the values, which says more, stands for both, and so does its remark. */
function joinTexts(answer: string, values: string, remark: string): string {
  const [note = '', ...rest] = values.split('\n');
  const own = answer.split('\n').slice(1);
  if (remark !== '' && own.at(-1) === `(${remark})`) own.pop();
  return [note, ...own, ...rest].join('\n');
}
