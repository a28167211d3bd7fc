/** write_operation: any operation that changes something, by its exact name, previewed and confirmed. */

import * as z from 'zod';
import { InputError } from '../src/base/errors.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
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
} from '../src/tell/arguments/arguments.ts';
import { checkSaveAs } from '../src/tell/documents/save-documents.ts';
import { serviceAnswerFields } from '../src/tell/service-answer.ts';
import { writeOutput } from '../src/write/answer/write-answer.ts';
import { addWriteValue } from '../src/write/answer/write-value.ts';
import { callsArgument, refuseBeside, runCalls } from '../src/write/kinds/call-writes.ts';
import { documentArgument } from '../src/write/kinds/upload/document-argument.ts';
import { refuseBesideDocument, writeDocument } from '../src/write/kinds/upload/write-document.ts';
import { prepareWrite } from '../src/write/plan/prepare-write.ts';
import { writeOne } from '../src/write/write-one.ts';

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
  async run({ operation: name, calls, document, select, save_as: saveAs, account: named, ...args }, ctx) {
    const { parameters, body, dryRun = false, confirmationCode, stop } = args;
    const { session } = ctx;
    const account = session.accountOf(named);
    const registry = await session.program.registry();
    const { operation, note } = registry.resolve(name);
    if (operation.effect === 'read') {
      throw new InputError(`${operation.id} only reads; nothing was sent.`, 'Call it with read_operation.');
    }
    await checkSaveAs(saveAs);
    if (calls !== undefined) {
      refuseBeside(calls, { parameters, body, select, document });
      return runCalls({ operation, account, calls, dryRun, confirmationCode, stop, saveAs }, ctx);
    }
    const asked = { parameters, body };
    if (document !== undefined) {
      refuseBesideDocument({ select, save_as: saveAs });
      return writeDocument({ operation, account, asked, document, dryRun, confirmationCode, stop }, ctx);
    }
    if (stop === true) throw new InputError('"stop" ends a list of calls; give the calls that began it.');
    const prepared = await prepareWrite({ operation, account, asked }, ctx);
    const options = { dryRun, confirmationCode, saveAs, remark: note };
    const { answer, response } = await writeOne({ prepared, ...options }, ctx);
    if (response === undefined) return answer;
    return addWriteValue(answer, { write: prepared, response, saveAs, select, remark: note }, ctx);
  },
});
