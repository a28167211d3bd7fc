/** Quantity and handling time of the channel that the seller ships from; what the service's warehouses hold is never set. */

import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { quoteName } from '../../../base/text/quote-name.ts';
import { selectorOf } from './entries.ts';
import type { ListingPlace, ListingState, SetAttribute, SetProblem } from './listing-state.ts';
import { problem } from './set-offer.ts';
import type { SetValues } from './set-values.ts';

export const STOCK = 'fulfillment_availability';
const CHANNEL = 'fulfillment_channel_code';
/** What the seller ships. */
const OWN = 'DEFAULT';
const MOST_NAMED = 5;

/** Of the service's own warehouses. */
export const isWarehouse = (code: string): boolean => code.startsWith('AMAZON');

/** Undefined where nothing of it is to change. */
export function setStock(
  { attributes, channels }: ListingState,
  { quantity, handling_time: days }: SetValues,
  { marketplaceId }: ListingPlace,
): SetAttribute | SetProblem | undefined {
  if (quantity === undefined && days === undefined) return undefined;
  const word = quantity === undefined ? 'handling_time' : 'quantity';
  const warehouse = channels.find(isWarehouse);
  if (warehouse !== undefined) return problem(word, warehoused(word, warehouse));
  const entries = attributes[STOCK] ?? [];
  const own = ownEntry(entries);
  if ('message' in own) return problem(word, own.message);
  const changed: JsonObject = {
    ...(own.entry ?? { [CHANNEL]: OWN, marketplace_id: marketplaceId }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(days === undefined ? {} : { lead_time_to_ship_max_days: days }),
  };
  const all =
    own.entry === undefined
      ? [...entries, changed]
      : entries.map((one) => (one === own.entry ? changed : one));
  return { name: STOCK, entries: all };
}

function warehoused(word: string, code: string): string {
  const why = `this is an FBA listing (${quoteName(code)})`;
  return word === 'quantity'
    ? `cannot be set: ${why}, and its quantity is what the warehouses hold. A quantity would make it one that the seller ships`
    : `cannot be set: ${why}, and the warehouses ship it`;
}

/** The seller's own channel; the only one where it has another code, since another code would add a channel. */
function ownEntry(entries: readonly unknown[]): { entry: JsonObject | undefined } | { message: string } {
  const all = entries.filter(isJsonObject);
  const own = all.filter((entry) => selectorOf(entry, CHANNEL) === OWN);
  const [entry] = own.length > 0 ? own : all;
  if (own.length === 1 || all.length <= 1) return { entry };
  const codes = all.slice(0, MOST_NAMED).map((one) => quoteName(selectorOf(one, CHANNEL) ?? OWN));
  return { message: `cannot be told: there are ${all.length} channels (${codes.join(', ')}); give patches` };
}
