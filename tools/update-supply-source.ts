/** update_supply_source: section 4.3, by change or by whole body, previewed, confirmed, read back. */

import * as z from 'zod';
import {
  changeSupplySource,
  chooseForm,
  dropNulls,
  dropUndefined,
  toWritableSupplySource,
} from '../src/changes/supply-source/body.ts';
import { refuseNumbersAsText } from '../src/changes/supply-source/numbers-as-text.ts';
import {
  compareSupplySources,
  createSupplySourceReader,
  type SupplySourceState,
} from '../src/changes/supply-source/state.ts';
import { type Warning, warnAboutSupplySource } from '../src/changes/supply-source/warnings.ts';
import { InputError } from '../src/errors.ts';
import type { JsonObject } from '../src/json.ts';
import { accountArgument, confirmationCodeArgument, dryRunArgument } from '../src/mcp/arguments.ts';
import { defineTool } from '../src/mcp/define-tool.ts';
import { messageOf } from '../src/mcp/error-result.ts';
import { parseArguments } from '../src/mcp/parse-arguments.ts';
import type { ToolContext } from '../src/mcp/session.ts';
import { buildWriteAnswer, writeOutput } from '../src/mcp/write-answer.ts';
import { buildPreview } from '../src/mcp/write-preview.ts';
import { supplySourceSchema } from '../src/service/document/supply-source.ts';
import { supplySourceWrite } from '../src/service/facts/documented-operations.ts';
import type { Operation } from '../src/service/facts/operation.ts';
import type { Registry } from '../src/service/registry/registry.ts';
import { sha256 } from '../src/writes/canonical-json.ts';
import type { WriteGuard } from '../src/writes/write-guard.ts';

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
    const { supplySourceId, changes, alias, configuration, capabilities } = args;
    const form = chooseForm({ alias, configuration, capabilities }, changes);
    if (form === 'changes') parseArguments(supplySourceSchema, dropNulls(changes), 'changes');
    const account = ctx.session.accountOf(args.account);
    const writes = await ctx.session.writes();
    return writes.inTurn(JSON.stringify([account, supplySourceId]), () => edit(args, account, writes, ctx));
  },
});

async function edit(args: Arguments, account: string, writes: WriteGuard, ctx: ToolContext) {
  const { session, person, call } = ctx;
  const { supplySourceId, dryRun = false, confirmationCode } = args;
  const [client, registry] = await Promise.all([session.client(), session.program.registry()]);
  const getter = registry.find('supply-sources/getSupplySource');
  const reader = createSupplySourceReader(client, getter, { account, supplySourceId });
  const current = await reader.read(call);
  const state = 'state' in current ? current.state : undefined;
  const body = buildBody(args, current);
  if ('state' in current) refuseNumbersAsText(body, current.state, current.numbersAsText);
  const operation = findOperation(registry);
  const input = { operation, account, parameters: { supplySourceId }, body, basis: state };
  const request = await client.prepare(input);
  const parts = {
    account,
    request,
    differences: state === undefined ? undefined : compareSupplySources(toWritableSupplySource(state), body),
    noDifferences: 'problem' in current ? messageOf(current.problem) : undefined,
    warnings: newWarnings(body, state),
  };
  const { parameters } = input;
  const preview = await buildPreview({ ...parts, operation, parameters }, session);
  const result = await writes.run({
    input,
    prepared: request,
    basis: state === undefined ? undefined : sha256(toWritableSupplySource(state)),
    dryRun,
    confirmationCode,
    preview: preview.question,
    person,
    call,
    readBack: () => reader.compare(body, call),
  });
  return buildWriteAnswer({ ...parts, operation, preview: preview.text, result }, session);
}

/** @throws InputError when there is no state to change, or the changes touch what cannot be written. */
function buildBody({ changes, ...given }: Arguments, current: SupplySourceState): JsonObject {
  const { alias, configuration, capabilities } = given;
  if (changes === undefined) return dropUndefined({ alias, configuration, capabilities });
  if ('state' in current) return changeSupplySource(current.state, changes);
  throw new InputError(
    `"changes" needs the current state, which could not be read: ${messageOf(current.problem)}`,
    `${current.problem.hint} Or give the whole body with alias, configuration and capabilities.`.trim(),
  );
}

/** What the service already has is not worth a warning again. */
function newWarnings(body: JsonObject, current: JsonObject | undefined): Warning[] {
  const key = ({ path, message }: Warning) => `${path}\n${message}`;
  const old = new Set(
    current === undefined ? [] : warnAboutSupplySource(toWritableSupplySource(current)).map(key),
  );
  return warnAboutSupplySource(body).filter((warning) => !old.has(key(warning)));
}

/** The document's record, which requires no member; only the default limit comes from the definitions. */
function findOperation(registry: Registry): Operation {
  const operation = supplySourceWrite();
  const { rate } = registry.find(operation.id);
  return rate === undefined ? operation : { ...operation, rate };
}
