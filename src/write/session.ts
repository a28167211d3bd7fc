/** Declares the session and the call as tools see them: the parts for reads, and those that writes add. */

import type { Lazy } from '../base/lazy.ts';
import type { ReadingContext, ReadingSession } from '../render/reading-session.ts';
import type { ApprovalPages } from './approval/page/approval-pages.ts';
import type { ShownBatches, ShownCalls } from './approval/shown-store.ts';
import type { ContentThreads } from './handlers/document/content/content-threads.ts';
import type { BackgroundReads } from './handlers/listing/background-reads.ts';
import type { Journal } from './records/journal/journal.ts';
import type { Batches } from './run/batches/batches.ts';
import type { WriteGuard } from './write-guard.ts';

/** The parts of a session for its writes. */
interface Writing {
  writeGuard(): Promise<WriteGuard>;
  /** The calls that were answered with a code, until the code expires. */
  shownCalls(): Promise<ShownCalls>;
  /** The pages that wait for approval. */
  yesPages: Lazy<ApprovalPages>;
  /** The accounts whose unfinished batches this session has already reported. */
  toldUnfinished: Set<string>;
  /** The previewed batches, until their approval expires. */
  shownBatches(): Promise<ShownBatches>;
  /** Each write, with the values before it for some days, so that it can be undone. */
  journal(): Promise<Journal>;
  /** The confirmed batches, stored until each item has an outcome. */
  batches(): Promise<Batches>;
  /** The listings read for a batch of changes by calls that ended before all were read. */
  readings(): Promise<BackgroundReads>;
  /** Returns the threads that read outgoing documents. */
  contentThreads(): Promise<ContentThreads>;
}

export interface Session extends ReadingSession, Writing {}

/** One tool call. */
export interface ToolContext extends ReadingContext {
  session: Session;
  /**
   * The originals of placeholders in a call that asks nobody: its client sends none of them (see
   * `withholdMarks`).
   */
  withheld?: Set<string>;
  /** True if no caller waits for the answer, so that the outcome of a batch is still to be shown. */
  isUnheard?: boolean;
}

/** The arguments that every write tool takes beside its own. */
export interface WriteFlags {
  /** True for a preview: nobody is asked, and nothing is sent. */
  dryRun?: boolean | undefined;
  confirmationCode?: string | undefined;
  /** Stops a running batch between two items. */
  stop?: boolean | undefined;
  /** The name under which the whole batch, or the documents of the answer, are saved for the user. */
  saveAs?: string | undefined;
}
