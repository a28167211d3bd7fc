/** Builds the call that puts back what was there before a write. */

import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { adapterOfRecorded, undoneWith } from '../../model/find-adapter.ts';
import type { RecordedWrite } from '../journal/entry.ts';
import type { WriteValues } from './write-values.ts';

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
  { operation: written }: Pick<RecordedWrite, 'operation'>,
  values: WriteValues,
  state?: JsonObject,
): UndoCall | undefined {
  const operation = undoneWith(written);
  if (operation === undefined) return undefined;
  const parameters = undoParameters(values);
  const body = adapterOfRecorded(values).undoBody(values, state);
  return isJsonObject(body) ? { operation, parameters, body } : undefined;
}

/** Returns the parameters that find the same thing again. */
export const undoParameters = ({ parameters }: Pick<WriteValues, 'parameters'>): UndoCall['parameters'] =>
  Object.fromEntries(
    NAMED.flatMap((name) => (parameters[name] === undefined ? [] : [[name, parameters[name]]])),
  );
