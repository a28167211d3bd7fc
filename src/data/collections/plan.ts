/** What a request to collect comes to: where the data are from, how they are had, and for how long they are new enough. */

import type { Clock } from '../../base/clock.ts';
import type { Client } from '../../call/client.ts';
import type { Downloads } from '../../call/download/download.ts';
import type { Operation } from '../../service/facts/operation.ts';
import type { CollectionInfo, CollectionSource } from '../tables/types.ts';
import type { ReadLarge } from './pages.ts';
import type { Saving } from './save-raw.ts';
import type { Work } from './work.ts';

/** What the work of an account needs. */
export interface Sources {
  client: Client;
  /** Opened on first use. */
  downloads(): Promise<Downloads>;
  /** By id or name. @throws InputError naming the candidates */
  find(operation: string): Operation;
  account: string;
  clock: Clock;
  /** Where the caller wants what is read, beside the tables. */
  saving?: Saving | undefined;
  /** What was collected of a source before. */
  kept?(source: CollectionSource): Promise<CollectionInfo | undefined>;
  /** Items with words in the place of their documents, which no table takes. */
  describe?(operation: Operation, items: readonly unknown[]): Promise<readonly unknown[]>;
  /** Where large pages are read, with words in the place of documents too. */
  readLarge?: ReadLarge;
}

export interface Plan {
  source: CollectionSource;
  /** Of the main table, before it is made unique. */
  table: string;
  /** A collection of this age at most is as good as a new one, in milliseconds. */
  recentMs: number;
  /** Under which name the work saves what it reads. */
  saveAs?: string | undefined;
  work: Work;
}
