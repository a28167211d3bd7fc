/**
 * Asks the service to validate some items of a batch in a dry run or before a question, outliers first. The
 * result says how many were tried.
 */

import { type Clock, systemClock } from '../../../base/clock.ts';
import { ApiError } from '../../../base/errors.ts';
import { escapeText } from '../../../base/text/escape-text.ts';
import { shortenToTokens } from '../../../base/text/shorten.ts';
import type { CallOptions, Client } from '../../../call/client-types.ts';
import { formatVerdict } from '../../model/verdict.ts';
import { createWriteView } from '../../model/write-view.ts';
import type { BatchWrite } from '../../plan/prepared-batch.ts';
import type { ToolContext } from '../../session.ts';
import { formatChecked, MAX_VALIDATION_MS, uncheckedReason, validateWrite } from '../write-validation.ts';

/**
 * The max number of tried items. The service's limit is often one a second, and a preview must not take
 * longer.
 */
const MAX_TRIED = 10;

export interface BatchValidation {
  tried: number;
  of: number;
  refused: { key: string; why: string }[];
  /** The reason why fewer were tried than could be. */
  problem?: string;
}

/**
 * Validates some items of a dry run.
 * @param order the keys, outliers first
 * @returns undefined if the service has no such mode
 */
export async function validateBatch(
  writes: readonly BatchWrite[],
  order: readonly string[],
  client: Client,
  ctx: ValidationContext,
): Promise<BatchValidation | undefined> {
  const some = [...new Set(order)].slice(0, MAX_TRIED);
  const wanted = indexesOf(writes, ({ key }) => some.includes(key));
  return validateSome(inOrder(writes, some, wanted), writes, client, ctx);
}

/**
 * Validates unusual items before a question, as many as time allows.
 * @returns undefined if no item is unusual
 */
export async function validateUnusual(
  writes: readonly BatchWrite[],
  order: readonly string[],
  client: Client,
  { session, call }: ValidationContext,
  { now }: Pick<Clock, 'now'> = systemClock,
): Promise<BatchValidation | undefined> {
  const isOdd = ({ unusual = [], change }: BatchWrite) => unusual.length + change.warnings.length > 0;
  const odd = indexesOf(writes, isOdd);
  if (odd.size === 0) return undefined;
  const deadline = Math.min(call.deadline, now() + MAX_VALIDATION_MS);
  const all = inOrder(writes, [...order, ...odd.keys()], odd);
  return validateSome(all, writes, client, { session, call: { ...call, deadline } });
}

type ValidationContext = Pick<ToolContext, 'session'> & {
  call: CallOptions & { signal: AbortSignal; deadline: number };
};

function indexesOf(
  writes: readonly BatchWrite[],
  accepts: (write: BatchWrite) => boolean,
): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>();
  let at = 0;
  for (const write of writes) {
    if (accepts(write)) indexes.set(write.key, at);
    at += 1;
  }
  return indexes;
}

/** Yields each item once, in the order of the keys. */
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
  { session, call }: ValidationContext,
): Promise<BatchValidation | undefined> {
  const personal = await session.personal();
  const found: BatchValidation = { tried: 0, of: length, refused: [] };
  for (const { key, input, replaced = [] } of some) {
    const view = createWriteView({ personal, account: input.account, replaced });
    const validation = await validateWrite(client, { input, view }, call);
    if (validation === undefined) return undefined;
    if ('problem' in validation) {
      const { problem } = validation;
      found.problem = shortenToTokens(personal.maskText(uncheckedReason(problem)), 60);
      // A problem with one item says nothing about the others.
      if (problem instanceof ApiError && problem.status === 400) continue;
      return found;
    }
    found.tried += 1;
    const { verdict } = validation;
    if (verdict.outcome !== 'accepted') {
      found.refused.push({ key, why: shortenToTokens(personal.maskText(formatVerdict(verdict)), 120) });
    }
  }
  return found;
}

export function describeValidation({ tried, of, refused, problem }: BatchValidation) {
  const head = formatChecked({ tried, of, refused: refused.length });
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
