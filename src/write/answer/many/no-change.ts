/** The answer where nothing of a list would change anything. */

import { VALUES_NOTE } from '../../../base/text/escape-text.ts';
import { shortenToTokens } from '../../../base/text/shorten.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import type { ToolAnswer } from '../../../tell/tool-answer.ts';
import type { Session } from '../../session.ts';
import type { WriteStructured } from '../tell-write.ts';

const WORDS = 'Nothing was sent: everything is already like this.';

export function noChangeAnswer(
  { account, operation }: { account: string; operation: Operation },
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
