/**
 * Steps of the store that replicas share, which receive a moment and have two failures. This module loads no
 * database.
 */

import type { StoreStep } from '../store/statement.ts';

/** The store's time and identity when a step begins. */
export interface Moment {
  /** Microseconds of the store's clock. */
  now: number;
  /** The system and its timeline, which changes after a failover or a replacement of the server. */
  server: string;
}

export type SharedStep<T> = (moment: Moment) => StoreStep<T>;

/** The store is unavailable; the message gives the reason to the operator. */
export class StoreUnavailable extends Error {}

/** A suspended process holds the lock of the topic; the rest of the store is available. */
export class TopicLocked extends StoreUnavailable {}

/** The maximum drift of clocks between two steps; a larger difference means that a clock was set. */
export const CLOCK_SET_US = 2_000_000;

/** The maximum wait for one statement. */
export const COMMAND_MS = 250;
