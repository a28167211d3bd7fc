/** A question that is asked at a page of the person's own: thrown to end this round, and the call runs again, from its start, when they have said yes there. */

import type { YesRow } from '../../../../views/data.ts';
import type { Counts } from '../../model/outcome.ts';
import type { ListOutcome, ToldItem } from '../../run/items/told-list.ts';

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
  /** They are sent together or not at all: none can be taken out. */
  isWhole?: boolean;
  /** What became of each; undefined before it is begun; left out where the answer alone tells. @param id of the list, where it is known */
  outcomes?(id: string | undefined): Promise<PageOutcomes | undefined>;
}

interface PageOutcomes {
  outcome: ListOutcome;
  counts: Counts;
  items: readonly Pick<ToldItem, 'key' | 'outcome'>[];
}

export interface AskedAtPage {
  account: string;
  /** Of the operation, or name of the tool. */
  operation: string;
  /** What the person reads, with the values in clear. */
  question: string;
  /** What the service said when it was asked whether it would take it, and other lines that stand behind a preview. */
  checked: readonly string[];
  rows?: AskedRows | undefined;
  /** Good for one yes to exactly this. */
  issue(): Promise<string>;
  /** Writes the no down. @throws WriteRefusedError always */
  refuse(): Promise<never>;
  /** What waits for the answer. Neither of its functions ever rejects. */
  waiting?: WaitingForAnswer | undefined;
}

interface WaitingForAnswer {
  /** The person does something at the page: it waits longer. */
  renew(): Promise<void>;
  /** The page ends without a yes. */
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
