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

export type View = TableView;

/** ISO 4217, and null where it is not known which. */
export interface Money {
  amount: number;
  currency: string | null;
}

/** Rows as they are, such as those of a query. */
export interface TableView {
  kind: 'table';
  name: string;
  columns: readonly { name: string; isNumber: boolean }[];
  rows: readonly (readonly (string | number | null)[])[];
  /** All there are; more than are here where something is left out. */
  total: number;
  notes: readonly string[];
}
