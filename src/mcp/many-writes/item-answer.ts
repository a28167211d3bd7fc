/** What the service answered to one item of a list, as far as it is told with it: masked, cut, without what its outcome says already. */

import { fitToBudget } from '../../answers/fit.ts';
import { wholePart } from '../../answers/select/part.ts';
import type { CallResult } from '../../client/client.ts';
import { isJsonObject } from '../../json.ts';
import { escapeJson } from '../../text/escape-text.ts';
import { showDocuments } from '../answer-documents.ts';
import { maskAnswer } from '../masked-answer.ts';
import { hideSecretAnswer } from '../secret-answers.ts';
import type { WriteView } from '../write-view.ts';
import type { ToolContext } from './session.ts';
import type { StoredWrite } from './stored-write.ts';

/** Undefined where there is nothing worth telling. */
export type AnswerOfItem = (
  write: StoredWrite,
  response: CallResult,
  view: Pick<WriteView, 'value'>,
) => Promise<unknown>;

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
    const parts = { operation, account, result: response };
    const { whole: shown, words } = await showDocuments({ ...parts, whole: told, saveAs: undefined }, ctx);
    const masked = await maskAnswer({ ...parts, session, replaced: [], shown, words });
    const value = escapeJson(session.redactor.redactJson(view.value(masked)));
    return fitToBudget(wholePart(value), MOST_TOKENS).value ?? undefined;
  };
}

/** What the service remarks on something that it accepted. */
function remarksOf(answer: unknown): unknown {
  if (!isJsonObject(answer) || !Array.isArray(answer.issues) || answer.issues.length === 0) return undefined;
  return { issues: answer.issues };
}
