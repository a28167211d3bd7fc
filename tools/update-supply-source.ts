/** update_supply_source: section 4.3, by change or by whole body, one store or several, previewed, confirmed, read back. */

import * as z from 'zod';
import { defineTool } from '../src/protocol/define-tool.ts';
import {
  accountArgument,
  confirmationCodeArgument,
  dryRunArgument,
  stopArgument,
} from '../src/tell/arguments/arguments.ts';
import { storeArguments, updateStores } from '../src/write/kinds/store/update-stores.ts';
import { writeOutput } from '../src/write/model/outcome.ts';

export const updateSupplySource = defineTool({
  name: 'update_supply_source',
  title: 'Update a supply source',
  description:
    'Changes stores or warehouses of the seller: opening hours, contacts, handling time, pickup, delivery, returns; several at once with one question. Prefer "changes": a JSON Merge Patch over the current state; null removes, an empty day list closes that day, e.g. {"configuration":{"operationalConfiguration":{"operatingHoursByDay":{"sunday":[]}}}}. Otherwise alias, configuration and capabilities replace the whole: what is absent is removed. Shows the difference first (dryRun: only that), reads back afterwards.',
  effect: 'write',
  takesMarks: true,
  idempotent: true,
  input: z.strictObject({
    ...storeArguments.shape,
    dryRun: dryRunArgument,
    confirmationCode: confirmationCodeArgument,
    stop: stopArgument,
    account: accountArgument,
  }),
  output: writeOutput,
  run: ({ dryRun, confirmationCode, stop, account: named, ...asked }, ctx) =>
    updateStores(asked, { account: ctx.session.accountOf(named), dryRun, confirmationCode, stop }, ctx),
});
