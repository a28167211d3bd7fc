/** Works out what a write changes before anybody is asked: reads the state, and makes of it what the write would. */

import type { CallOptions } from '../client/client.ts';
import { effectOfCall } from '../service/facts/effects.ts';
import { unknownChange } from './change.ts';
import { type Elsewhere, LISTING_PARTS, placesElsewhere, planListing } from './listing-change.ts';
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
  /** Marketplaces that the body names beside those of the call. */
  elsewhere?(written: WrittenCall): readonly string[];
  plan(written: WrittenCall, read: State, reader: StateReader, elsewhere?: Elsewhere): PlannedWrite;
}

const listing: Kind = { more: LISTING_PARTS, elsewhere: placesElsewhere, plan: planListing };
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
  // Of a store, members that the definition does not name are compared like any other.
  const isWhole = change.isWhole && (change.subject.kind === 'store' || unknown.length === 0);
  return { ...planned, change: { ...change, isWhole, warnings: [...change.warnings, ...unknown] } };
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
  const [read, elsewhere] = await Promise.all([
    known ?? reader.read(call),
    readElsewhere(kind?.elsewhere?.(written) ?? [], written, parts, call),
  ]);
  return { ...(kind?.plan ?? planOther)(written, read, reader, elsewhere), isAbsent: 'absent' in read };
}

/** By itself, so that a place that cannot be read leaves the others known. */
async function readElsewhere(
  places: readonly string[],
  written: WrittenCall,
  parts: ReadingParts,
  call: CallOptions,
): Promise<Elsewhere | undefined> {
  if (places.length === 0) return undefined;
  const parameters = { ...written.parameters, marketplaceIds: places };
  const reader = createStateReader({ ...written, parameters }, parts, LISTING_PARTS);
  return typeof reader === 'string' ? undefined : { places, reader, read: await reader.read(call) };
}
