/**
 * Declares a question that is asked at a page of the user's own. Throwing it ends this round; after approval
 * the call runs again from its start.
 */

import type { ApprovalRow } from '../../../../views/data.ts';
import type { OutcomeCounts } from '../../model/outcome.ts';
import type { BatchOutcome, ItemResult } from '../../run/items/batch-result.ts';

/** The batch as the page shows it. */
export interface PageRows {
  total: number;
  /** The heading, such as `260 listings, Germany`. */
  head: string;
  /** The lines about all of the rows. */
  around: readonly string[];
  /** Returns the rows, unusual ones first, then the largest, with the values in clear. */
  rows(): Promise<readonly ApprovalRow[]>;
  /** Extends the life of the prepared batch while the user is asked. */
  renew(): void;
  /** The items are sent together or not at all, so none can be excluded. */
  isWhole?: boolean;
  /**
   * Returns the outcome of each item, or undefined before the batch starts; absent if only the answer has it.
   * @param id the id of the batch, if it is known
   */
  outcomes?(id: string | undefined): Promise<PageOutcomes | undefined>;
}

interface PageOutcomes {
  outcome: BatchOutcome;
  counts: OutcomeCounts;
  items: readonly Pick<ItemResult, 'key' | 'outcome'>[];
}

export interface PageQuestion {
  account: string;
  /** A digest of the write: the same change has one page at a time. */
  change: string;
  /**
   * This program opens the page, because the host cannot, or may have declined a question that it never
   * showed.
   */
  opensHere: boolean;
  /** The id of the operation, or the name of the tool. */
  operation: string;
  /** The text for the user, with the values in clear. */
  question: string;
  /** The lines of the service's validation, and others that follow a preview. */
  checked: readonly string[];
  rows?: PageRows | undefined;
  /** Issues a state that is valid for one approval of exactly this content. */
  issue(): Promise<string>;
  /** Records that the user declined, by default at the page. @throws WriteRefusedError always */
  refuse(reason?: string, hint?: string): Promise<never>;
  /** The work that waits for the answer. Its functions never reject. */
  waiting?: WaitingForAnswer | undefined;
}

/** The choices of the operator where nobody can be asked. */
export const OPERATOR_CHOICES =
  'Do not repeat the call. Whoever runs this server decides how writes are approved then: with --writes=code (SELLER_WRITES; confirm: code in an access file) the assistant gets a confirmation code, which does not prove that a person approved. With --read-only nothing is written. A preview with dryRun still works.';

interface WaitingForAnswer {
  /** Extends the wait, because the user does something at the page. */
  renew(): Promise<void>;
  /** Ends the wait, because the page closes without an approval. */
  leave(): Promise<void>;
}

export class AskAtPage extends Error {
  readonly asked: PageQuestion;

  constructor(asked: PageQuestion) {
    super('The person is being asked at a page.');
    this.name = 'AskAtPage';
    this.asked = asked;
  }
}
