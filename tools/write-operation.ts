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
} from '../src/mcp/arguments.ts';
import { defineTool } from '../src/mcp/define-tool.ts';
import { prepareWrite } from '../src/mcp/prepare-write.ts';
import { checkSaveAs } from '../src/mcp/save-documents.ts';
import { serviceAnswerFields } from '../src/mcp/service-answer.ts';
import { buildWriteAnswer, writeOutput } from '../src/mcp/write-answer.ts';
import { buildPreview } from '../src/mcp/write-preview.ts';
import { askValidation } from '../src/mcp/write-validation.ts';
import { addWriteValue } from '../src/mcp/write-value.ts';
import { effectOfCall } from '../src/service/facts/effects.ts';

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
    const prepared = await prepareWrite({ operation, account, asked }, ctx);
    const { input, request, planned, change, replaced, view, marked } = prepared;
    const { parameters, body } = input;
    const told = { ...prepared.shown, saveAs };
    const preview = await buildPreview(
      { operation, account, parameters: told.request.parameters, ...told },
      session,
      { parts: { operation, account, parameters, request, change, saveAs }, replaced },
    );
    const { basis, look } = planned;
    const readBack = view.readBack(planned.readBack);
    const result = await (await session.writes()).run({
      ...{ input, prepared: request, basis, dryRun, confirmationCode, marked, person, call },
      preview: preview.question,
      refused: (response: CallResult) => view.seen(operation.id, response),
      readBack: readBack && (() => readBack(call)),
    });
    const validation = dryRun ? await askValidation(await session.client(), input, call) : undefined;
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
    const value = { operation, account, body, replaced, response, view, saveAs, select, remark: note };
    return addWriteValue(answer, value, ctx);
  },
});
