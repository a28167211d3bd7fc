/** Reads the period for which both versions of the finances operations are asked. */

import { invalid } from '../answer.ts';
import { DAY_MS } from '../world/plain-values.ts';
import { SETTLING_MS } from './find-orders.ts';
import { readMoment } from './query.ts';

const MAX_MS = 180 * DAY_MS;

/** The second moment is exclusive. @throws Refusal when the moments contradict each other */
export function readPeriod(
  query: URLSearchParams,
  [after, before]: readonly [after: string, before: string],
  now: number,
) {
  const latest = now - SETTLING_MS;
  const start = readMoment(query, after);
  const end = readMoment(query, before) ?? latest;
  if (end > latest || end < (start ?? 0)) {
    invalid(`${before}: must follow ${after}, and both must lie two minutes before the request.`);
  }
  // The service finds nothing in a longer period.
  const isTooLong = start !== undefined && end - start > MAX_MS;
  return { start, has: (ms: number): boolean => !isTooLong && ms >= (start ?? 0) && ms < end };
}
