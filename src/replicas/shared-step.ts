/** What a step of the store that replicas share is given, and how it fails. It loads nothing of a database. */

import type { Step } from '../disk/statement.ts';

/** What a step is told of the store when it begins. */
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

/** No statement is waited for longer. */
export const COMMAND_MS = 250;
