/** The answer where nothing of a list would change anything. */

import { VALUES_NOTE } from '../../../base/text/escape-text.ts';
import { shortenToTokens } from '../../../base/text/shorten.ts';
import type { ToolAnswer } from '../../../tell/tool-answer.ts';
import type { AskedList } from '../../run/many/write-list.ts';
import type { Session } from '../../session.ts';
import type { WriteStructured } from '../write-answer.ts';

const WORDS = 'Nothing was sent: everything is already like this.';

export function noChangeAnswer(
  { account, operation }: Pick<AskedList, 'account' | 'operation'>,
  remarks: readonly string[],
  session: Session,
): ToolAnswer<WriteStructured> {
  const told = shortenToTokens(remarks.join(' '), session.settings().answerTokens / 3);
  return {
    text: [VALUES_NOTE, WORDS, told].join('\n'),
    structured: {
      note: VALUES_NOTE,
      outcome: 'no_change',
      account,
      operation: operation.id,
      next_step: [WORDS, told].join(' '),
    },
  };
}
