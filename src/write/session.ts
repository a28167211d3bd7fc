/** The session and the call as tools see them: what reads needs, and what writes have beside that. */

import type { Lazy } from '../base/lazy.ts';
import type { ReadingContext, ReadingSession } from '../tell/reading-session.ts';
import type { YesPages } from './ask/page/yes-pages.ts';
import type { ShownBatches, ShownCalls } from './ask/shown-before.ts';
import type { ContentThreads } from './handlers/document/content/content-threads.ts';
import type { Readings } from './handlers/listing/readings-under-way.ts';
import type { Journal } from './keep/journal/journal.ts';
import type { Batches } from './run/batches/batches.ts';
import type { WriteGuard } from './write-guard.ts';

/** What a session has for its writes. */
interface Writing {
  writeGuard(): Promise<WriteGuard>;
  /** Calls that were answered with a code, until it is too old. */
  shownCalls(): Promise<ShownCalls>;
  /** Pages that wait for a yes. */
  yesPages: Lazy<YesPages>;
  /** Accounts of which the unfinished lists were told. */
  toldUnfinished: Set<string>;
  /** Lists of writes that were shown, until the yes to them is too old. */
  shownBatches(): Promise<ShownBatches>;
  /** Each write, with the values before it for some days, so that it can be undone. */
  journal(): Promise<Journal>;
  /** Confirmed lists of writes, on the disk until each of them has an outcome. */
  batches(): Promise<Batches>;
  /** Listings that are read for a list of changes, by calls that ended before all were read. */
  readings(): Promise<Readings>;
  /** Returns the threads that read outgoing documents. */
  contentThreads(): Promise<ContentThreads>;
}

export interface Session extends ReadingSession, Writing {}

/** One tool call. */
export interface ToolContext extends ReadingContext {
  session: Session;
  /** What marks stand for in a call that nobody is asked about: its client sends none of it (see `withholdMarks`). */
  withheld?: Set<string>;
  /** Nobody waits for the answer: what became of a list stays to be told. */
  isUnheard?: boolean;
}

/** What every call that writes can say beside what it asks for. */
export interface HowToWrite {
  /** It is only shown: nobody is asked, and nothing is sent. */
  dryRun?: boolean | undefined;
  confirmationCode?: string | undefined;
  /** Ends what is under way of a list between two items. */
  stop?: boolean | undefined;
  /** Under which name the whole list, or the documents of the answer, are to be saved for the person. */
  saveAs?: string | undefined;
}
