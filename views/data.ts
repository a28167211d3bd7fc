/** What a page is made of, as the program hands it over: types only, so that program and browser agree and share nothing else. */

/** One page: one or more views of one account. */
export interface PageData {
  title: string;
  /** Whose data these are. */
  account: string;
  /** ISO 8601, UTC. */
  madeAt: string;
  isSandbox: boolean;
  views: readonly View[];
}

export type View = HealthView | NewsView | HoursView | ChangesView | CollectedView | RowsView | YesView;

/** ISO 4217; null where it is not known which. */
export interface Money {
  amount: number;
  currency: string | null;
}

/** What keeps listings from being sold, or from being found. */
type Enforced = 'altogether' | 'search';

// Listing health.

export interface HealthView {
  kind: 'health';
  /** What to ask the assistant for a review, or for a new one. */
  ask: string;
  /** Absent where none is kept. */
  review?: HealthReview;
}

export interface HealthReview {
  /** ISO 8601, UTC. */
  collectedAt: string;
  complete: boolean;
  notes: readonly string[];
  places: readonly HealthPlace[];
  /** The worst first. */
  causes: readonly HealthCause[];
  /** Every issue once, however many listings have it. */
  issues: readonly HealthIssue[];
  listings: readonly HealthListing[];
  /** Listings that are not here; none of them is suppressed unless all that are here are. */
  left: number;
}

export interface HealthPlace {
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
  /** What can be done at once, in words of ours. */
  needed?: string;
  ask: string;
}

export interface HealthIssue {
  code: string;
  severity: string;
  attributes: string;
  message: string;
  /** What it does, in words: `hidden from search`; what it would do, while an exemption keeps it off. */
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
  /** Of an enforcement that an exemption keeps off until then: ISO 8601; empty where no end is told. */
  exemptUntil: string | null;
  isBuyable: boolean | null;
  /** Places in `issues`, and until when the listing is exempt of each. */
  issues: readonly (readonly [number, string | null])[];
  ask: string;
}

// What changed.

export interface NewsView {
  kind: 'news';
  ask: string;
  places: readonly NewsPlace[];
  /** Moments of reviews that are kept and can be compared with: ISO 8601, the newest first. */
  moments: readonly string[];
  /** Of them, the one that is compared with; the review before where absent. */
  chosen?: string;
}

export interface NewsPlace {
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
  places: readonly HoursPlace[];
  /** What to say of what is odd. */
  ask?: string;
  /** The last change of its hours from here: when, and what to say to take it back. */
  changed?: { at: string; what: string; ask?: string };
}

export interface HoursPlace {
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
  /** In words: `done`, `9 done, 1 not accepted`. */
  outcome: string;
  isGood: boolean;
  error: string | null;
  undoes: string | null;
  /** What to say to take it back; absent where it cannot be. */
  ask?: string;
  /** In a sentence. */
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

/** A change that waits for a yes. The page reads its rows with `rows`, and how it stands with `state`. */
export interface YesView {
  kind: 'yes';
  head: string;
  /** The question, or what is told of all rows. */
  lines: readonly string[];
  /** The number of rows that can be taken out; 0 where one change stands alone. */
  total: number;
  /** The rows go together, such as those of a document. */
  hasRows?: boolean;
}

/** What is out of the ordinary first, then the largest; with the values in clear. */
export interface YesRow {
  /** Unique in the list. */
  key: string;
  /** `LMP-1 "Table lamp"`. */
  name: string;
  /** `price: 19.99 EUR -> 17.99 EUR`. */
  change: string;
  /** What is out of the ordinary, in words. */
  odd: string;
  /** What was changed of it from here within a day, in words. */
  lately: string;
  /** The largest change of an amount in it: -0.45 is 45 % less; absent where no amount changes. */
  size?: number;
}

export interface YesState {
  /** `left`: nobody did anything on it for too long; `closed`: by the assistant, or with the program. */
  standing: 'waiting' | 'yes' | 'no' | 'left' | 'closed';
  /** When it ends, by the clock of the computer: `14:32`. */
  closesAt?: string | undefined;
  /** What is taken out: one bit for each row, as base64. */
  out: string;
  /** How many rows ended how; absent before the first is known. */
  counts?: Readonly<Record<string, number>> | undefined;
  /** Nothing more becomes of it. */
  isOver: boolean;
  /** Ends of single rows, from the one with the number `from` on: place, how, and why. */
  from: number;
  ends: readonly (readonly [place: number, kind: string, why: string])[];
  /** What the assistant is told, once that is known. */
  text?: string | undefined;
  failed?: boolean | undefined;
  /** Of what was sent last from the page. */
  problem?: string | undefined;
}
