/** update_supply_source: section 4.3, by change or by whole body, previewed, confirmed, read back. */

import * as z from 'zod';
import { findStore } from '../src/changes/find-store.ts';
import {
  createStateReader,
  type State,
  type StateReader,
  type WrittenCall,
} from '../src/changes/read-state.ts';
import { planStoreUpdate, whyNot } from '../src/changes/store-change.ts';
import {
  changeSupplySource,
  chooseForm,
  dropNulls,
  dropUndefined,
} from '../src/changes/supply-source/body.ts';
import { refuseNumbersAsText } from '../src/changes/supply-source/numbers-as-text.ts';
import { InputError } from '../src/errors.ts';
import { isJsonObject, type JsonObject } from '../src/json.ts';
import { accountArgument, confirmationCodeArgument, dryRunArgument } from '../src/mcp/arguments.ts';
import { defineTool } from '../src/mcp/define-tool.ts';
import { parseArguments } from '../src/mcp/parse-arguments.ts';
import type { ToolContext } from '../src/mcp/session.ts';
import { showMerged } from '../src/mcp/shown-write.ts';
import { buildWriteAnswer, writeOutput } from '../src/mcp/write-answer.ts';
import { buildPreview } from '../src/mcp/write-preview.ts';
import { createWriteView, type WriteView } from '../src/mcp/write-view.ts';
import type { Replaced } from '../src/personal/personal-data.ts';
import { supplySourceSchema } from '../src/service/document/supply-source.ts';
import { supplySourceWrite } from '../src/service/facts/documented-operations.ts';
import type { Operation } from '../src/service/facts/operation.ts';
import type { Registry } from '../src/service/registry/registry.ts';
import type { WriteGuard } from '../src/writes/write-guard.ts';

const input = z.strictObject({
  supplySourceId: z.string().min(1, 'is empty; getSupplySources lists the ids').describe('ID or alias'),
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
  takesMarks: true,
  idempotent: true,
  input,
  output: writeOutput,
  async run(given, ctx) {
    const account = ctx.session.accountOf(given.account);
    const { value, replaced } = (await ctx.session.personal()).resolve(account, given);
    const args = replaced.length === 0 ? given : parseArguments(input, value);
    const { supplySourceId, changes, alias, configuration, capabilities } = args;
    const form = chooseForm({ alias, configuration, capabilities }, changes);
    if (form === 'changes') parseArguments(supplySourceSchema, dropNulls(changes), 'changes');
    const writes = await ctx.session.writes();
    const personal = await ctx.session.personal();
    const view = createWriteView({ personal, account, replaced });
    const inTurn = (id: string) =>
      writes.inTurn(JSON.stringify([account, id]), () =>
        edit({ args: { ...args, supplySourceId: id }, account, replaced, view, writes, ctx }),
      );
    const answer = await inTurn(supplySourceId);
    if (typeof answer !== 'string') return answer;
    // It was an alias; edits wait for each other by the id.
    const byId = await inTurn(answer);
    if (typeof byId !== 'string') return byId;
    throw new InputError(
      'The store is no longer there; nothing was sent.',
      'List the stores with getSupplySources.',
    );
  },
});

interface Edit {
  args: Arguments;
  account: string;
  replaced: readonly Replaced[];
  view: WriteView;
  writes: WriteGuard;
  ctx: ToolContext;
}

/** The answer; the id, where it was given by its alias. */
async function edit(asked: Edit) {
  const { args, account, view, ctx } = asked;
  const { session, call } = ctx;
  const [client, registry] = await Promise.all([session.client(), session.program.registry()]);
  const { supplySourceId } = args;
  const operation = findOperation(registry);
  const written = { operation, account, parameters: { supplySourceId } };
  const reader = createStateReader(written, { client, registry, seen: view.seen });
  if (typeof reader === 'string') throw new InputError(reader);
  const current = await reader.read(call);
  if (!('absent' in current)) return send(asked, written, current, reader);
  const found = await findStore(supplySourceId, { client, registry, account }, call);
  if (found === undefined || found === supplySourceId) return send(asked, written, current, reader);
  return found;
}

async function send(asked: Edit, written: WrittenCall, current: State, reader: StateReader) {
  const { args, replaced, view, writes, ctx } = asked;
  const { session, person, call } = ctx;
  const { supplySourceId, dryRun = false, confirmationCode } = args;
  const { operation, account, parameters } = written;
  const state = 'state' in current && isJsonObject(current.state) ? current.state : undefined;
  const body = buildBody(args, current, state);
  if (state !== undefined && 'state' in current) refuseNumbersAsText(body, state, current.numbersAsText);
  const input = { operation, account, parameters, body, basis: state };
  const request = await (await session.client()).prepare(input);
  const { change, basis, look, ...planned } = planStoreUpdate(supplySourceId, body, current, reader);
  const readBack = view.readBack(planned.readBack);
  const shown = showMerged(request, operation, replaced);
  const told = { account, operation, request: shown, change: view.change(change) };
  const preview = await buildPreview({ ...told, parameters: shown.parameters }, session, {
    parts: { account, operation, request, change, parameters },
    replaced,
  });
  const result = await writes.run({
    input,
    prepared: request,
    basis,
    dryRun,
    confirmationCode,
    preview: preview.question,
    ...(replaced.length === 0 ? {} : { marked: { parameters: shown.parameters, body: shown.body } }),
    person,
    call,
    refused: (response) => view.seen(operation.id, response),
    readBack: readBack && (() => readBack(call)),
  });
  return buildWriteAnswer({ ...told, look, preview: preview.text, result: view.result(result) }, session);
}

/** @throws InputError when there is no state to change, or the changes touch what cannot be written. */
function buildBody({ changes, ...given }: Arguments, read: State, state: JsonObject | undefined): JsonObject {
  const { alias, configuration, capabilities } = given;
  if (changes === undefined) return dropUndefined({ alias, configuration, capabilities });
  if (state !== undefined) return changeSupplySource(state, changes);
  const hint = 'absent' in read ? read.absent.hint : 'problem' in read ? read.problem.hint : '';
  throw new InputError(
    `"changes" needs the current state, which could not be read: ${whyNot(read)}`,
    `${hint} Or give the whole body with alias, configuration and capabilities.`.trim(),
  );
}

/** The document's record, which requires no member; the default limit, and how it is read and refused, come from the definitions. */
function findOperation(registry: Registry): Operation {
  const operation = supplySourceWrite();
  const { rate, state, refusals } = registry.find(operation.id);
  return { ...operation, ...(rate && { rate }), ...(state && { state }), ...(refusals && { refusals }) };
}
