/** Types of the data that the program hands to a page, so that program and browser agree and share nothing else. */

/** One page: one or more views of one account. */
export interface PageData {
  title: string;
  /** The account and seller that the data belong to. */
  account: string;
  /** ISO 8601, UTC. */
  madeAt: string;
  isSandbox: boolean;
  views: readonly View[];
}

export type View = HealthView | NewsView | HoursView | ChangesView | CollectedView | RowsView | ApprovalView;

/** ISO 4217; null where it is not known which. */
export interface Money {
  amount: number;
  currency: string | null;
}

/** A cause that keeps listings from being sold or found. */
type Enforced = 'altogether' | 'search';

// Listing health.

export interface HealthView {
  kind: 'health';
  /** The question that asks the assistant for a review, or for a new one. */
  ask: string;
  /** Absent where none is kept. */
  review?: HealthReview;
}

export interface HealthReview {
  /** ISO 8601, UTC. */
  collectedAt: string;
  complete: boolean;
  notes: readonly string[];
  places: readonly HealthMarketplace[];
  /** The worst first. */
  causes: readonly HealthCause[];
  /** Every issue once, however many listings have it. */
  issues: readonly HealthIssue[];
  listings: readonly HealthListing[];
  /** Listings that are not here; none of them is suppressed unless all that are here are. */
  left: number;
}

export interface HealthMarketplace {
  name: string;
  listings: number;
  altogether: number;
  search: number;
  exempt: number;
  /** Not suppressed by any issue, and cannot be bought all the same. */
  unbuyable: number;
  soldOut: number;
  /** Suppressed, with a price or a stock that is not known. */
  unpriced: number;
  standing: readonly Money[];
}

export interface HealthCause {
  key: string;
  code: string;
  severity: string;
  attributes: string;
  message: string;
  effect: Enforced;
  listings: number;
  standing: readonly Money[];
  /** The step that can be done at once, as a sentence. */
  needed?: string;
  ask: string;
}

export interface HealthIssue {
  code: string;
  severity: string;
  attributes: string;
  message: string;
  /** Its effect, such as `hidden from search`, or the effect that an exemption keeps off. */
  effect: string;
  isInForce: boolean;
  /** Key of the cause that it belongs to, where it is in force. */
  cause?: string;
}

export interface HealthListing {
  sku: string;
  place: string;
  title: string | null;
  price: number | null;
  stock: number | null;
  currency: string | null;
  /** Price x stock. */
  amount: number | null;
  enforced: Enforced | null;
  /** The end of the exemption that keeps the enforcement off, in ISO 8601; empty if it has none. */
  exemptUntil: string | null;
  isBuyable: boolean | null;
  /** Places in `issues`, and until when the listing is exempt of each. */
  issues: readonly (readonly [number, string | null])[];
  ask: string;
}

// The page of what is new.

export interface NewsView {
  kind: 'news';
  ask: string;
  places: readonly NewsMarketplace[];
  /** Moments of reviews that are kept and can be compared with: ISO 8601, the newest first. */
  moments: readonly string[];
  /** The review that this one is compared with; absent for the one just before. */
  chosen?: string;
}

export interface NewsMarketplace {
  name: string;
  at?: string;
  /** Absent where there is nothing to compare with. */
  since?: string;
  note?: string;
  groups: readonly NewsGroup[];
  changes: readonly NewsChange[];
}

export interface NewsGroup {
  /** `worse`, `gone`. */
  name: string;
  /** `3 listings are worse`, without the number. */
  words: string;
  isGood: boolean;
  listings: number;
  /** After a write from here. */
  ours: number;
  standing: readonly Money[];
}

export interface NewsChange {
  sku: string;
  title: string | null;
  group: string;
  from: string | number | null;
  to: string | number | null;
  currency: string | null;
  amount: number | null;
  isOurs: boolean;
  ask: string;
}

// Hours of stores.

export interface HoursView {
  kind: 'hours';
  ask: string;
  stores: readonly HoursStore[];
}

export interface HoursStore {
  id: string;
  name: string;
  zone: string | null;
  /** ISO 8601. */
  collectedAt: string | null;
  places: readonly HoursChannel[];
  /** The question to ask the assistant about unusual hours. */
  ask?: string;
  /** The last change of its hours from here, and the request that undoes it. */
  changed?: { at: string; what: string; ask?: string };
}

export interface HoursChannel {
  /** `the store`, `pickup`. */
  name: string;
  isOffered: boolean;
  days: readonly HoursDay[];
}

export interface HoursDay {
  /** `monday`. */
  name: string;
  /** Absent where nothing is known of the day. */
  open?: readonly Span[];
  /** Before the last change from here; absent where it did not change. */
  before?: readonly Span[];
  /** `09:00-12:00 and 11:00-18:00 overlap`. */
  faults: readonly string[];
}

/** Minutes since midnight. */
export type Span = readonly [number, number];

// Changes.

export interface ChangesView {
  kind: 'changes';
  ask: string;
  /** The newest first. */
  changes: readonly Change[];
  left: number;
  /** Written under the same name by another owner: not shown. */
  ofOthers: number;
}

/** One write, or a list of them. */
export interface Change {
  id: string;
  at: string;
  what: string;
  /** The outcome as text: `done`, `9 done, 1 not accepted`. */
  outcome: string;
  isGood: boolean;
  error: string | null;
  undoes: string | null;
  /** The request that undoes it; absent if it cannot be undone. */
  ask?: string;
  /** The reason why it cannot be undone. */
  whyNot?: string;
  items: readonly ChangeItem[];
  /** More than are here. */
  left: number;
}

export interface ChangeItem {
  id: string;
  thing: string;
  member: string | null;
  from: string | number | null;
  to: string | number | null;
  currency: string | null;
  outcome: string;
  error: string | null;
}

// Collected data.

export interface CollectedView {
  kind: 'data';
  ask: string;
  collections: readonly DataCollection[];
}

export interface DataCollection {
  id: string;
  source: string;
  collectedAt: string;
  complete: boolean;
  /** ISO 8601; null where it ends with the process that collected it. */
  until: string | null;
  notes: readonly string[];
  tables: readonly DataTable[];
}

export interface DataTable {
  name: string;
  rows: number;
  /** A list within the rows of another table. */
  isNested: boolean;
  columns: readonly {
    name: string;
    type: string;
    from: string | null;
    to: string | null;
    note: string | null;
  }[];
}

/** Rows as they are, such as those of a query. */
export interface RowsView {
  kind: 'rows';
  name: string;
  columns: readonly { name: string; isNumber: boolean }[];
  rows: readonly (readonly (string | number | null)[])[];
  /** All there are; more than are here where something is left out. */
  total: number;
  notes: readonly string[];
}

/** A change that waits for approval. The page reads its rows with `rows`, and its progress with `state`. */
export interface ApprovalView {
  kind: 'yes';
  head: string;
  /** The question, or what is told of all rows. */
  lines: readonly string[];
  /** The number of rows that can be taken out; 0 where one change stands alone. */
  total: number;
  /** The rows go together, such as those of a document. */
  hasRows?: boolean;
}

/** A row of an approval request, unmasked. Unusual rows come first, then the largest changes. */
export interface ApprovalRow {
  /** Unique in the list. */
  key: string;
  /** `LMP-1 "Table lamp"`. */
  name: string;
  /** `price: 19.99 EUR -> 17.99 EUR`. */
  change: string;
  /** A sentence about what is unusual in it. */
  odd: string;
  /** A sentence about its changes from here within a day. */
  lately: string;
  /** The largest change of an amount in it: -0.45 is 45 % less; absent where no amount changes. */
  size?: number;
}

export interface ApprovalState {
  /** `left`: nobody did anything on it for too long; `closed`: by the assistant, or with the program. */
  standing: 'waiting' | 'yes' | 'no' | 'left' | 'closed';
  /** When it ends, by the clock of the computer: `14:32`. */
  closesAt?: string | undefined;
  /** The removed rows: one bit a row, as base64. */
  out: string;
  /** How many rows ended how; absent before the first is known. */
  counts?: Readonly<Record<string, number>> | undefined;
  /** The request has ended, and its state does not change any more. */
  isOver: boolean;
  /** Ends of single rows, from the one with the number `from` on: place, how, and why. */
  from: number;
  ends: readonly (readonly [place: number, kind: string, why: string])[];
  /** The result that the assistant receives, once it is known. */
  text?: string | undefined;
  failed?: boolean | undefined;
  /** The problem of the last request that the page sent. */
  problem?: string | undefined;
}
