/** Plans a write to a store or warehouse: its configuration, or its status. */

import { sha256 } from '../../../base/canonical-json.ts';
import { isJsonObject, type JsonObject, toObject } from '../../../base/json.ts';
import type { JsonDifference } from '../../../base/json-difference.ts';
import type { CallOptions } from '../../../call/client-types.ts';
import type { Change, Subject, Warning, WriteDiff } from '../change.ts';
import { AS_SENT, sortReadBack } from '../change.ts';
import {
  type ReadState,
  type StateReader,
  stateOf,
  unreadableReason,
  type WrittenCall,
} from '../read-state.ts';
import { dropNulls, toWritableSupplySource } from './body.ts';
import { warnAboutClosing } from './closing-warnings.ts';
import { compareReadBack, compareSupplySources } from './state.ts';
import { warnAboutSupplySource } from './warnings.ts';

/** Describes the store by its alias and the seller's own code, if the state has them. */
function storeSubject(id: string, state: unknown): Subject {
  const { alias, supplySourceCode } = toObject(state);
  return {
    kind: 'store',
    id,
    ...(typeof alias === 'string' && { alias }),
    ...(typeof supplySourceCode === 'string' && supplySourceCode !== '' && { code: supplySourceCode }),
  };
}

const COMMON = { places: [], toldParameters: ['supplySourceId'] };

/** Plans an update, in which `body` replaces the whole configuration. */
export function planStoreUpdate(id: string, body: unknown, read: ReadState, reader: StateReader): WriteDiff {
  if (!('state' in read) || !isJsonObject(read.state) || !isJsonObject(body)) {
    const warnings = warnAboutSupplySource(body);
    const change = { subject: storeSubject(id, undefined), ...COMMON, after: body, isWhole: false, warnings };
    const readBack = (call: CallOptions) => compareStores(reader, body, undefined, call);
    return { change: { ...change, noDifferences: unreadableReason(read) }, readBack };
  }
  const before = toWritableSupplySource(read.state);
  const change: Change = {
    subject: storeSubject(id, read.state),
    ...COMMON,
    before,
    after: body,
    isWhole: true,
    differences: compareSupplySources(before, body),
    warnings: [
      ...warnAboutStatus(read.state),
      ...newWarnings(body, before),
      ...warnAboutClosing(before, body),
    ],
  };
  return {
    change,
    stateDigest: sha256(before),
    readBack: (call) => compareStores(reader, body, before, call),
  };
}

/** Warns about an inactive or archived store, because buyers do not see its changes. */
function warnAboutStatus({ status }: JsonObject): Warning[] {
  if (status !== 'Inactive' && status !== 'Archived') return [];
  const message = `is ${status} and stays so: nothing of this reaches buyers until it is Active`;
  return [{ path: 'status', segments: ['status'], message }];
}

/** Returns only new warnings, because known values of the service need none again. */
function newWarnings(body: unknown, before: unknown): Warning[] {
  const key = ({ path, message }: Warning) => `${path}\n${message}`;
  const old = new Set(warnAboutSupplySource(before).map(key));
  return warnAboutSupplySource(body).filter((warning) => !old.has(key(warning)));
}

async function compareStores(
  reader: StateReader,
  sent: unknown,
  before: JsonObject | undefined,
  call: CallOptions,
) {
  const state = stateOf(await reader.read(call));
  const found = toWritableSupplySource(toObject(state));
  return { ...sortReadBack(compareReadBack(sent, found), dropNulls(before)), found };
}

/** Plans updateSupplySourceStatus and archiveSupplySource. */
export function planStoreStatus(
  { operation, parameters, body }: WrittenCall,
  read: ReadState,
  reader: StateReader,
): WriteDiff {
  const id = String(parameters.supplySourceId);
  const wanted = operation.effect === 'delete' ? 'Archived' : statusOf(body);
  const state = 'state' in read && isJsonObject(read.state) ? read.state : undefined;
  const before = state && { status: state.status };
  const after = { status: wanted };
  const subject = storeSubject(id, state);
  const others = isJsonObject(body) ? Object.entries(body).filter(([name]) => name !== 'status') : [];
  const change: Change = {
    subject,
    ...COMMON,
    after,
    warnings: [],
    isWhole: state !== undefined,
    sent: others.map(([name, value]) => ({ segments: [name], value })),
    ...(before === undefined
      ? { noDifferences: unreadableReason(read) }
      : { before, differences: statusDifference(before.status, wanted) }),
  };
  return {
    change,
    ...(before && { stateDigest: sha256(before) }),
    async readBack(call) {
      const found = await reader.read(call);
      // An archived store may be gone.
      if ('absent' in found && operation.effect === 'delete') return AS_SENT;
      const status = statusOf(stateOf(found));
      return { ...sortReadBack(statusDifference(wanted, status), before), found: { status } };
    },
  };
}

const statusOf = (value: unknown) => toObject(value).status;

function statusDifference(before: unknown, after: unknown): JsonDifference[] {
  if (before === after) return [];
  return [{ path: 'status', segments: ['status'], kind: 'changed', before, after }];
}
