/**
 * Prepares the update of one store before its approval. It reads the state, and builds the body from state
 * and changes, and the assistant's view of both.
 */

import { type AppError, InputError } from '../../../base/errors.ts';
import { dropUndefined, isJsonObject, type JsonObject, toObject } from '../../../base/json.ts';
import type { PreparedRequest } from '../../../call/client-types.ts';
import type { ReplacedPlaceholder } from '../../../privacy/personal/personal-data.ts';
import { supplySourceWrite } from '../../../service/facts/documented-operations.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import type { Registry } from '../../../service/registry/registry.ts';
import { adapterOf } from '../../model/find-adapter.ts';
import { createStateReader, type ReadState, unreadableReason } from '../../model/read-state.ts';
import { changeSupplySource } from '../../model/store/body.ts';
import { planStoreUpdate } from '../../model/store/store-change.ts';
import type { WriteView } from '../../model/write-view.ts';
import { maskMergedRequest } from '../../plan/mask-request.ts';
import { finishWrite } from '../../plan/prepare-write.ts';
import { findRecent, recordSeen } from '../../plan/recent-writes.ts';
import { findPending, type RecentWrites } from '../../records/undo/pending-writes.ts';
import type { ToolContext } from '../../session.ts';
import { refuseNumbersAsText } from './numbers-as-text.ts';

/** A merge patch, or the whole body. */
export interface StoreArguments {
  changes?: Readonly<Record<string, unknown>> | undefined;
  alias?: unknown;
  configuration?: unknown;
  capabilities?: unknown;
}

export interface RequestedStore {
  supplySourceId: string;
  args: StoreArguments;
  account: string;
  /** The placeholders replaced in the arguments. */
  replaced: readonly ReplacedPlaceholder[];
  view: WriteView;
  /** The recent writes, where they were read for the whole batch. */
  recent?: RecentWrites | undefined;
}

/**
 * Returns the write, and the state where the service shows it. Returns undefined where no store has this id,
 * and `isAlias` finds that it is another name of one.
 */
export async function prepareStore(
  asked: RequestedStore,
  { session, call }: ToolContext,
  isAlias: (id: string) => Promise<boolean> = async () => false,
) {
  const { supplySourceId, args, account, replaced, view } = asked;
  const [client, registry] = await Promise.all([session.client(), session.program.registry()]);
  const operation = storeOperation(registry);
  const parameters = { supplySourceId };
  const reader = createStateReader(
    { operation, account, parameters },
    { client, registry, now: session.program.now, seen: view.seen },
  );
  if (typeof reader === 'string') throw new InputError(reader);
  const current = await reader.read(call);
  if ('absent' in current && (await isAlias(supplySourceId))) return undefined;
  const state = 'state' in current && isJsonObject(current.state) ? current.state : undefined;
  const recent = asked.recent ?? (await findRecent(account, session));
  const coming = state && (await withPending(state, parameters, recent));
  const body = buildBody(args, current, coming);
  if (state !== undefined && 'state' in current) refuseNumbersAsText(body, state, current.numbersAsText);
  const input = { operation, account, parameters, body, answeredBody: coming };
  const request = await client.prepare(input);
  const planned = planStoreUpdate(supplySourceId, body, current, reader);
  const show = (made: PreparedRequest) => maskMergedRequest(made, operation, replaced);
  const parts = { input, request, planned, replaced, view, recent, show };
  const write = await finishWrite(parts, session);
  await recordSeen(recent, session);
  return { write, state };
}

/**
 * Adds pending writes of ours to the state. The body sends what the changes do not name as it is in that
 * state, because the old value would overwrite those writes.
 */
async function withPending(
  state: JsonObject,
  parameters: Readonly<Record<string, unknown>>,
  recent: RecentWrites | undefined,
): Promise<JsonObject> {
  if (recent === undefined) return state;
  const operation = supplySourceWrite().id;
  const adapter = adapterOf({ kind: 'store' });
  const found = await findPending({ operation, parameters, places: [], adapter, state }, recent);
  return toObject(found.state);
}

/**
 * @throws InputError when there is no state to change, or the changes touch members that cannot be written
 */
function buildBody(
  { changes, ...given }: StoreArguments,
  read: ReadState,
  state: JsonObject | undefined,
): JsonObject {
  const { alias, configuration, capabilities } = given;
  if (changes === undefined) return dropUndefined({ alias, configuration, capabilities });
  if (state !== undefined) return changeSupplySource(state, changes);
  const hint = 'absent' in read ? read.absent.hint : 'problem' in read ? read.problem.hint : '';
  const messages = [
    `"changes" needs the current state, which could not be read: ${unreadableReason(read)}`,
    `${hint} Or give the whole body with alias, configuration and capabilities.`.trim(),
  ] as const;
  throw 'problem' in read ? new UnreadStoreError(read.problem, ...messages) : new InputError(...messages);
}

/** Reports that the state needed for a change could not be read, though the store may exist. */
export class UnreadStoreError extends InputError {
  readonly reason: AppError;

  constructor(reason: AppError, ...messages: readonly [message: string, hint: string]) {
    super(...messages);
    this.reason = reason;
  }
}

/**
 * Returns the operation of the document's own record, which requires no member. The definitions add its
 * default rate limit, and how it is read and refused.
 */
export function storeOperation(registry: Registry): Operation {
  const operation = supplySourceWrite();
  const { rate, state, refusals } = registry.find(operation.id);
  return { ...operation, ...(rate && { rate }), ...(state && { state }), ...(refusals && { refusals }) };
}
