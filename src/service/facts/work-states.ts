/** How an operation that tells how far started work has come says so, as work-states.yaml lists it. */

import { workStates } from './generated/work-states.ts';
import { own } from './schema-parts.ts';

export interface WorkStates {
  /** Dotted path in its answer; a number is a place in a list. */
  status: string;
  done: readonly string[];
  failed: readonly string[];
  working: readonly string[];
  /** Dotted path of what went wrong. */
  problems?: string;
  /** No call waits for its end. */
  isSlow?: boolean;
}

/** Undefined for an operation that tells of no work. */
export const workStatesOf = (operation: string): WorkStates | undefined => own(workStates, operation);
