/** Steps of the store that replicas share: they are given a moment, and fail in two ways. Nothing of a database is loaded here. */

import type { Step } from '../disk/statement.ts';

/** Tells a step about the store when it begins. */
export interface Moment {
  /** Microseconds of the store's clock. */
  now: number;
  /** The system and its timeline: another one after a failover, or where another server was put in its place. */
  server: string;
}

export type SharedStep<T> = (moment: Moment) => Step<T>;

/** The message says why, for whoever runs the server. */
export class StoreAway extends Error {}

/** A process that was stopped within a step holds the topic; the rest of the store is there. */
export class TopicHeld extends StoreAway {}

/** Clocks drift by less between two steps, so a clock that is farther off was set. */
export const CLOCK_SET_US = 2_000_000;

/** No statement is waited for longer. */
export const COMMAND_MS = 250;
