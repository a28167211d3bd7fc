/** read_operation: any operation that only reads, by its exact name. */

import * as z from 'zod';
import { InputError, type Problem } from '../src/base/errors.ts';
import { formatFailedItems } from '../src/base/failure-of-one.ts';
import { quoteText } from '../src/base/text/escape-text.ts';
import { callWithoutRefused } from '../src/call/call-without-refused.ts';
import { endingRemark } from '../src/call/ending-remark.ts';
import { type FilledFee, fillFeePrice, lacksFeeParts } from '../src/call/fee-prices.ts';
import { callFindingStore } from '../src/call/find-store.ts';
import { readBound } from '../src/call/read-bound.ts';
import { checkRestrictedResources } from '../src/call/request/check-inner-requests.ts';
import { TOKEN_BOUND } from '../src/call/tokens/token-exchange.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
import {
  accountArgument,
  bodyArgument,
  operationArgument,
  parametersArgument,
  saveAsArgument,
  selectArgument,
} from '../src/render/arguments/arguments.ts';
import { checkSaveAs, createDocumentSaver } from '../src/render/documents/save-documents.ts';
import { buildReadAnswer, type ReadAnswerParts } from '../src/render/read-answer.ts';
import { hideSecretAnswer, isSecret } from '../src/render/secret-answers.ts';
import { serviceAnswerFields } from '../src/render/service-answer.ts';
import type { ToolAnswer } from '../src/render/tool-answer.ts';
import { namesOfSelect } from '../src/render/value/selected-columns.ts';
import { LISTING_LOOKUPS } from '../src/service/facts/listing-lookups.ts';
import type { Operation } from '../src/service/facts/operation.ts';

export const readOperation = defineTool({
  name: 'read_operation',
  title: 'Read orders, listings, inventory or fees',
  description: `Reads an order, a listing, inventory, offers, fees, returns, refunds, stores or reports: calls one operation that only reads. "What is wrong with my listing?": its issues come explained. ${LISTING_LOOKUPS} For many orders or a whole report: collect_data. Use describe_operation first. Parameters are checked before anything is sent; sellerId and the marketplace are filled in from the account.`,
  effect: 'read',
  alwaysLoad: true,
  longAnswers: true,
  input: z.strictObject({
    operation: operationArgument,
    parameters: parametersArgument,
    body: bodyArgument,
    select: selectArgument,
    save_as: saveAsArgument,
    account: accountArgument,
  }),
  output: z.looseObject({
    operation: z.string(),
    status: z.int(),
    value: z.unknown().optional().describe('The answer, or what was selected of it'),
    ...serviceAnswerFields,
  }),
  async run({ operation: name, select, save_as: saveAs, account: given, parameters = {}, body }, ctx) {
    const { session, call } = ctx;
    const account = session.accountOf(given);
    const registry = await session.program.registry();
    const { operation, note } = registry.resolve(name);
    if (operation.effect !== 'read') throw wrongTool(operation);
    const unknown = checkRestrictedResources(operation, body, registry.operations);
    if (unknown.length > 0) throw wrongResources(operation, unknown);
    if (saveAs !== undefined) await checkSaveAs(saveAs);
    const client = await session.client();
    const included = isListing(operation) ? includedData(operation, parameters, select) : undefined;
    const input = {
      operation,
      account,
      parameters: included === undefined ? parameters : { ...parameters, includedData: included },
      body,
    };
    const filled: FilledFee = lacksFeeParts(input)
      ? await fillFeePrice(input, { client, find: registry.find, call })
      : { input };
    const bound = isSecret(operation) ? TOKEN_BOUND : readBound({ ...input, account: given });
    const answered = await callWithoutRefused(
      filled.input,
      (sent) =>
        callFindingStore({ ...filled.input, parameters: sent }, { client, registry }, { ...call, bound }),
      (sent) => client.call({ ...filled.input, parameters: sent }, { ...call, bound }),
    );
    const { refused } = answered;
    const { result, id: store } = answered.result;
    const parts: ReadAnswerParts = {
      operation,
      account,
      result,
      select,
      remarks: [
        note ?? '',
        await endingRemark(
          { operation, given: parameters, toolOf: () => 'read_operation' },
          client,
          session.program.now(),
          // The answer is there for its values.
          session.settings().answerTokens / 20,
        ),
        describeStore(store) ?? '',
        filled.remark ?? '',
        ...formatFailedItems(refused),
      ],
      defaults: included === undefined ? {} : { includedData: included.join(',') },
      includedData: included ?? parameters.includedData,
      isListing: isListing(operation),
    };
    const saveAll = createDocumentSaver(saveAs, { operation, account, result }, ctx);
    const shown = isSecret(operation)
      ? await hideSecretAnswer({ operation, body, result, session })
      : result.body;
    return withRefused(await buildReadAnswer(shown, parts, session, saveAll), refused);
  },
});

/** The reasons stand among the remarks. */
function withRefused<Facts extends object>(
  answer: ToolAnswer<Facts>,
  refused: readonly unknown[],
): ToolAnswer<Facts & { complete?: boolean }> {
  return refused.length === 0 ? answer : { ...answer, structured: { ...answer.structured, complete: false } };
}

/** The store that was found by another name of it. */
const describeStore = (id: string | undefined) =>
  id === undefined ? undefined : `The store was found by its name; its ID is ${quoteText(id)}.`;

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

/** The members that answer "What is wrong with my listing?". */
const NEEDED = ['summaries', 'issues'];

/** `includedData` where it was left out: what is selected from the answer has to be in it. */
function includedData(
  { parameters }: Operation,
  given: Readonly<Record<string, unknown>>,
  select: readonly string[] = [],
): string[] | undefined {
  if ((given.includedData ?? undefined) !== undefined) return undefined;
  const known = parameters.find(({ name }) => name === 'includedData')?.schema.items?.enum ?? [];
  if (known.length === 0) return undefined;
  if (select.length === 0) return NEEDED;
  const wanted = namesOfSelect(select).map(([first]) => first);
  const selected = known.map(String).filter((part) => wanted.includes(part));
  return selected.length > 0 ? selected : NEEDED;
}
