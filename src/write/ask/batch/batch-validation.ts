/** What the service says to some of a list that it can check without doing it, the outliers first, told with how many were tried: in a dry run, and before a question. */

import { type Clock, systemClock } from '../../../base/clock.ts';
import { ApiError } from '../../../base/errors.ts';
import { escapeText } from '../../../base/text/escape-text.ts';
import { shortenToTokens } from '../../../base/text/shorten.ts';
import type { CallOptions, Client } from '../../../call/client-types.ts';
import { verdictWords } from '../../model/verdict.ts';
import { createWriteView } from '../../model/write-view.ts';
import type { BatchWrite } from '../../plan/prepared-batch.ts';
import type { ToolContext } from '../../session.ts';
import { askValidation, BEFORE_ASKING_MS, checkedWords, notCheckedWhy } from '../write-validation.ts';

/** At the limit of the mode, often one a second: a preview does not take longer. */
const MOST_TRIED = 10;

export interface BatchValidation {
  tried: number;
  of: number;
  refused: { key: string; why: string }[];
  /** Why fewer were tried than could be. */
  problem?: string;
}

/** Some of a dry run: undefined where the service has no such mode. @param order keys, the outliers first */
export async function validateBatch(
  writes: readonly BatchWrite[],
  order: readonly string[],
  client: Client,
  ctx: Context,
): Promise<BatchValidation | undefined> {
  const some = [...new Set(order)].slice(0, MOST_TRIED);
  const wanted = placesOf(writes, ({ key }) => some.includes(key));
  return validateSome(inOrder(writes, some, wanted), writes, client, ctx);
}

/** Before a question: what is out of the ordinary, as much of it as there is time for; undefined where nothing is. */
export async function validateUnusual(
  writes: readonly BatchWrite[],
  order: readonly string[],
  client: Client,
  { session, call }: Context,
  { now }: Pick<Clock, 'now'> = systemClock,
): Promise<BatchValidation | undefined> {
  const isOdd = ({ unusual = [], change }: BatchWrite) => unusual.length + change.warnings.length > 0;
  const odd = placesOf(writes, isOdd);
  if (odd.size === 0) return undefined;
  const deadline = Math.min(call.deadline, now() + BEFORE_ASKING_MS);
  const all = inOrder(writes, [...order, ...odd.keys()], odd);
  return validateSome(all, writes, client, { session, call: { ...call, deadline } });
}

type Context = Pick<ToolContext, 'session'> & {
  call: CallOptions & { signal: AbortSignal; deadline: number };
};

/** Places in the list, by their keys. */
function placesOf(
  writes: readonly BatchWrite[],
  accepts: (write: BatchWrite) => boolean,
): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  let at = 0;
  for (const write of writes) {
    if (accepts(write)) places.set(write.key, at);
    at += 1;
  }
  return places;
}

/** Each once, when it is its turn. */
function* inOrder(
  writes: readonly BatchWrite[],
  keys: readonly string[],
  places: ReadonlyMap<string, number>,
): Generator<BatchWrite> {
  for (const key of new Set(keys)) {
    const write = writes.at(places.get(key) ?? -1);
    if (write !== undefined && places.has(key)) yield write;
  }
}

async function validateSome(
  some: Iterable<BatchWrite>,
  { length }: readonly BatchWrite[],
  client: Client,
  { session, call }: Context,
): Promise<BatchValidation | undefined> {
  const personal = await session.personal();
  const found: BatchValidation = { tried: 0, of: length, refused: [] };
  for (const { key, input, replaced = [] } of some) {
    const view = createWriteView({ personal, account: input.account, replaced });
    const validation = await askValidation(client, { input, view }, call);
    if (validation === undefined) return undefined;
    if ('problem' in validation) {
      const { problem } = validation;
      found.problem = shortenToTokens(personal.maskText(notCheckedWhy(problem)), 60);
      // What is about this one alone says nothing of the others.
      if (problem instanceof ApiError && problem.status === 400) continue;
      return found;
    }
    found.tried += 1;
    const { verdict } = validation;
    if (verdict.outcome !== 'accepted') {
      found.refused.push({ key, why: shortenToTokens(personal.maskText(verdictWords(verdict)), 120) });
    }
  }
  return found;
}

/** The same in both forms. */
export function describeValidation({ tried, of, refused, problem }: BatchValidation) {
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
