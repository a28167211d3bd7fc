/** What the service answered to a write, behind the words on the write itself. */

import { tokensOf } from '../../base/text/shorten.ts';
import type { CallResult } from '../../call/client.ts';
import { hideSecretAnswer } from '../../tell/secret-answers.ts';
import { fitServiceAnswer } from '../../tell/service-answer.ts';
import { saverOf, showAnswer } from '../../tell/show-answer.ts';
import type { ToolAnswer } from '../../tell/tool-answer.ts';
import type { PreparedWrite } from '../plan/write-view.ts';
import type { ToolContext } from '../tool-context.ts';
import type { WriteStructured } from './tell-write.ts';

type WriteAnswer = ToolAnswer<WriteStructured>;

interface WriteValueParts {
  write: Pick<PreparedWrite, 'input' | 'replaced' | 'view'>;
  response: CallResult;
  /** Where documents of the answer are to be saved. */
  saveAs: string | undefined;
  select: readonly string[] | undefined;
  /** The remark at the end of `answer`; none where it is empty. */
  remark: string;
}

/** @param answer what is told of the write; of the answer's budget, what it leaves */
export async function addWriteValue(
  answer: WriteAnswer,
  { write: { input, replaced, view }, response, saveAs, select, remark }: WriteValueParts,
  ctx: ToolContext,
): Promise<WriteAnswer> {
  const { operation, account, body } = input;
  const { session } = ctx;
  const plain = await hideSecretAnswer({ operation, body, result: response, session });
  if (plain === undefined && saveAs === undefined) return answer;
  const parts = { operation, account, result: response };
  const saveAll = saverOf(saveAs, parts, ctx);
  const saved = await showAnswer({ ...parts, whole: plain, session, saveAll, replaced });
  const fitted = await fitServiceAnswer({
    session,
    name: operation.name,
    account,
    // What is doubtful stands among the warnings of the write.
    result: { ...response, marketplaces: [] },
    whole: view.value(saved.whole) ?? null,
    saved,
    select,
    remark,
    taken: tokensOf(answer.text) + tokensOf(JSON.stringify(answer.structured)),
  });
  return {
    ...answer,
    text: joinTexts(answer.text, fitted.text, remark),
    structured: { ...answer.structured, ...fitted.facts, value: fitted.value },
    links: fitted.links,
  };
}

/** Each begins with the sentence on data; that of the values, which says more, stands for both, and so does its remark. */
function joinTexts(answer: string, values: string, remark: string): string {
  const [note = '', ...rest] = values.split('\n');
  const own = answer.split('\n').slice(1);
  if (remark !== '' && own.at(-1) === `(${remark})`) own.pop();
  return [note, ...own, ...rest].join('\n');
}
