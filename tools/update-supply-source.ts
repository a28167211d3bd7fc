/** update_supply_source: section 4.3, by change or by whole body, previewed, confirmed, read back. */

import * as z from 'zod';
import { showText } from '../src/answers/escape-text.ts';
import type { CallInput } from '../src/client/client.ts';
import { ApiError, AppError, InputError } from '../src/errors.ts';
import { accountArgument, confirmationCodeArgument, dryRunArgument } from '../src/mcp/arguments.ts';
import { defineTool } from '../src/mcp/define-tool.ts';
import { parseArguments } from '../src/mcp/parse-arguments.ts';
import type { Services, ToolContext } from '../src/mcp/tool-context.ts';
import { buildWriteAnswer, writeOutput } from '../src/mcp/write-answer.ts';
import { supplySourceWrite } from '../src/service/documented-operations.ts';
import type { Operation } from '../src/service/operation.ts';
import { supplySourceSchema } from '../src/service/supply-source.ts';
import { findDifferences } from '../src/writes/difference.ts';
import { dropNulls, isJsonObject, type JsonObject } from '../src/writes/json.ts';
import { describePreview } from '../src/writes/preview.ts';
import { compareReadBack } from '../src/writes/read-back.ts';
import { changeSupplySource, toWritableSupplySource } from '../src/writes/supply-source-body.ts';
import { type Warning, warnAboutSupplySource } from '../src/writes/warnings.ts';

const input = z.strictObject({
  supplySourceId: z.string().min(1, 'is empty; getSupplySources lists the ids'),
  changes: z.record(z.string(), z.unknown()).optional().describe('Instead of the three below'),
  ...supplySourceSchema.shape,
  dryRun: dryRunArgument,
  confirmationCode: confirmationCodeArgument,
  account: accountArgument,
});
type Arguments = z.output<typeof input>;

export const updateSupplySource = defineTool({
  name: 'update_supply_source',
  title: 'Update a supply source',
  description:
    'Changes a store or warehouse of the seller: opening hours, contacts, handling time, pickup, delivery, returns. Prefer "changes": a JSON Merge Patch over the current state; null removes, an empty day list closes that day, e.g. {"configuration":{"operationalConfiguration":{"operatingHoursByDay":{"sunday":[]}}}}. Otherwise alias, configuration and capabilities replace the whole: what is absent is removed. Shows the difference first (dryRun: only that), reads back afterwards.',
  effect: 'write',
  idempotent: true,
  input,
  output: writeOutput,
  async run(args, ctx) {
    const { services, person } = ctx;
    const account = args.account ?? services.config().account;
    const current = await readCurrent(args.supplySourceId, account, ctx);
    const body = buildBody(args, current);
    const operation = await findOperation(services);
    const known = 'state' in current ? current.state : undefined;
    const request: CallInput = {
      operation,
      account,
      parameters: { supplySourceId: args.supplySourceId },
      body,
      basis: known,
    };
    const prepared = await (await services.client()).prepare(request);
    const differences =
      known === undefined ? undefined : findDifferences(toWritableSupplySource(known), body);
    const warnings = newWarnings(body, known);
    const noDifferences = 'problem' in current ? current.problem : undefined;
    const preview = describePreview(
      { operation, account, request: prepared, differences, noDifferences, warnings },
      showText,
    );
    const result = await (await services.writes()).run({
      input: request,
      dryRun: args.dryRun ?? false,
      confirmationCode: args.confirmationCode,
      preview,
      person,
      call: ctx,
      readBack: () => readBack(args.supplySourceId, account, body, ctx),
    });
    return buildWriteAnswer({
      account,
      operation: operation.id,
      request: prepared,
      preview,
      differences,
      warnings,
      result,
      show: showText,
    });
  },
});

/** What the service already has is not worth a warning again. */
function newWarnings(body: JsonObject, current: JsonObject | undefined): Warning[] {
  const key = ({ path, message }: Warning) => `${path}\n${message}`;
  const old = new Set(
    current === undefined ? [] : warnAboutSupplySource(toWritableSupplySource(current)).map(key),
  );
  return warnAboutSupplySource(body).filter((warning) => !old.has(key(warning)));
}

/** The document's record, which requires no member; only the default limit comes from the definitions. */
async function findOperation(services: Services): Promise<Operation> {
  const operation = supplySourceWrite();
  const { rate } = (await services.registry()).find(operation.id);
  return rate === undefined ? operation : { ...operation, rate };
}

type Current = { state: JsonObject } | { problem: string };

/** The state before the write; a service that does not give it stops a change, not a whole body. */
async function readCurrent(supplySourceId: string, account: string, ctx: ToolContext): Promise<Current> {
  try {
    return { state: await fetchSupplySource(supplySourceId, account, ctx) };
  } catch (error) {
    if (!(error instanceof AppError) || error instanceof InputError || ctx.signal.aborted) throw error;
    if (error instanceof ApiError || error.name === 'NetworkError' || error.name === 'TimeoutError')
      return { problem: error.message };
    throw error;
  }
}

async function fetchSupplySource(
  supplySourceId: string,
  account: string,
  ctx: ToolContext,
): Promise<JsonObject> {
  const [client, registry] = await Promise.all([ctx.services.client(), ctx.services.registry()]);
  const operation = registry.find('supply-sources/getSupplySource');
  const { body } = await client.call({ operation, account, parameters: { supplySourceId } }, ctx);
  if (isJsonObject(body)) return body;
  throw new ApiError(
    { status: 200, errors: [] },
    'The service answered with something that is not a supply source.',
  );
}

async function readBack(supplySourceId: string, account: string, sent: JsonObject, ctx: ToolContext) {
  const found = await fetchSupplySource(supplySourceId, account, ctx);
  return compareReadBack(sent, toWritableSupplySource(found));
}

/** @throws InputError when neither or both forms are given, or the changes do not fit the documented shape. */
function buildBody({ changes, alias, configuration, capabilities }: Arguments, current: Current): JsonObject {
  const whole = Object.entries({ alias, configuration, capabilities }).filter(
    ([, value]) => value !== undefined,
  );
  if (changes === undefined && whole.length === 0) {
    throw new InputError(
      'There is nothing to write.',
      'Give "changes", or any of alias, configuration, capabilities.',
    );
  }
  if (changes === undefined) return Object.fromEntries(whole);
  if (whole.length > 0) {
    const names = whole.map(([name]) => name).join(', ');
    throw new InputError(
      `"changes" and ${names} were both given.`,
      'Give "changes" alone to edit, or the others alone to replace the whole.',
    );
  }
  if ('problem' in current) {
    throw new InputError(
      `"changes" needs the current state, which could not be read: ${current.problem}`,
      'Try again later, or give the whole body with alias, configuration and capabilities.',
    );
  }
  const body = changeSupplySource(current.state, changes);
  parseArguments(supplySourceSchema, dropNulls(changes), 'changes');
  return body;
}
