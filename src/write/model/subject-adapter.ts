/**
 * Adapts planning, approval, the journal and undo to what a write changes: one adapter for a listing, one for
 * a store, one for anything else.
 */

import type { JsonObject } from '../../base/json.ts';
import type { JsonDifference, Segments } from '../../base/json-difference.ts';
import type { Change, MemberChange, WriteDiff } from './change.ts';
import type { NamePath } from './format/describe-difference.ts';
import type { TextLine } from './format/fit-lines.ts';
import type { RowAmounts } from './listing/changed-amounts.ts';
import type { MemberValue } from './member-values.ts';
import type { ReadState, StateReader, WrittenCall } from './read-state.ts';

export interface SubjectAdapter {
  /** The planners of its writes, by the id of their operation. */
  planners: Readonly<Record<string, WritePlanner>>;
  /** Renders the changes, one line for each thing that a user tells apart; empty if nothing changes. */
  lines(change: Change): TextLine[];
  /** Names paths inside it. */
  place: NamePath;
  /** Returns at least one value for each member that differs; none if nothing does, or nothing is known. */
  values(change: ChangedValues): MemberValue[];
  /**
   * Returns the unusual parts and the changed amounts.
   * @param sendsUnread true if more is sent than was read
   */
  unusual?(change: Change, sendsUnread: boolean): { words: string[]; amounts: RowAmounts };
  /**
   * Converts a side of a change to the state that the paths of its members lead into; `sideOf` converts it
   * back.
   */
  stateOf(side: unknown): unknown;
  sideOf(state: unknown): unknown;
  /** Returns the differences between two sides of a change. */
  compare(before: unknown, after: unknown): JsonDifference[];
  /**
   * Reads the state from a response of `shownBy`, in the form that the paths of members lead into; undefined
   * for a response without such a thing.
   * @param places the marketplaces in which it applies
   * @param now milliseconds since the epoch
   */
  read(answer: unknown, places: readonly string[], now: number): unknown;
  /** Creates the splitter for all states that are compared with each other. */
  createSplitter(): MemberSplitter;
  /**
   * Returns whether a part reads as it was sent, because the service may add members, and answer the same in
   * another order or another case.
   */
  isAsSent(segments: Segments, sent: unknown, now: unknown): boolean;
  /** The id of the operation that shows it. */
  shownBy: string;
  /** The ids of the operations that undo these. */
  undoneWith: Readonly<Record<string, string>>;
  /** Returns the body that restores the old values. @param state the current state */
  undoBody(values: { productType?: string; members: readonly MemberChange[] }, state?: JsonObject): unknown;
}

/**
 * Splits a state into the smallest members that somebody can change while another changes the one beside it.
 */
export interface MemberSplitter {
  splitState(state: unknown): unknown;
  joinState(parts: unknown): unknown;
  /** Splits a member of a write into the parts that differ, each with its whole value. */
  splitMember(member: MemberChange): MemberChange[];
  /** Returns the marketplace that a part belongs to; undefined where it counts in all. */
  marketplaceOf(segments: Segments): string | undefined;
  /**
   * Returns the members for a write that puts `before` in place of `after`.
   * @param segments the paths of the parts that differ
   * @param old the state, not split, whose order of entries counts
   */
  restore(segments: readonly Segments[], before: unknown, after: unknown, old: unknown): MemberChange[];
}

export type ChangedValues = Pick<
  Change,
  'subject' | 'places' | 'before' | 'pending' | 'after' | 'differences'
>;

/** Plans one of its writes. */
export interface WritePlanner {
  /** The parameters of the reading operation beside those that the facts name. */
  more?: Readonly<Record<string, unknown>>;
  /** Returns the marketplaces that the body names beside those of the call. */
  elsewhere?(written: WrittenCall): readonly string[];
  plan(written: WrittenCall, read: ReadState, reader: StateReader, elsewhere?: OtherMarketplaces): WriteDiff;
}

/** The marketplaces that a body names beside those of its call, the state read from them, and its reader. */
export interface OtherMarketplaces {
  places: readonly string[];
  reader: StateReader;
  read: ReadState;
}
