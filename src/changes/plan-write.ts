/** Works out what a write changes before anybody is asked: reads the state, and makes of it what the write would. */

import type { CallOptions } from '../client/client.ts';
import { effectOfCall } from '../service/facts/effects.ts';
import { unknownChange } from './change.ts';
import { LISTING_PARTS, planListing } from './listing-change.ts';
import { planOther } from './other-change.ts';
import type { PlannedWrite } from './planned-write.ts';
import {
  createStateReader,
  type ReadingParts,
  type State,
  type StateReader,
  type WrittenCall,
} from './read-state.ts';
import { planStoreStatus, planStoreUpdate } from './store-change.ts';
import { warnAboutUnknown } from './unknown-members.ts';

interface Kind {
  /** Parameters of the reading operation beside those that the facts name. */
  more?: Readonly<Record<string, unknown>>;
  plan(written: WrittenCall, read: State, reader: StateReader): PlannedWrite;
}

const listing: Kind = { more: LISTING_PARTS, plan: planListing };
const status: Kind = { plan: planStoreStatus };

/** By operation; any other is told member by member. */
const KINDS: Readonly<Record<string, Kind>> = {
  'supply-sources/updateSupplySource': {
    plan: ({ parameters, body }, read, reader) =>
      planStoreUpdate(String(parameters.supplySourceId), body, read, reader),
  },
  'supply-sources/updateSupplySourceStatus': status,
  'supply-sources/archiveSupplySource': status,
  'listings-items/patchListingsItem': listing,
  'listings-items/putListingsItem': listing,
  'listings-items/deleteListingsItem': listing,
};

/**
 * For a request, which is sent unasked, nothing is read. A state that cannot be read is told, and the write can be asked.
 * @param known the state where it has been read already, as the reading operation would show it
 * @throws AppError for what would hinder the write too
 */
export async function planWrite(
  written: WrittenCall,
  parts: ReadingParts,
  call: CallOptions,
  known?: State,
): Promise<PlannedWrite> {
  const planned = await planState(written, parts, call, known);
  const unknown = warnAboutUnknown(written.operation, written.body);
  const { change } = planned;
  return { ...planned, change: { ...change, warnings: [...change.warnings, ...unknown] } };
}

async function planState(
  written: WrittenCall,
  parts: ReadingParts,
  call: CallOptions,
  known: State | undefined,
): Promise<PlannedWrite> {
  const { operation, parameters } = written;
  if (effectOfCall(operation, parameters) === 'request') return { change: unknownChange(undefined, []) };
  const kind = Object.hasOwn(KINDS, operation.id) ? KINDS[operation.id] : undefined;
  const reader = createStateReader(written, parts, kind?.more);
  if (typeof reader === 'string') return { change: unknownChange(reader, []) };
  const read = known ?? (await reader.read(call));
  return { ...(kind?.plan ?? planOther)(written, read, reader), isAbsent: 'absent' in read };
}
