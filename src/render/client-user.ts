/** The interface to the user behind the client, for code that asks them something. */

/**
 * The answer of the user. `failed`: the host could not ask, or sent back an invalid answer, so that no
 * decision was made.
 */
export type UserAnswer = 'accept' | 'decline' | 'cancel' | 'failed';

/** The key of the question that approves a write, in every tool. */
export const APPROVAL_KEY = 'confirm';

/**
 * Hosts decline questions that they never showed, within a few milliseconds; a user needs longer to read one.
 * A decline or a cancel of a younger question does not count as the user's.
 */
export const HOST_ANSWERS_WITHIN_MS = 1_500;

/**
 * True if an answer other than approval may come from the host, so that the user may not have seen the
 * question.
 * @param ageMs of the question, by a monotonic clock; undefined if it is not known
 */
export function mayBeAnsweredByHost(action: UserAnswer, ageMs: number | undefined): boolean {
  return action === 'failed' || ageMs === undefined || ageMs < HOST_ANSWERS_WITHIN_MS;
}

/** The user behind the client, as far as the client lets us reach them. */
export interface ClientUser {
  /** True when the client can show a question with yes and no. */
  canConfirm: boolean;
  /** True when the client can open an address for the user. */
  canOpenPage: boolean;
  /**
   * True when the program runs on the user's machine, so that it can try to open a page in their browser
   * itself.
   */
  isHere: boolean;
  /**
   * Returns the answer that came with this call, with the `state` sent with the question; undefined before
   * any question. `state` comes back through the client and has to be checked. `takenOut` has keys of batch
   * items that the user removed at a page of ours; it never comes from a client.
   */
  answer(
    key: string,
  ): { action: UserAnswer; state: string | undefined; takenOut?: ReadonlySet<string> } | undefined;
  /**
   * @throws AskPerson (src/protocol/questions.ts) always: the tool runs again, from its start, when the user
   * has answered.
   */
  confirm(key: string, message: string, state: string): never;
  /** @throws AskPerson (src/protocol/questions.ts) always. */
  openPage(key: string, message: string, url: string, state: string): never;
}

/** The interval is within any time limit of a host that waits as long as it receives progress. */
const REPORT_INTERVAL_MS = 3_000;

/** Calls `report` now, and again every few seconds while the promise is pending. */
export async function reportWhile<T>(waiting: Promise<T>, report: () => void): Promise<T> {
  report();
  const timer = setInterval(report, REPORT_INTERVAL_MS);
  try {
    return await waiting;
  } finally {
    clearInterval(timer);
  }
}
