/** What the service answered to one item of a list, as far as it is told with it: masked, cut, without what its outcome says already. */

import { isJsonObject } from '../../../base/json.ts';
import { escapeJson } from '../../../base/text/escape-text.ts';
import { maskedAnswer } from '../../../tell/mask-answer.ts';
import { hideSecretAnswer } from '../../../tell/secret-answers.ts';
import { fitWhole } from '../../../tell/value/fit-to-budget.ts';
import type { AnswerOfItem } from '../../run/items/item-outcome.ts';
import type { ToolContext } from '../../session.ts';

const MOST_TOKENS = 300;

export function createItemAnswers(ctx: ToolContext): AnswerOfItem {
  const { session } = ctx;
  return async ({ input, change }, response, view) => {
    const { operation, account, body } = input;
    const plain = await hideSecretAnswer({ operation, body, result: response, session });
    if (plain === undefined) return undefined;
    // What became of a store or a listing is read back.
    const told = change.subject.kind === 'operation' ? plain : remarksOf(plain);
    if (told === undefined) return undefined;
    const { whole } = await maskedAnswer({ operation, account, result: response, whole: told, session });
    const value = escapeJson(session.redactor.redactJson(view.value(whole)));
    return fitWhole(value, MOST_TOKENS).value ?? undefined;
  };
}

/** What the service remarks on something that it accepted. */
function remarksOf(answer: unknown): unknown {
  if (!isJsonObject(answer) || !Array.isArray(answer.issues) || answer.issues.length === 0) return undefined;
  return { issues: answer.issues };
}
