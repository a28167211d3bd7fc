/** Builds the answer for a write or a batch that would change nothing. */

import { VALUES_NOTE } from '../../base/text/escape-text.ts';
import { shortenToTokens } from '../../base/text/shorten.ts';
import type { ToolAnswer } from '../../render/tool-answer.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { changesNothing } from '../model/change.ts';
import { nameOf } from '../model/format/subject.ts';
import type { WriteStructured } from '../model/outcome.ts';
import type { PreparedWrite } from '../model/write-view.ts';
import { formatUnchanged } from '../plan/check-batch.ts';
import type { PreparedBatch } from '../plan/prepared-batch.ts';
import type { Session } from '../session.ts';

const ALL_SAME = 'Nothing was sent: everything is already like this.';
const REST_SAME = 'Nothing was sent: everything that could be compared is already like this.';

export function noChangeAnswer(
  { account, operation }: { account: string; operation: Operation },
  { remarks = [], leftOut = [] }: Pick<PreparedBatch, 'remarks' | 'leftOut'>,
  session: Session,
): ToolAnswer<WriteStructured> {
  const words = leftOut.length === 0 ? ALL_SAME : REST_SAME;
  const notes = shortenToTokens([...leftOut, ...remarks].join(' '), session.settings().answerTokens / 3);
  return {
    text: [VALUES_NOTE, words, notes].join('\n'),
    structured: {
      note: VALUES_NOTE,
      outcome: 'no_change',
      account,
      operation: operation.id,
      ...(leftOut.length === 0 ? {} : { complete: false }),
      next_step: [words, notes].join(' '),
    },
  };
}

/**
 * Returns the answer for an unchanged write, which is neither asked about nor sent.
 * @returns undefined if the write changes something, or may
 */
export function unchangedAnswer(
  { input, change, shown }: Pick<PreparedWrite, 'input' | 'change' | 'shown'>,
  session: Session,
): ToolAnswer<WriteStructured> | undefined {
  if (!changesNothing(change)) return undefined;
  const name = nameOf({ key: input.operation.name, change: shown.change });
  return noChangeAnswer(input, { remarks: [formatUnchanged([name])] }, session);
}
