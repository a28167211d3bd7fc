/** The person behind the client, as those who ask them something see them. */

/** `failed`: the host could not ask, or sent back something that is no answer; nobody said anything then. */
export type PersonAnswer = 'accept' | 'decline' | 'cancel' | 'failed';

/** Of the question that approves a write, in every tool. */
export const APPROVAL = 'confirm';

/**
 * Hosts decline questions that they never showed, within a few milliseconds; a person needs longer to read one. Below
 * this age of the question, a decline or a cancel does not count as the person's.
 */
export const HOST_ANSWERS_WITHIN_MS = 1_500;

/**
 * Whether what is not an approval may come from the host, so that the person may not have seen the question.
 * @param ageMs of the question, by a clock that only grows; undefined where it is not known
 */
export function mayBeHosts(action: PersonAnswer, ageMs: number | undefined): boolean {
  return action === 'failed' || ageMs === undefined || ageMs < HOST_ANSWERS_WITHIN_MS;
}

/** The person behind the client, as far as the client lets us reach them. */
export interface Person {
  /** True when the client can show a question with a yes and a no. */
  canConfirm: boolean;
  /** True when the client can open an address for the person. */
  canOpenPage: boolean;
  /** True when the program runs where the person sits, so that it can try to open a page in their browser itself. */
  isHere: boolean;
  /**
   * The answer that came with this call, with the `state` that went out with the question.
   * Undefined when nothing has been asked yet. `state` comes back through the client: check it. `takenOut`: keys of items
   * of a list that the person took out at a page of ours; never from a client.
   */
  answer(
    key: string,
  ): { action: PersonAnswer; state: string | undefined; takenOut?: ReadonlySet<string> } | undefined;
  /** @throws AskPerson (src/protocol/questions.ts) always: the tool runs again, from its start, when the person has answered. */
  confirm(key: string, message: string, state: string): never;
  /** @throws AskPerson (src/protocol/questions.ts) always. */
  openPage(key: string, message: string, url: string, state: string): never;
}

/** Within any time limit of a host that waits for as long as it hears something. */
const TOLD_EVERY_MS = 3_000;

/** Calls `tell` now, and again every few seconds while the person is waited for. */
export async function tellWhile<T>(waiting: Promise<T>, tell: () => void): Promise<T> {
  tell();
  const timer = setInterval(tell, TOLD_EVERY_MS);
  try {
    return await waiting;
  } finally {
    clearInterval(timer);
  }
}
