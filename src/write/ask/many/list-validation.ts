/** What the service says to some of a list that it can check without doing it, the outliers first, told with how many were tried: in a dry run, and before a question. */

import { type Clock, systemClock } from '../../../base/clock.ts';
import { ApiError } from '../../../base/errors.ts';
import { escapeText } from '../../../base/text/escape-text.ts';
import { shortenToTokens } from '../../../base/text/shorten.ts';
import type { CallOptions, Client } from '../../../call/client.ts';
import type { ListedWrite } from '../../plan/listed-write.ts';
import { createWriteView } from '../../plan/write-view.ts';
import { verdictWords } from '../../run/verdict.ts';
import type { ToolContext } from '../../session.ts';
import { askValidation, BEFORE_ASKING_MS, checkedWords, notCheckedWhy } from '../write-validation.ts';

/** At the limit of the mode, often one a second: a preview does not take longer. */
const MOST_TRIED = 10;

export interface ListValidation {
  tried: number;
  of: number;
  refused: { key: string; why: string }[];
  /** Why fewer were tried than could be. */
  problem?: string;
}

/** Some of a dry run: undefined where the service has no such mode. @param order keys, the outliers first */
export async function validateList(
  writes: readonly ListedWrite[],
  order: readonly string[],
  client: Client,
  ctx: Context,
): Promise<ListValidation | undefined> {
  return validateSome(pick(writes, order).slice(0, MOST_TRIED), writes, client, ctx);
}

/** Before a question: what is out of the ordinary, as much of it as there is time for; undefined where nothing is. */
export async function validateOdd(
  writes: readonly ListedWrite[],
  order: readonly string[],
  client: Client,
  { session, call }: Context,
  { now }: Pick<Clock, 'now'> = systemClock,
): Promise<ListValidation | undefined> {
  const isOdd = ({ unusual = [], change }: ListedWrite) => unusual.length + change.warnings.length > 0;
  const odd = pick(writes, [...order, ...writes.map(({ key }) => key)]).filter(isOdd);
  if (odd.length === 0) return undefined;
  const deadline = Math.min(call.deadline, now() + BEFORE_ASKING_MS);
  return validateSome(odd, writes, client, { session, call: { ...call, deadline } });
}

type Context = Pick<ToolContext, 'session'> & {
  call: CallOptions & { signal: AbortSignal; deadline: number };
};

function pick(writes: readonly ListedWrite[], keys: readonly string[]): ListedWrite[] {
  const byKey = new Map(writes.map((write) => [write.key, write]));
  return [...new Set(keys)].flatMap((key) => byKey.get(key) ?? []);
}

async function validateSome(
  some: readonly ListedWrite[],
  { length }: readonly ListedWrite[],
  client: Client,
  { session, call }: Context,
): Promise<ListValidation | undefined> {
  const personal = await session.personal();
  const found: ListValidation = { tried: 0, of: length, refused: [] };
  for (const { key, input, replaced = [] } of some) {
    const view = createWriteView({ personal, account: input.account, replaced });
    const validation = await askValidation(client, input, call);
    if (validation === undefined) return undefined;
    if ('problem' in validation) {
      const { problem } = validation;
      found.problem = shortenToTokens(personal.maskText(notCheckedWhy(problem)), 60);
      // What is about this one alone says nothing of the others.
      if (problem instanceof ApiError && problem.status === 400) continue;
      return found;
    }
    await view.seen(input.operation.id, validation.response);
    const shown = view.validation(validation);
    found.tried += 1;
    if (shown !== undefined && 'verdict' in shown && shown.verdict.outcome !== 'accepted') {
      found.refused.push({ key, why: shortenToTokens(personal.maskText(verdictWords(shown.verdict)), 120) });
    }
  }
  return found;
}

/** The same in both forms. */
export function describeValidation({ tried, of, refused, problem }: ListValidation) {
  const head = checkedWords({ tried, of, refused: refused.length });
  const why = problem && escapeText(problem);
  const lines = [
    `${head}.`,
    ...refused.map((one) => `  ${escapeText(one.key)}: ${escapeText(one.why)}`),
    ...(problem === undefined ? [] : [`  Not all were checked: ${why}`]),
  ];
  return {
    lines: tried === 0 ? [`${head}: ${why ?? ''}`] : lines,
    data: {
      tried,
      of,
      would_be_accepted: tried - refused.length,
      refused: refused.length === 0 ? undefined : refused,
      problem: why,
    },
  };
}
