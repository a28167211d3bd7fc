/** What the steps of one review share: whose it is, how calls are made, what was found. */

import type { Clock } from '../../base/clock.ts';
import { parseItems } from '../../base/json.ts';
import type { CallInput, CallResult, Client } from '../../call/client.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { collectPages, type Place } from '../collections/pages.ts';
import { memberAt } from '../collections/read-page.ts';
import type { Idle, RunProgress } from '../collections/work.ts';

export interface ReviewJob {
  client: Client;
  clock: Clock;
  account: string;
  owner: CallInput['owner'];
  find(operation: string): Operation;
  signal: AbortSignal;
  tell(progress: RunProgress): void;
  /** Waits for others without keeping the run's place. */
  idle: Idle;
}

/** One of the marketplaces that are reviewed. */
export interface Marketplace {
  id: string;
  /** Its country, or the id where that is not known. */
  name: string;
}

export interface PagesRequest {
  operation: Operation;
  parameters: Readonly<Record<string, unknown>>;
  add(item: unknown): void;
  tell?: (progress: RunProgress) => void;
  /** Looks at each answer; what it throws ends the reading. */
  look?: (result: CallResult) => void;
}

/** All pages of one request, each item once, as patiently as other collections are read. */
export async function readPages(
  { client, clock, signal, account, owner }: ReviewJob,
  { operation, parameters, add, tell = () => {}, look = () => {} }: PagesRequest,
): Promise<{ complete: boolean; notes: string[] }> {
  const { paging } = operation;
  if (paging === undefined) throw new Error(`${operation.id} has no pages`);
  const looking: Pick<Client, 'call'> = {
    async call(input, options) {
      const result = await client.call(input, options);
      look(result);
      return result;
    },
  };
  const place = createItemSink(add);
  return collectPages({
    operation,
    paging,
    clock,
    signal,
    tell,
    client: looking,
    table: 'items',
    input: { parameters, account, owner },
    open: async () => place,
  });
}

// Takes the items of pages in memory, each once, where a collection would: they become rows only when all are in.

/** @param add gets each item whose key has not come before */
function createItemSink(add: (item: unknown) => void): Place {
  const seen = new Set<unknown>();
  return {
    async addItems(_table, given, key) {
      const items = parseItems(given);
      let rows = 0;
      for (const item of items) {
        const id = key === undefined ? undefined : memberAt(item, key);
        if (id !== undefined && seen.has(id)) continue;
        seen.add(id);
        add(item);
        rows += 1;
      }
      return { rows, repeated: items.length - rows };
    },
    async abandon() {
      seen.clear();
    },
  };
}
