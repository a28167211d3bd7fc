/** What the work of a collection is given, and how it tells how far it is. */

import type { CollectionInfo, Loader } from '../tables/types.ts';
import type { SavedRaw } from './save-raw.ts';

/** How far a run is, in our own words: nothing in them comes from the service. */
export interface RunProgress {
  /** `340 of about 1,000 items`. */
  message: string;
  done?: number | undefined;
  total?: number | undefined;
  /** Until the end, as far as it can be told. */
  leftMs?: number | undefined;
  /** True where that is only until the next step, and nobody knows how many there are. */
  isAtLeast?: boolean | undefined;
}

export interface WorkParts {
  /** A place for the rows; it is abandoned at the end of the work unless it was finished. */
  open(): Promise<Loader>;
  /** Aborts when the session ends. */
  signal: AbortSignal;
  tell(progress: RunProgress): void;
  /** For waiting that takes no work here: others have the place meanwhile. */
  idle: Idle;
}

export type Idle = <T>(wait: () => Promise<T>) => Promise<T>;

/** `saved`: what the work has saved for the person beside its tables. */
export type Made = CollectionInfo & { saved?: SavedRaw };

/** Collects, and finishes one loader. */
export type Work = (parts: WorkParts) => Promise<Made>;
