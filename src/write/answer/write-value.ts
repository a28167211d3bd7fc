/** What the service answered to a write, behind the words on the write itself. */

import type * as z from 'zod';
import { tokensOf } from '../../base/text/shorten.ts';
import type { CallResult } from '../../call/client.ts';
import type { Replaced } from '../../privacy/personal/personal-data.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { showDocuments } from '../../tell/documents/answer-documents.ts';
import { maskAnswer } from '../../tell/masked-answer.ts';
import { hideSecretAnswer } from '../../tell/secret-answers.ts';
import { fitServiceAnswer } from '../../tell/service-answer.ts';
import type { ToolAnswer } from '../../tell/tool-answer.ts';
import type { WriteView } from '../plan/write-view.ts';
import type { ToolContext } from '../session.ts';
import type { writeOutput } from './write-answer.ts';

type WriteAnswer = ToolAnswer<z.input<typeof writeOutput>>;

export interface WriteValueParts {
  operation: Operation;
  account: string;
  /** The body that was sent, as it was given. */
  body: unknown;
  /** Of the arguments: the service may repeat them. */
  replaced: readonly Replaced[];
  response: CallResult;
  view: Pick<WriteView, 'value'>;
  /** Where documents of the answer are to be saved. */
  saveAs: string | undefined;
  select: readonly string[] | undefined;
  /** The remark at the end of `answer`; none where it is empty. */
  remark: string;
}

/** @param answer what is told of the write; of the answer's budget, what it leaves */
export async function addWriteValue(
  answer: WriteAnswer,
  { operation, account, body, replaced, response, view, saveAs, select, remark }: WriteValueParts,
  ctx: ToolContext,
): Promise<WriteAnswer> {
  const { session } = ctx;
  const plain = await hideSecretAnswer({ operation, body, result: response, session });
  if (plain === undefined && saveAs === undefined) return answer;
  const parts = { operation, account, result: response };
  const documents = await showDocuments({ ...parts, whole: plain, saveAs }, ctx);
  const { whole: shown, words } = documents;
  const whole = await maskAnswer({ ...parts, session, replaced, shown, words });
  const fitted = await fitServiceAnswer({
    session,
    name: operation.name,
    account,
    // What is doubtful stands among the warnings of the write.
    result: { ...response, marketplaces: [] },
    whole: view.value(whole) ?? null,
    saved: documents,
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
