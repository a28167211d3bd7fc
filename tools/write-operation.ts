/** write_operation: any operation that changes something, by its exact name, previewed and confirmed. */

import * as z from 'zod';
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
import { serviceAnswerFields } from '../src/tell/service-answer.ts';
import { insteadArguments, writeCall } from '../src/write/kinds/call/write-call.ts';
import { writeOutput } from '../src/write/model/outcome.ts';

export const writeOperation = defineTool({
  name: 'write_operation',
  title: 'Call an operation that writes',
  description:
    'Calls any operation of the service that creates, changes, submits, cancels or deletes. Shows the exact request first (dryRun: only that); then the person is asked, or a confirmation code is needed. Every write is kept in a journal. Use describe_operation first; for supply sources update_supply_source.',
  effect: 'write',
  takesMarks: true,
  input: z.strictObject({
    operation: operationArgument,
    parameters: parametersArgument,
    body: bodyArgument,
    ...insteadArguments,
    select: selectArgument,
    save_as: saveAsArgument,
    dryRun: dryRunArgument,
    confirmationCode: confirmationCodeArgument,
    stop: stopArgument,
    account: accountArgument,
  }),
  output: z.looseObject({ ...writeOutput.shape, value: z.unknown().optional(), ...serviceAnswerFields }),
  run: ({ save_as: saveAs, account: named, ...asked }, ctx) =>
    writeCall({ ...asked, account: ctx.session.accountOf(named), saveAs }, ctx),
});
