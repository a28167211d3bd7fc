/** A question that is asked at a page of the person's own: thrown to end this round, and the call runs again, from its start, when they have said yes there. */

import type { YesRow } from '../../../../views/data.ts';
import type { Counts } from '../../model/outcome.ts';
import type { BatchOutcome, ItemResult } from '../../run/items/batch-result.ts';

/** A list as the page shows it. */
export interface AskedRows {
  total: number;
  /** `260 listings, Germany`. */
  head: string;
  /** What is told of all of them, each a line. */
  around: readonly string[];
  /** What is out of the ordinary first, then the largest; with the values in clear. */
  rows(): Promise<readonly YesRow[]>;
  /** What was prepared is kept for as long as it is asked about. */
  renew(): void;
  /** The items are sent together or not at all, so none can be taken out. */
  isWhole?: boolean;
  /**
   * Returns the outcome of each item, or undefined before the batch starts; absent where the answer alone
   * tells it.
   * @param id of the batch, where it is known
   */
  outcomes?(id: string | undefined): Promise<PageOutcomes | undefined>;
}

interface PageOutcomes {
  outcome: BatchOutcome;
  counts: Counts;
  items: readonly Pick<ItemResult, 'key' | 'outcome'>[];
}

export interface AskedAtPage {
  account: string;
  /** A digest of what is written: the same change has one page at a time. */
  change: string;
  /** This program opens the page, because the host cannot, or may have declined what it never showed. */
  opensHere: boolean;
  /** Of the operation, or name of the tool. */
  operation: string;
  /** What the person reads, with the values in clear. */
  question: string;
  /** What the service said when it was asked whether it would take it, and other lines that stand behind a preview. */
  checked: readonly string[];
  rows?: AskedRows | undefined;
  /** Good for one yes to exactly this. */
  issue(): Promise<string>;
  /** Records that the person declined: at the page, where nothing else is said. @throws WriteRefusedError always */
  refuse(reason?: string, hint?: string): Promise<never>;
  /** The work that waits for the answer. Its functions never reject. */
  waiting?: WaitingForAnswer | undefined;
}

/** What is left to whoever runs the program where nobody can be asked. */
export const OPERATOR_CHOICES =
  'Do not repeat the call. Whoever runs this server decides how writes are approved then: with --writes=code (SELLER_WRITES; confirm: code in an access file) the assistant gets a confirmation code, which does not prove that a person approved. With --read-only nothing is written. A preview with dryRun still works.';

interface WaitingForAnswer {
  /** Extends the wait, because the user does something at the page. */
  renew(): Promise<void>;
  /** Ends the wait, because the page closes without an approval. */
  leave(): Promise<void>;
}

export class AskAtPage extends Error {
  readonly asked: AskedAtPage;

  constructor(asked: AskedAtPage) {
    super('The person is being asked at a page.');
    this.name = 'AskAtPage';
    this.asked = asked;
  }
}
