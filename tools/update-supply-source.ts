/** update_supply_source: section 4.3, by change or by whole body, one store or several, previewed, confirmed, read back. */

import * as z from 'zod';
import { defineTool } from '../src/protocol/define-tool.ts';
import {
  accountArgument,
  confirmationCodeArgument,
  dryRunArgument,
  stopArgument,
} from '../src/render/arguments/arguments.ts';
import { storeArguments, updateStores } from '../src/write/handlers/store/update-stores.ts';
import { writeOutput } from '../src/write/model/outcome.ts';

export const updateSupplySource = defineTool({
  name: 'update_supply_source',
  title: 'Change store hours, pickup and delivery',
  description:
    'Changes store hours (opening hours), contacts, handling time, pickup, delivery and returns of stores and warehouses; several at once with one approval. Prefer changes, which keeps everything else: null removes a member, and an empty list closes a day: {"configuration": {"operationalConfiguration": {"operatingHoursByDay": {"sunday": []}}}}. alias, configuration and capabilities replace the whole instead: what they leave out is removed. Shows the difference first and reads back afterwards.',
  effect: 'write',
  onlyWrites: true,
  longAnswers: true,
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
