/** write_operation: any operation that changes something, by its exact name, previewed and confirmed. */

import * as z from 'zod';
import type { CallResult } from '../src/client/client.ts';
import { InputError } from '../src/errors.ts';
import {
  accountArgument,
  bodyArgument,
  confirmationCodeArgument,
  dryRunArgument,
  operationArgument,
  parametersArgument,
  saveAsArgument,
  selectArgument,
  stopArgument,
} from '../src/mcp/arguments.ts';
import { createFirstCheck } from '../src/mcp/check-first.ts';
import { defineTool } from '../src/mcp/define-tool.ts';
import { basisOf, keepWrite } from '../src/mcp/keep-write.ts';
import { callsArgument, refuseBeside, runCalls } from '../src/mcp/many-writes/call-writes.ts';
import { documentArgument } from '../src/mcp/outgoing/document-argument.ts';
import { refuseBesideDocument, writeDocument } from '../src/mcp/outgoing/write-document.ts';
import { prepareWrite } from '../src/mcp/prepare-write.ts';
import { checkSaveAs } from '../src/mcp/save-documents.ts';
import { serviceAnswerFields } from '../src/mcp/service-answer.ts';
import { unchangedAnswer } from '../src/mcp/unseen-writes.ts';
import { buildWriteAnswer, writeOutput } from '../src/mcp/write-answer.ts';
import { buildPreview } from '../src/mcp/write-preview.ts';
import { addWriteValue } from '../src/mcp/write-value.ts';
import { effectOfCall } from '../src/service/facts/effects.ts';

export const writeOperation = defineTool({
  name: 'write_operation',
  title: 'Call an operation that writes',
  description:
    'Calls any operation of the service that creates, changes, submits, cancels or deletes. Shows the exact request first (dryRun: only that); then the person is asked, or a confirmation code is needed. Every write is kept in a journal. Use describe_operation first; update_supply_source is better for supply sources.',
  effect: 'write',
  takesMarks: true,
  input: z.strictObject({
    operation: operationArgument,
    parameters: parametersArgument,
    body: bodyArgument,
    calls: callsArgument,
    document: documentArgument,
    select: selectArgument,
    save_as: saveAsArgument,
    dryRun: dryRunArgument,
    confirmationCode: confirmationCodeArgument,
    stop: stopArgument,
    account: accountArgument,
  }),
  output: z.looseObject({ ...writeOutput.shape, value: z.unknown().optional(), ...serviceAnswerFields }),
  async run(
    {
      operation: name,
      parameters: wanted,
      body: wantedBody,
      calls,
      document,
      select,
      save_as: saveAs,
      dryRun = false,
      confirmationCode,
      stop,
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
    if (calls !== undefined) {
      refuseBeside(calls, { parameters: wanted, body: wantedBody, select, document });
      return runCalls({ operation, account, calls, dryRun, confirmationCode, stop, saveAs }, ctx);
    }
    const asked = { parameters: wanted, body: wantedBody };
    if (document !== undefined) {
      refuseBesideDocument({ select, save_as: saveAs });
      return writeDocument({ operation, account, asked, document, dryRun, confirmationCode, stop }, ctx);
    }
    if (stop === true) throw new InputError('"stop" ends a list of calls; give the calls that began it.');
    const prepared = await prepareWrite({ operation, account, asked }, ctx);
    const same = unchangedAnswer(prepared, session);
    if (same !== undefined) return same;
    const { input, request, planned, change, replaced, view, marked } = prepared;
    const { parameters, body } = input;
    const told = { ...prepared.shown, saveAs };
    const preview = await buildPreview(
      { operation, account, parameters: told.request.parameters, ...told },
      session,
      { parts: { operation, account, parameters, request, change, saveAs }, replaced },
    );
    const { look } = planned;
    const { keep, readBack } = await keepWrite(prepared, session);
    const first = createFirstCheck(prepared, ctx);
    const result = await (await session.writes()).run({
      input,
      prepared: request,
      basis: basisOf(planned, change),
      dryRun,
      confirmationCode,
      marked,
      person,
      call,
      keep,
      preview: preview.question,
      check: first.check,
      refused: (response: CallResult) => view.seen(operation.id, response),
      readBack: readBack && (() => readBack(call)),
    });
    if (dryRun) await first.ask();
    const parts = {
      account,
      operation,
      preview: preview.text,
      look,
      ...told,
      result: view.result(result),
      validation: first.found(),
      remark: note,
      effect: effectOfCall(operation, parameters),
    };
    const answer = await buildWriteAnswer(parts, session);
    if (!('response' in result)) return answer;
    const { response } = result;
    const value = { operation, account, body, replaced, response, view, saveAs, select, remark: note };
    return addWriteValue(answer, value, ctx);
  },
});
