/** The person behind the client, as those who ask them something see them. */

export type PersonAnswer = 'accept' | 'decline' | 'cancel';

/** The person behind the client, as far as the client lets us reach them. */
export interface Person {
  /** True when the client can show a question with a yes and a no. */
  canConfirm: boolean;
  /** True when the client can open an address for the person. */
  canOpenPage: boolean;
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
