/** Turns a write's result into the outcome of a batch item, for the store and for the answer. */

import { shortenToTokens } from '../../../base/text/shorten.ts';
import type { CallResult } from '../../../call/client-types.ts';
import type { PersonalData } from '../../../privacy/personal/personal-data.ts';
import { formatVerdict } from '../../model/verdict.ts';
import type { Write } from '../../model/write.ts';
import type { WriteView } from '../../model/write-view.ts';
import type { ItemOutcome } from '../batches/batch.ts';
import { formatWork } from '../follow-work.ts';
import type { WriteResult } from '../send-write.ts';

/** The max tokens of one reason. */
const MAX_TOKENS = 150;

/** Returns the part of the response that the item's outcome shows; undefined if none is worth showing. */
export type ItemAnswer = (
  write: Write,
  response: CallResult,
  view: Pick<WriteView, 'value'>,
) => Promise<unknown>;

interface OutcomeParts {
  write: Write;
  view: WriteView;
  personal: Pick<PersonalData, 'maskText'>;
  answerOf: ItemAnswer;
}

export async function itemOutcome(
  result: WriteResult,
  { write, view, personal, answerOf }: OutcomeParts,
): Promise<ItemOutcome> {
  const journalId = 'journalId' in result ? result.journalId : undefined;
  if ('verdict' in result && result.verdict.outcome !== 'accepted') {
    const why = shortenToTokens(personal.maskText(formatVerdict(view.judged(result).verdict)), MAX_TOKENS);
    return { kind: 'not_accepted', why, journalId };
  }
  if (result.outcome === 'failed' && result.work !== undefined) {
    const why = shortenToTokens(personal.maskText(formatWork(result.work)), MAX_TOKENS);
    return { kind: 'failed', why, journalId };
  }
  const facts = await answerOf(write, result.response, view);
  const common = { journalId, facts };
  if (result.outcome === 'requested' && journalId !== undefined) {
    const why = result.work && shortenToTokens(personal.maskText(formatWork(result.work)), MAX_TOKENS);
    return { kind: 'requested', why, ...common };
  }
  if (result.outcome === 'accepted_not_visible') return { kind: 'accepted_not_visible', ...common };
  return { kind: 'accepted', ...('readBack' in result ? readBackOf(result) : {}), ...common };
}

function readBackOf({ readBack }: Extract<WriteResult, { readBack?: unknown }>): Partial<ItemOutcome> {
  if (readBack === undefined) return {};
  if (readBack.problem !== undefined) return { readBack: 'failed' };
  const count = readBack.differences.length;
  if (count === 0) return { readBack: 'same' };
  const paths = readBack.differences.slice(0, 3).map(({ path }) => path || 'the whole');
  const why = `Accepted; read back, the service differs from what was sent in ${paths.join(', ')}${count > 3 ? ` and ${count - 3} more places` : ''}.`;
  return { readBack: 'differs', why };
}
