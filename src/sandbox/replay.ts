/** Replays declared cases: finds the one that an arriving request means, or says how the request differs from the nearest. */

import { type Answer, fail } from './answer.ts';
import { type Arrival, compareCase, specificity } from './replay-match.ts';
import { bySpecificity, matchPath } from './router.ts';
import type { ReplayCase } from './types.ts';

export interface ReplayResult {
  operation: string;
  /** The case that answered; undefined when none did. */
  caseId: string | undefined;
  /** True when that case names no parameter at all, so that any request meets it. */
  general: boolean;
  auth: ReplayCase['auth'];
  answer: Answer;
}

export interface Replay {
  /** Operation and token kind at this method and path, before anything is compared. */
  operationAt(method: string, path: string): { operation: string; auth: ReplayCase['auth'] } | undefined;
  /** Undefined when no case has this method and path. @throws URIError on a broken escape */
  answer(arrival: Arrival): ReplayResult | undefined;
}

interface Entry {
  id: string;
  path: string;
  declared: ReplayCase;
  /** How often it answered, where cases take turns. */
  answered: number;
}

/**
 * Of several cases that fit, the one that names most answers; among equals the lowest status. With `turns`, equals
 * answer one after the other instead, so that a check gets to see each of them.
 */
export function createReplay(cases: readonly ReplayCase[], turns = false): Replay {
  const entries = cases.map(
    (declared, i): Entry => ({
      id: declared.id ?? `${declared.operationId}#${i}`,
      path: declared.pathTemplate,
      declared,
      answered: 0,
    }),
  );
  const sorted = entries.toSorted(bySpecificity);
  const at = (method: string, path: string): readonly Entry[] => {
    const here = sorted.filter(
      (entry) => entry.declared.method === method && matchPath(entry.path, path) !== undefined,
    );
    // Of several templates that fit, only the most literal one is meant.
    return here.filter((entry) => entry.path.split('{').length === here[0]?.path.split('{').length);
  };
  return {
    operationAt(method, path) {
      const first = at(method, path)[0]?.declared;
      return first && { operation: first.operationId, auth: first.auth };
    },
    answer(arrival) {
      const here = at(arrival.method, arrival.path);
      if (here.length === 0) return undefined;
      const chosen = choose(here, arrival);
      const entry = here.find(({ id }) => id === chosen.caseId);
      if (turns && entry !== undefined) entry.answered += 1;
      return chosen;
    },
  };
}

function choose(entries: readonly Entry[], arrival: Arrival): ReplayResult {
  const compared = entries
    .map((entry) => ({ entry, differences: compareCase(entry.declared, arrival) }))
    .toSorted((a, b) => rank(a) - rank(b) || byPreference(a.entry, b.entry));
  const best = compared[0];
  if (best === undefined || best.differences.length > 0) return unmatched(entries, best);
  const { id, declared } = best.entry;
  return {
    operation: declared.operationId,
    caseId: id,
    general: specificity(declared) === 0,
    auth: declared.auth,
    answer: declared.response,
  };
}

const rank = ({ differences }: { differences: readonly string[] }): number => differences.length;

function byPreference(a: Entry, b: Entry): number {
  return (
    specificity(b.declared) - specificity(a.declared) ||
    a.answered - b.answered ||
    a.declared.response.status - b.declared.response.status
  );
}

function unmatched(
  entries: readonly Entry[],
  nearest: { entry: Entry; differences: readonly string[] } | undefined,
): ReplayResult {
  const operation = entries[0]?.declared.operationId ?? '';
  const error = {
    code: 'NoMatchingCase',
    message: `None of the ${entries.length} declared cases of ${operation} matches this request.`,
    details: `Nearest, ${nearest?.entry.id}: ${nearest?.differences.slice(0, 10).join('; ')}.`,
  };
  return {
    operation,
    caseId: undefined,
    general: false,
    auth: entries[0]?.declared.auth,
    answer: fail(400, error),
  };
}
