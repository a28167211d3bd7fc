/** Warns in the answer of a call that its operation ends: the line has the date and the same call of the successor. */

import { tokensOf } from '../base/text/shorten.ts';
import { endsSoon, formatEndingSentence, withoutRefusedSuccessor } from '../service/facts/endings.ts';
import type { Operation } from '../service/facts/operation.ts';
import { otherVersions } from '../service/facts/versions.ts';
import { refusedOperations } from './access.ts';
import type { Client } from './client-types.ts';

interface EndingCall {
  operation: Pick<Operation, 'id' | 'ending'>;
  /** Holds the parameters as the caller wrote them. */
  given: Readonly<Record<string, unknown>>;
  /** Chooses the tool that calls the successor. */
  toolOf(successor: string): 'read_operation' | 'collect_data';
}

/**
 * Returns one line, which is empty where the end is not known, or more than 12 months away.
 * @param now milliseconds since the epoch
 * @param maxTokens limits the ready call; a longer one is left out, and the successor is only named
 */
export async function endingRemark(
  { operation: { id, ending }, given, toolOf }: EndingCall,
  client: Pick<Client, 'refusals'>,
  now: number,
  maxTokens = 130,
): Promise<string> {
  if (ending === undefined || !endsSoon(ending, now)) return '';
  const { successor, ...rest } = withoutRefusedSuccessor(ending, await refusedOperations(client));
  if (successor === undefined) {
    const refused =
      ending.successor === undefined
        ? ''
        : ` ${ending.successor} takes its place, and was refused (403) in this session: the application needs its role by then.`;
    return `${formatEndingSentence(id, rest, now)}${refused}`;
  }
  const same = otherVersions(id, given).find(({ operation }) => operation === successor);
  const ready = same === undefined ? '' : `${toolOf(successor)} ${JSON.stringify(same)}`;
  return ready === '' || tokensOf(ready) > maxTokens
    ? formatEndingSentence(id, ending, now)
    : `${formatEndingSentence(id, { removed: ending.removed }, now)} The same of its successor: ${ready}`;
}
