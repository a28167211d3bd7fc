/** When a tool finds no credentials: offers the person a page on this machine that takes them, then goes on. */

import { CredentialError } from '../base/errors.ts';
import type { ToolAnswer } from '../render/tool-answer.ts';
import type { ToolContext } from '../write/session.ts';

const KEY = 'credentials';

/**
 * Runs a tool; where credentials are missing and the client can open a page, asks the person to fill it in.
 * The call that comes back waits for the page, then runs the tool again from its start.
 * @param run told whether a person was waited for: what they needed for the page is not taken off the time of the call
 */
export async function withCredentialsPage(
  { person, session, call }: Pick<ToolContext, 'person' | 'session' | 'call'>,
  run: (hasWaited: boolean) => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  const answer = person.answer(KEY);
  if (answer !== undefined) {
    const { awaitPage } = await session.credentialsPages();
    await awaitPage(answer, call.signal);
  }
  try {
    return await run(answer !== undefined);
  } catch (error) {
    const isMissing = error instanceof CredentialError && error.reason === 'missing';
    if (!isMissing || answer !== undefined || !person.canOpenPage) throw error;
    // The account whose credentials are to be entered is never guessed.
    if (error.account === undefined) throw error;
    const page = await (await session.credentialsPages()).offer(error.account);
    if (page === undefined) throw error;
    const message = `${error.message} Open this page on your own machine and enter them there; they go to the keychain of your system and are never shown to the assistant.`;
    return person.openPage(KEY, message, page.url, page.id);
  }
}
