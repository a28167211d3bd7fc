/** What planning, asking, keeping and taking back need to know of the thing that a write changes: one object for a listing, one for a store, one for anything else. */

import type { JsonObject } from '../../base/json.ts';
import type { Difference, Segments } from '../../base/json-difference.ts';
import type { Change, Member, PlannedWrite } from './change.ts';
import type { RowAmounts } from './listing/changed-amounts.ts';
import type { MemberValue } from './member-values.ts';
import type { State, StateReader, WrittenCall } from './read-state.ts';
import type { NamePlace } from './words/describe-difference.ts';
import type { Line } from './words/fit-lines.ts';

export interface Kind {
  /** How its writes are worked out, by the id of their operation. */
  plans: Readonly<Record<string, Planning>>;
  /** What changes, a line for each thing that a person tells apart; empty where nothing does. */
  lines(change: Change): Line[];
  /** What places inside it are called. */
  place: NamePlace;
  /** At least one for each member that differs; none where nothing does, or nothing is known. */
  values(change: ChangedValues): MemberValue[];
  /** What is out of the ordinary, and how much it changes. @param sendsUnread more is sent than was read */
  unusual?(change: Change, sendsUnread: boolean): { words: string[]; amounts: RowAmounts };
  /** What the segments of its members lead into, and the side of a change that is made of that. */
  stateOf(side: unknown): unknown;
  sideOf(state: unknown): unknown;
  /** What differs between two sides of a change. */
  compare(before: unknown, after: unknown): Difference[];
  /** The service may add members, and answer the same in another order or another case. */
  isAsSent(segments: Segments, sent: unknown, now: unknown): boolean;
  /** What of a member counts in these places; without any, all of it. */
  within(value: unknown, places: readonly string[]): unknown;
  /** The member with this value in a place, that of other places as it is. */
  overlaid(now: unknown, place: string | undefined, value: unknown): unknown;
  /** Id of the operation that shows it. */
  shownBy: string;
  /** Ids of the operations that take back what these write. */
  undoneWith: Readonly<Record<string, string>>;
  /** The body that puts back what was there before. @param state what is there now */
  undoBody(values: { productType?: string; members: readonly Member[] }, state?: JsonObject): unknown;
}

export type ChangedValues = Pick<Change, 'subject' | 'places' | 'before' | 'after' | 'differences'>;

/** One of its writes. */
export interface Planning {
  /** Parameters of the reading operation beside those that the facts name. */
  more?: Readonly<Record<string, unknown>>;
  /** Marketplaces that the body names beside those of the call. */
  elsewhere?(written: WrittenCall): readonly string[];
  plan(written: WrittenCall, read: State, reader: StateReader, elsewhere?: Elsewhere): PlannedWrite;
}

/** Marketplaces that a body names beside those of its call, what was read of them, and how to read them again. */
export interface Elsewhere {
  places: readonly string[];
  reader: StateReader;
  read: State;
}
