/** What the steps of one review share: whose it is, how calls are made, what was found. */

import type { CallInput, CallResult, Client } from '../client/client.ts';
import type { Clock } from '../client/clock.ts';
import { collectPages } from '../collections/pages.ts';
import type { Idle, RunProgress } from '../collections/work.ts';
import type { Operation } from '../service/facts/operation.ts';
import { createItemSink } from './item-sink.ts';

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

/** All pages of one request, each item once, as patiently as any collection. */
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
    ...{ operation, paging, clock, signal, tell, client: looking, table: 'items' },
    input: { parameters, account, owner },
    open: async () => place,
  });
}

/** Requests that go on at once: the limit of the service decides which of them goes, not how long each takes. */
const AT_ONCE = 12;

/** Runs the work for each of them, some at once, in order; the first failure ends all. */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  let failed = false;
  const worker = async () => {
    for (const item of queue) {
      if (failed) return;
      await work(item).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
}

export function inChunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}
