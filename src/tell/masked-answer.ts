/** What the service answered as it may go to the assistant: secrets kept here, personal data of buyers as marks. */

import { letOthersRun } from '../base/event-loop.ts';
import type { CallResult } from '../call/client.ts';
import { hider } from '../privacy/personal/hide-values.ts';
import type { Replaced } from '../privacy/personal/personal-data.ts';
import type { AnsweredOperation } from '../service/facts/operation.ts';
import type { AnswerServices } from './session.ts';

export interface MaskedAnswerParts {
  operation: AnsweredOperation;
  account: string;
  result: Pick<CallResult, 'bytes'>;
  /** Without secrets and documents. */
  shown: unknown;
  session: Pick<AnswerServices, 'personal'>;
  /** Texts in it that are ours. */
  words: ReadonlySet<string>;
  /** Of the arguments: the service may repeat them anywhere. */
  replaced?: readonly Replaced[];
}

/** Before anything of it is selected, cut or kept. Undefined where there is no body. */
export async function maskAnswer(parts: MaskedAnswerParts): Promise<unknown> {
  const { operation, account, session, result, shown, words, replaced = [] } = parts;
  const personal = await session.personal();
  await letOthersRun(result.bytes);
  const masked = personal.maskAnswer(account, { operation: operation.id }, shown, words);
  return hider(replaced)(masked.value);
}
