/** What each call of an operation says whose end is near or past: the date, and the same call of its successor. */

import { tokensOf } from '../base/text/shorten.ts';
import { endingSentence, endsSoon, withoutRefused } from '../service/facts/endings.ts';
import type { Operation } from '../service/facts/operation.ts';
import { otherVersions } from '../service/facts/versions.ts';
import { refusedOperations } from './access.ts';
import type { Client } from './client.ts';

interface EndingCall {
  operation: Pick<Operation, 'id' | 'ending'>;
  /** Parameters as the caller wrote them. */
  given: Readonly<Record<string, unknown>>;
  /** The tool that calls the successor. */
  toolOf(successor: string): 'read_operation' | 'collect_data';
}

/**
 * One line; empty where the end is not known, or more than 12 months away.
 * @param now milliseconds since the epoch
 * @param most tokens that the ready call may take; with more, the successor is named alone
 */
export async function endingRemark(
  { operation: { id, ending }, given, toolOf }: EndingCall,
  client: Pick<Client, 'refusals'>,
  now: number,
  most = 130,
): Promise<string> {
  if (ending === undefined || !endsSoon(ending, now)) return '';
  const { successor, ...rest } = withoutRefused(ending, await refusedOperations(client));
  if (successor === undefined) {
    const refused =
      ending.successor === undefined
        ? ''
        : ` ${ending.successor} takes its place, and was refused (403) in this session: the application needs its role by then.`;
    return `${endingSentence(id, rest, now)}${refused}`;
  }
  const same = otherVersions(id, given).find(({ operation }) => operation === successor);
  const ready = same === undefined ? '' : `${toolOf(successor)} ${JSON.stringify(same)}`;
  return ready === '' || tokensOf(ready) > most
    ? endingSentence(id, ending, now)
    : `${endingSentence(id, { removed: ending.removed }, now)} The same of its successor: ${ready}`;
}
