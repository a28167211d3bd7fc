/** Adapts planning, approval, the journal and undo to what a write changes: one adapter for a listing, one for a store, one for anything else. */

import type { JsonObject } from '../../base/json.ts';
import type { Difference, Segments } from '../../base/json-difference.ts';
import type { Change, Member, WriteDiff } from './change.ts';
import type { RowAmounts } from './listing/changed-amounts.ts';
import type { MemberValue } from './member-values.ts';
import type { State, StateReader, WrittenCall } from './read-state.ts';
import type { NamePlace } from './words/describe-difference.ts';
import type { Line } from './words/fit-lines.ts';

export interface SubjectAdapter {
  /** How its writes are worked out, by the id of their operation. */
  planners: Readonly<Record<string, WritePlanner>>;
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
  /**
   * Reads the state from an answer of `shownBy`, as the segments of members lead into it; undefined for an
   * answer without such a thing.
   * @param places in which it counts @param now milliseconds since the epoch
   */
  read(answer: unknown, places: readonly string[], now: number): unknown;
  /** One splitter serves all states that are compared with each other. */
  createSplitter(): MemberSplitter;
  /**
   * Returns whether a part reads as it was sent, because the service may add members, and answer the same in
   * another order or another case.
   */
  isAsSent(segments: Segments, sent: unknown, now: unknown): boolean;
  /** Id of the operation that shows it. */
  shownBy: string;
  /** Ids of the operations that take back what these write. */
  undoneWith: Readonly<Record<string, string>>;
  /** The body that puts back what was there before. @param state what is there now */
  undoBody(values: { productType?: string; members: readonly Member[] }, state?: JsonObject): unknown;
}

/** Splits a state into the smallest members that somebody can change while another changes the one beside it. */
export interface MemberSplitter {
  splitState(state: unknown): unknown;
  joinState(parts: unknown): unknown;
  /** Splits a member of a write into the parts that differ, each with its whole value. */
  splitMember(member: Member): Member[];
  /** Returns the marketplace that a part belongs to; undefined where it counts in all. */
  marketplaceOf(segments: Segments): string | undefined;
  /**
   * Returns members as a write takes them, which put `before` in the place of `after`.
   * @param segments of the parts that differ
   * @param old the state whose order of entries counts, not in parts
   */
  restore(segments: readonly Segments[], before: unknown, after: unknown, old: unknown): Member[];
}

export type ChangedValues = Pick<
  Change,
  'subject' | 'places' | 'before' | 'pending' | 'after' | 'differences'
>;

/** One of its writes. */
export interface WritePlanner {
  /** Parameters of the reading operation beside those that the facts name. */
  more?: Readonly<Record<string, unknown>>;
  /** Marketplaces that the body names beside those of the call. */
  elsewhere?(written: WrittenCall): readonly string[];
  plan(written: WrittenCall, read: State, reader: StateReader, elsewhere?: Elsewhere): WriteDiff;
}

/** Marketplaces that a body names beside those of its call, what was read of them, and how to read them again. */
export interface Elsewhere {
  places: readonly string[];
  reader: StateReader;
  read: State;
}
