/** A dry run of a list that the service can check without doing it: some of it is asked, the outliers first, and told with how many were tried. */

import type { Client } from '../../client/client.ts';
import { AppError } from '../../errors.ts';
import { escapeText } from '../../text/escape-text.ts';
import { shortenToTokens } from '../../text/shorten.ts';
import { verdictWords } from '../../writes/verdict.ts';
import { messageOf } from '../error-result.ts';
import type { ToolContext } from '../session.ts';
import { askValidation } from '../write-validation.ts';
import { createWriteView } from '../write-view.ts';
import type { ListedWrite } from './listed-write.ts';

/** At the limit of the mode, often one a second: a preview does not take longer. */
const MOST_TRIED = 10;

export interface ListValidation {
  mode: string;
  tried: number;
  of: number;
  refused: { key: string; why: string }[];
  /** Why fewer were tried than could be. */
  problem?: string;
}

/** Undefined where the service has no such mode. @param order keys, the outliers first */
export async function validateList(
  writes: readonly ListedWrite[],
  order: readonly string[],
  client: Client,
  { session, call }: ToolContext,
): Promise<ListValidation | undefined> {
  const byKey = new Map(writes.map((write) => [write.key, write]));
  const [first] = writes;
  if (first?.input.operation.previewMode === undefined) return undefined;
  const personal = await session.personal();
  const mode = first.input.operation.previewMode.value;
  const found: ListValidation = { mode, tried: 0, of: writes.length, refused: [] };
  for (const key of order.slice(0, MOST_TRIED)) {
    const write = byKey.get(key);
    if (write === undefined) continue;
    const { input } = write;
    const view = createWriteView({ personal, account: input.account, replaced: write.replaced ?? [] });
    try {
      const validation = await askValidation(client, input, call);
      if (validation === undefined) return undefined;
      if ('problem' in validation) throw validation.problem;
      await view.seen(input.operation.id, validation.response);
      const shown = view.validation(validation);
      found.tried += 1;
      if (shown !== undefined && 'verdict' in shown && shown.verdict.outcome !== 'accepted') {
        found.refused.push({
          key,
          why: shortenToTokens(personal.maskText(verdictWords(shown.verdict)), 120),
        });
      }
    } catch (error) {
      if (call.signal.aborted || !(error instanceof AppError)) throw error;
      return { ...found, problem: shortenToTokens(personal.maskText(messageOf(error)), 60) };
    }
  }
  return found;
}

export function validationWords({ mode, tried, of, refused, problem }: ListValidation): string[] {
  const answer =
    tried === 0
      ? 'none could be asked'
      : refused.length === 0
        ? 'it would accept all of these'
        : `it would NOT accept ${refused.length} of these`;
  return [
    `The service was asked to check it (${mode}; ${tried} of ${of} tried): ${answer}.`,
    ...refused.map(({ key, why }) => `  ${escapeText(key)}: ${escapeText(why)}`),
    ...(problem === undefined ? [] : [`  No more could be asked: ${escapeText(problem)}`]),
  ];
}

export function validationFacts({ tried, of, refused, problem }: ListValidation) {
  return {
    ...{ tried, of, would_be_accepted: tried - refused.length },
    ...(refused.length === 0 ? {} : { refused }),
    ...(problem === undefined ? {} : { problem: escapeText(problem) }),
  };
}
