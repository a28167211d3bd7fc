/** The plan of a collection: where the data are from, how they are had, and for how long they are new enough. plan-collection.ts and a review make it, collection-jobs.ts does it. */

import * as z from 'zod';
import type { Clock } from '../../base/clock.ts';
import { ApiError } from '../../base/errors.ts';
import type { Idle } from '../../base/semaphore.ts';
import { insteadHint, type Refusal, refusalWords } from '../../call/access.ts';
import type { CallInput, Client } from '../../call/client-types.ts';
import type { Downloads } from '../../call/download/download.ts';
import type { Operation } from '../../service/facts/operation.ts';
import type {
  CollectionInfo,
  CollectionSource,
  LastOfKind,
  Loader,
  QueryResult,
} from '../tables/table-types.ts';
import type { SavedRaw, Saving } from './save-raw.ts';

/** Pages that were read since then are given again. */
export const RECENT_PAGES_MS = 10 * 60_000;

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
  /** The last complete collection of the same kind that had rows. */
  lastOfKind?(source: CollectionSource): Promise<LastOfKind | undefined>;
  /** All rows of a SELECT over what was collected, at most so many; more are counted. */
  rowsOf?(sql: string, most: number): Promise<QueryResult>;
  /** Items with words in the place of their documents, which no table takes. */
  describe?(operation: Operation, items: readonly unknown[]): Promise<readonly unknown[]>;
}

export interface CollectionPlan {
  source: CollectionSource;
  /** A collection of this age at most is as good as a new one, in milliseconds. */
  recentMs: number;
  /** Under which name the work saves what it reads. */
  saveAs?: string | undefined;
  /** @throws ApiError where the service has refused in this session what the work would ask for: it is not begun */
  checkAccess?: (() => void) | undefined;
  work: CollectionWork;
}

/** The refusal (403) of an operation of which no call was answered in this session. */
export function standingRefusal(
  { refusalOf }: Pick<Client, 'refusalOf'>,
  operation: string,
  owner: NonNullable<CallInput['owner']>,
  about: readonly string[] = [],
): Refusal | undefined {
  const refusal = refusalOf?.(operation, owner, about);
  return refusal?.answeredBefore === 0 ? refusal : undefined;
}

/** @throws ApiError where the service has refused such calls in this session, and answered none */
export function checkNotRefused(
  client: Pick<Client, 'refusalOf'>,
  operation: Operation,
  owner: NonNullable<CallInput['owner']>,
  about: readonly string[] = [],
): void {
  const refusal = standingRefusal(client, operation.id, owner, about);
  if (refusal === undefined) return;
  const isRefused = (id: string) => standingRefusal(client, id, owner) !== undefined;
  throw new ApiError(
    { status: 403 },
    `${operation.name} was ${refusalWords(refusal)}. No collection was begun, and nothing was sent.`,
    `With fresh: true it is tried again. ${insteadHint(operation, { answered: 0, isRefused, given: {} })}`.trim(),
  );
}

/** How far a run is, in our own words: nothing in them comes from the service. */
export const progressSchema = z.object({
  /** `340 of about 1,000 items`. */
  message: z.string().max(500),
  done: z.number().optional(),
  total: z.number().optional(),
  /** Until the end, as far as it can be told. */
  leftMs: z.number().optional(),
  /** True where that is only until the next step, and nobody knows how many there are. */
  isAtLeast: z.boolean().optional(),
  /** True until the service has answered the first call: a refusal is told at once, and not later. */
  awaitsFirst: z.boolean().optional(),
});
export type RunProgress = z.output<typeof progressSchema>;

export interface WorkParts {
  /** A place for the rows; it is abandoned at the end of the work unless it was finished. */
  openLoader(): Promise<Loader>;
  /** Aborts when the session ends. */
  signal: AbortSignal;
  tell(progress: RunProgress): void;
  /** For waiting that takes no work here: others have the place meanwhile. */
  idle: Idle;
}

/** `saved`: what the work has saved for the person beside its tables. */
export type CollectionResult = CollectionInfo & { saved?: SavedRaw | undefined };

/** Collects, and finishes one loader. */
export type CollectionWork = (parts: WorkParts) => Promise<CollectionResult>;
