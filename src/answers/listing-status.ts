/** What the summaries of an item say about buying and finding it, per marketplace (section 2.3). */

import { isJsonObject } from '../json.ts';
import { showText } from '../text/escape-text.ts';
import { LONGEST, listWords, type MarketplaceName, marketplaceWords } from './issue-words.ts';

export interface ListingStatus {
  marketplaceId?: string;
  /** As sent; undefined when no status was sent, empty when an empty one was. */
  status?: string[];
}

const MOST_LINES = 30;

/** One entry for each summary that is an object. */
export function readStatuses(item: unknown): ListingStatus[] {
  const summaries = isJsonObject(item) && Array.isArray(item.summaries) ? item.summaries : [];
  return summaries.filter(isJsonObject).map(({ marketplaceId, status }) => ({
    ...(typeof marketplaceId === 'string' ? { marketplaceId } : {}),
    ...readStatus(status),
  }));
}

function readStatus(status: unknown): { status?: string[] } {
  if (typeof status === 'string') return { status: [status] };
  if (!Array.isArray(status)) return {};
  return { status: status.map((each) => (typeof each === 'string' ? each : String(JSON.stringify(each)))) };
}

/** `Status in US: BUYABLE, DISCOVERABLE`, one line for each summary that tells a status. */
export function statusLines(statuses: readonly ListingStatus[], name: MarketplaceName | undefined): string[] {
  const told = statuses.flatMap(({ marketplaceId, status }) => {
    if (status === undefined) return [];
    const where = marketplaceId === undefined ? '' : ` in ${marketplaceWords(marketplaceId, name)}`;
    return [`Status${where}: ${statusWords(status)}`];
  });
  const more = told.length - MOST_LINES;
  return more > 0 ? [...told.slice(0, MOST_LINES), `and the status of ${more} more summaries`] : told;
}

function statusWords(status: readonly string[]): string {
  const shown = listWords(status, (each) => showText(each, LONGEST));
  if (status.length === 0) return 'neither BUYABLE nor DISCOVERABLE';
  return status.includes('BUYABLE') ? shown : `${shown} (not BUYABLE)`;
}
