/**
 * The plan of a collection: its source, its work and how long its data count as recent. plan-collection.ts
 * and the review make plans, collection-jobs.ts runs them.
 */

import * as z from 'zod';
import type { Clock } from '../../base/clock.ts';
import { ApiError } from '../../base/errors.ts';
import type { Idle } from '../../base/semaphore.ts';
import { formatRefusal, insteadHint, type Refusal } from '../../call/access.ts';
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
import type { SavedRaw, SaveTarget } from './save-raw.ts';

/** Pages that were read within this time are returned again. */
export const RECENT_PAGES_MS = 10 * 60_000;

/** The services that the work of an account needs. */
export interface CollectionSources {
  client: Client;
  /** Opens the downloads on first use. */
  downloads(): Promise<Downloads>;
  /** Finds an operation by id or name. @throws InputError that names the candidates */
  find(operation: string): Operation;
  account: string;
  clock: Clock;
  /** The place where the caller wants the raw data, beside the tables. */
  saving?: SaveTarget | undefined;
  /** Returns the stored collection of a source. */
  kept?(source: CollectionSource): Promise<CollectionInfo | undefined>;
  /** Returns the last complete collection of the same kind that had rows. */
  lastOfKind?(source: CollectionSource): Promise<LastOfKind | undefined>;
  /** Returns the rows of a SELECT over collected data, up to the maximum; further rows are only counted. */
  rowsOf?(sql: string, most: number): Promise<QueryResult>;
  /** Replaces documents within items by text, because no table takes documents. */
  describe?(operation: Operation, items: readonly unknown[]): Promise<readonly unknown[]>;
}

export interface CollectionPlan {
  source: CollectionSource;
  /** The max age, in milliseconds, at which a collection is as good as a new one. */
  recentMs: number;
  /** The name under which the work saves the raw data. */
  saveAs?: string | undefined;
  /** @throws ApiError if the service has refused such a call in this session; the work is then not started */
  checkAccess?: (() => void) | undefined;
  work: CollectionWork;
}

/** Returns the refusal (403) of an operation of which no call was answered in this session. */
export function unansweredRefusal(
  { refusalOf }: Pick<Client, 'refusalOf'>,
  operation: string,
  owner: NonNullable<CallInput['owner']>,
  about: readonly string[] = [],
): Refusal | undefined {
  const refusal = refusalOf?.(operation, owner, about);
  return refusal?.answeredBefore === 0 ? refusal : undefined;
}

/** @throws ApiError if the service has refused such calls in this session and answered none */
export function checkNotRefused(
  client: Pick<Client, 'refusalOf'>,
  operation: Operation,
  owner: NonNullable<CallInput['owner']>,
  about: readonly string[] = [],
): void {
  const refusal = unansweredRefusal(client, operation.id, owner, about);
  if (refusal === undefined) return;
  const isRefused = (id: string) => unansweredRefusal(client, id, owner) !== undefined;
  throw new ApiError(
    { status: 403 },
    `${operation.name} was ${formatRefusal(refusal)}. No collection was begun, and nothing was sent.`,
    `With fresh: true it is tried again. ${insteadHint(operation, { answered: 0, isRefused, given: {} })}`.trim(),
  );
}

/** The progress of a run, in our own words: they contain nothing from the service. */
export const progressSchema = z.object({
  /** The progress text: `340 of about 1,000 items`. */
  message: z.string().max(500),
  done: z.number().optional(),
  total: z.number().optional(),
  /** The estimated time until the end. */
  leftMs: z.number().optional(),
  /** Whether the estimate reaches only to the next step, and the number of steps is unknown. */
  isAtLeast: z.boolean().optional(),
  /** True until the service has answered the first call, so that a refusal is reported at once. */
  awaitsFirst: z.boolean().optional(),
});
export type RunProgress = z.output<typeof progressSchema>;

export interface CollectionWorkParts {
  /** Opens a loader for the rows; it is abandoned at the end of the work unless it was finished. */
  openLoader(): Promise<Loader>;
  /** Aborts when the session ends. */
  signal: AbortSignal;
  tell(progress: RunProgress): void;
  /** Frees the slot for others during waits that need no work here. */
  idle: Idle;
}

/** `saved` lists the files that the work has saved for the user beside its tables. */
export type CollectionResult = CollectionInfo & { saved?: SavedRaw | undefined };

/** Collects and finishes one loader. */
export type CollectionWork = (parts: CollectionWorkParts) => Promise<CollectionResult>;
