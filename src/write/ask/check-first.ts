/** What the service says to one write before anybody is asked: a line of the question, or of the preview beside a code. */

import { tellValidation } from '../answer/tell-write.ts';
import type { PreparedWrite } from '../plan/write-view.ts';
import type { ToolContext } from '../tool-context.ts';
import { askValidation, BEFORE_ASKING_MS, type Validation } from './write-validation.ts';

/** Of the question. */
const MOST_TOKENS = 400;

export function createFirstCheck(
  { input, view }: Pick<PreparedWrite, 'input' | 'view'>,
  { session, call }: ToolContext,
) {
  let found: Validation | undefined;
  const ask = async (mostMs?: number) => {
    const validation = await askValidation(await session.client(), input, call, mostMs);
    if (validation !== undefined && 'response' in validation)
      await view.seen(input.operation.id, validation.response);
    found = view.validation(validation);
  };
  return {
    /** For a dry run. */
    ask,
    /** For the guard. */
    async check() {
      await ask(BEFORE_ASKING_MS);
      if (found === undefined) return [];
      const { maskText } = await session.personal();
      const redact = (text: string) => maskText(session.redactor.redact(text));
      return tellValidation(found, { maxTokens: MOST_TOKENS, redact, now: session.program.now() }).lines;
    },
    /** What was answered, as the assistant may see it; undefined where nothing was asked. */
    found: () => found,
  };
}
