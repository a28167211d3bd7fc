/** The states of work in the answers of progress operations, as work-states.yaml lists them. */

import { workStates } from './generated/work-states.ts';
import { own } from './schema-parts.ts';

export interface WorkStates {
  /** The dotted path of the state in its answer; a number is an index of a list. */
  status: string;
  done: readonly string[];
  failed: readonly string[];
  working: readonly string[];
  /** The dotted path of the problems. */
  problems?: string;
  /** True when calls do not wait for its end. */
  isSlow?: boolean;
}

/** Returns the states; undefined for an operation that reports no work. */
export const workStatesOf = (operation: string): WorkStates | undefined => own(workStates, operation);
