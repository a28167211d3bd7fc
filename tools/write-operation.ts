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
} from '../src/render/arguments/arguments.ts';
import { serviceAnswerFields } from '../src/render/service-answer.ts';
import { insteadArguments, writeCall } from '../src/write/handlers/call/write-call.ts';
import { writeOutput } from '../src/write/model/outcome.ts';

export const writeOperation = defineTool({
  name: 'write_operation',
  title: 'Write: shipments, refunds, messages, feeds',
  description:
    'Creates, changes, submits, cancels or deletes: shipments, refunds, returns, messages, feeds, orders, listings. Calls one operation; the person approves the exact request first, or a confirmation code is needed. Use describe_operation first. For prices, inventory and texts of listings use change_listings, for stores update_supply_source. Every write is kept in a journal.',
  effect: 'write',
  startsWork: true,
  longAnswers: true,
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
