/** The call that puts back what was there before a write. */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { own } from '../../../service/facts/schema-parts.ts';
import { SELECTORS, toList } from '../../model/listing/entries.ts';
import { toWritableSupplySource } from '../../model/store/body.ts';
import type { HistoryEntry } from './history-file.ts';
import { pointerOf, withValueAt } from './members.ts';
import { undoneWith } from './undoable.ts';
import type { WriteValues } from './values.ts';

export interface UndoCall {
  /** Operation id. */
  operation: string;
  parameters: Readonly<Record<string, unknown>>;
  body: JsonObject;
}

/** By which a listing or a store is found; whatever else was sent was for that one call. */
const NAMED = ['sellerId', 'sku', 'marketplaceIds', 'supplySourceId'];

/**
 * Whole attributes for a listing; for a store's configuration, which is only written whole, the members over its
 * current state.
 * @param state of the store, for its configuration
 */
export function buildUndoCall(
  { operation: written }: Pick<HistoryEntry, 'operation'>,
  values: WriteValues,
  state?: JsonObject,
): UndoCall | undefined {
  const operation = undoneWith(written);
  if (operation === undefined) return undefined;
  const parameters = Object.fromEntries(
    NAMED.flatMap((name) => (values.parameters[name] === undefined ? [] : [[name, values.parameters[name]]])),
  );
  if (operation === 'listings-items/patchListingsItem') {
    const { productType, members } = values;
    return { operation, parameters, body: { productType, patches: members.map(toPatch) } };
  }
  const base = state === undefined ? {} : toWritableSupplySource(state);
  const body = values.members.reduce<unknown>(
    (made, { segments, before }) => withValueAt(made, segments, before),
    base,
  );
  return isJsonObject(body) ? { operation, parameters, body } : undefined;
}

/** Whether the call is made of the state as it is now. */
export const needsState = ({ operation }: Pick<HistoryEntry, 'operation'>) =>
  operation === 'supply-sources/updateSupplySource';

/** An attribute that was not there is deleted, by what tells its entries apart. */
function toPatch({ segments, before, after }: WriteValues['members'][number]): JsonObject {
  const path = pointerOf(segments);
  if (before !== undefined) return { op: 'replace', path, value: before };
  const selectors = new Map(
    toList(after).map((entry) => [canonicalJson(selectorsOf(entry)), selectorsOf(entry)]),
  );
  const value = [...selectors.values()].filter((one) => Object.keys(one).length > 0);
  // An entry without any selector means all of them.
  return value.length === 0 || value.length < selectors.size
    ? { op: 'delete', path }
    : { op: 'delete', path, value };
}

function selectorsOf(entry: unknown): JsonObject {
  if (!isJsonObject(entry)) return {};
  return Object.fromEntries(
    SELECTORS.flatMap((name) => (own(entry, name) === undefined ? [] : [[name, own(entry, name)]])),
  );
}
