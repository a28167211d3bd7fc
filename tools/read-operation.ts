/** read_operation: any operation that only reads, by its exact name. */

import * as z from 'zod';
import { describeItem } from '../src/answers/listing/item.ts';
import { checkRestrictedResources } from '../src/client/request/inner-requests.ts';
import { InputError, type Problem } from '../src/errors.ts';
import {
  accountArgument,
  bodyArgument,
  operationArgument,
  parametersArgument,
  selectArgument,
} from '../src/mcp/arguments.ts';
import { defineTool } from '../src/mcp/define-tool.ts';
import { hideSecretAnswer } from '../src/mcp/secret-answers.ts';
import {
  fitServiceAnswer,
  serviceAnswerFields,
  toToolAnswer,
  wholeUnlessSelected,
} from '../src/mcp/service-answer.ts';
import { marketplaceName } from '../src/service/facts/marketplaces.ts';
import type { Operation } from '../src/service/facts/operation.ts';

export const readOperation = defineTool({
  name: 'read_operation',
  title: 'Call an operation that reads',
  description:
    'Calls any operation of the service that only reads: listings, orders, inventory, reports, fees, offers, supply sources. "What is wrong with my listing?" is operation getListingsItem with parameters sku and includedData ["summaries","issues"]; its issues come explained. Parameters are checked before anything is sent; sellerId and marketplace are filled in from the account. Use describe_operation first.',
  effect: 'read',
  input: z.strictObject({
    operation: operationArgument,
    parameters: parametersArgument,
    body: bodyArgument,
    select: selectArgument,
    account: accountArgument,
  }),
  output: z.looseObject({
    operation: z.string(),
    status: z.int(),
    value: z.unknown().optional().describe('The answer, or what was selected of it'),
    ...serviceAnswerFields,
  }),
  async run({ operation: name, parameters = {}, body, select, account: given }, { session, call }) {
    const account = session.accountOf(given);
    const { resolve, operations } = await session.program.registry();
    const { operation, note } = resolve(name);
    if (operation.effect !== 'read') throw wrongTool(operation);
    const unknown = checkRestrictedResources(operation, body, operations);
    if (unknown.length > 0) throw wrongResources(operation, unknown);
    const client = await session.client();
    const input = { operation, account, parameters, ...(body === undefined ? {} : { body }) };
    const result = await client.call(input, call);
    if (operation.group === 'Supply Sources') (await session.answers()).noteSupplySources(result.body);
    const whole = await hideSecretAnswer({ operation, account, body, result, session });
    const fitted = await fitServiceAnswer({
      session,
      name: operation.name,
      account,
      result,
      whole,
      select,
      note,
      ...(isListing(operation) ? describeListing(whole, select, session.program.now()) : {}),
    });
    return toToolAnswer(fitted, { operation: operation.id, status: result.status, value: fitted.value });
  },
});

function wrongTool({ id, effect }: Operation): InputError {
  return new InputError(
    `${id} does not only read (its effect: ${effect}); nothing was sent.`,
    'Call it with write_operation.',
  );
}

function wrongResources({ name }: Operation, problems: readonly Problem[]): InputError {
  const list = problems.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new InputError(
    `${name} was not sent: ${list}`,
    'Ask for the method and path of an operation, with its values or its placeholders.',
    problems,
  );
}

/** The operation that replaced the documented item: its answer is the item itself. */
const isListing = ({ id }: Operation) => id === 'listings-items/getListingsItem';

function describeListing(whole: unknown, select: readonly string[] | undefined, now: number) {
  const options = { now, marketplaceName, ...wholeUnlessSelected(whole, select) };
  return {
    aside: ['attributes'],
    describe: (value: unknown, maxTokens: number) => describeItem(value, { ...options, maxTokens }),
  };
}
