/** write_operation: any operation that changes something, by its exact name, previewed and confirmed. */

import * as z from 'zod';
import type { Warning } from '../src/changes/change.ts';
import { findStore } from '../src/changes/find-store.ts';
import { planWrite } from '../src/changes/plan-write.ts';
import type { ReadingParts } from '../src/changes/read-state.ts';
import type { CallInput, CallOptions, CallResult } from '../src/client/client.ts';
import type { SentMarketplace } from '../src/client/request/resolve-marketplaces.ts';
import { InputError } from '../src/errors.ts';
import { formatPath } from '../src/json-difference.ts';
import { showDocuments } from '../src/mcp/answer-documents.ts';
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
import { maskAnswer } from '../src/mcp/masked-answer.ts';
import { resolveArguments } from '../src/mcp/resolve-arguments.ts';
import { checkSaveAs } from '../src/mcp/save-documents.ts';
import { hideSecretAnswer } from '../src/mcp/secret-answers.ts';
import { fitServiceAnswer, serviceAnswerFields } from '../src/mcp/service-answer.ts';
import { showRequest } from '../src/mcp/shown-write.ts';
import { buildWriteAnswer, writeOutput } from '../src/mcp/write-answer.ts';
import { buildPreview } from '../src/mcp/write-preview.ts';
import { askValidation } from '../src/mcp/write-validation.ts';
import { createWriteView } from '../src/mcp/write-view.ts';
import { reportWarnings } from '../src/service/describe/report-warnings.ts';
import { effectOfCall } from '../src/service/facts/effects.ts';
import { tokensOf } from '../src/text/shorten.ts';

export const writeOperation = defineTool({
  name: 'write_operation',
  title: 'Call an operation that writes',
  description:
    'Calls any operation of the service that creates, changes, submits, cancels or deletes. Shows the exact request first (dryRun: only that); depending on the settings the person is asked, or a confirmation code is needed. Every write is kept in a local journal. Use describe_operation first; update_supply_source is better for supply sources.',
  effect: 'write',
  takesMarks: true,
  input: z.strictObject({
    operation: operationArgument,
    parameters: parametersArgument,
    body: bodyArgument,
    select: selectArgument,
    save_as: saveAsArgument,
    dryRun: dryRunArgument,
    confirmationCode: confirmationCodeArgument,
    account: accountArgument,
  }),
  output: z.looseObject({ ...writeOutput.shape, value: z.unknown().optional(), ...serviceAnswerFields }),
  async run(
    {
      operation: name,
      parameters: wanted,
      body: wantedBody,
      select,
      save_as: saveAs,
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
    await checkSaveAs(saveAs);
    const asked = { parameters: wanted, body: wantedBody };
    const [personal, client] = await Promise.all([session.personal(), session.client()]);
    const { replaced, ...resolved } = await resolveArguments(asked, account, session);
    const view = createWriteView({ personal, account, replaced });
    const { body } = resolved;
    const given = {
      operation,
      account,
      parameters: resolved.parameters,
      ...(body === undefined ? {} : { body }),
    };
    const { request, planned } = await plan(given, { client, registry, seen: view.seen }, call);
    // What was made of the arguments is what is shown, confirmed, recorded and sent.
    const { parameters } = request;
    const input = { ...given, parameters, ...(body === undefined ? {} : { body: request.body }) };
    const reports = await reportWarnings(operation, body);
    const doubtful = [...doubtfulMarketplaces(request.marketplaces), ...reports];
    const change = { ...planned.change, warnings: [...doubtful, ...planned.change.warnings] };
    const shown = showRequest(request, operation, { given: asked, replaced });
    const told = { request: shown, change: view.change(change), saveAs };
    const preview = await buildPreview(
      { operation, account, parameters: shown.parameters, ...told },
      session,
      { parts: { operation, account, parameters, request, change, saveAs }, replaced },
    );
    const { basis, look } = planned;
    const readBack = view.readBack(planned.readBack);
    const write = {
      input,
      prepared: request,
      basis,
      dryRun,
      confirmationCode,
      preview: preview.question,
      ...(replaced.length === 0 ? {} : { marked: { parameters: shown.parameters, body: shown.body } }),
      person,
      call,
      refused: (response: CallResult) => view.seen(operation.id, response),
      readBack: readBack && (() => readBack(call)),
    };
    const result = await (await session.writes()).run(write);
    const validation = dryRun ? await askValidation(client, input, call) : undefined;
    if (validation !== undefined && 'response' in validation)
      await view.seen(operation.id, validation.response);
    const parts = {
      ...{ account, operation, preview: preview.text, look, ...told },
      ...{ result: view.result(result), validation: view.validation(validation) },
      ...{ remark: note, effect: effectOfCall(operation, parameters) },
    };
    const answer = await buildWriteAnswer(parts, session);
    if (!('response' in result)) return answer;
    const { response } = result;
    const plain = await hideSecretAnswer({ operation, body, result: response, session });
    if (plain === undefined && saveAs === undefined) return answer;
    const documents = await showDocuments(
      { operation, account, result: response, whole: plain, saveAs },
      ctx,
    );
    const whole = await maskAnswer({
      ...{ operation, account, result: response, session, replaced },
      ...{ shown: documents.whole, words: documents.words },
    });
    const fitted = await fitServiceAnswer({
      session,
      name: operation.name,
      account,
      // What is doubtful stands among the warnings of the write.
      result: { ...response, marketplaces: [] },
      whole: view.value(whole) ?? null,
      saved: documents,
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
async function plan(given: CallInput, parts: ReadingParts, call: CallOptions) {
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
