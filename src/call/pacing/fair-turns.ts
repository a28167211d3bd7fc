/** Turns under the service's limits, given to people one after the other: who has a thousand calls waits behind who has one. */

import { type Clock, systemClock } from '../../base/clock.ts';
import { type Limiter, type LimitKey, nameOf, type StatedRate, type Turn } from './limiter.ts';

/** Who was told when to come and has not come so long after it has left. */
const GRACE_MS = 250;
/** Of a limit that nobody knows yet, for each who stands before. */
const UNKNOWN_MS = 100;

/** Of one limit: who waits for a turn, in the order in which it is given. */
interface Line {
  people: string[];
  /** Until when each is waited for. */
  until: Map<string, number>;
}

/**
 * A limiter for each person over one for all. Each asks for one call at a time, so that a person has one place in the
 * line, however many calls are behind it; who had a turn stands at the end again.
 */
export function createFairTurns(all: Limiter, { clock = systemClock }: { clock?: Clock } = {}) {
  const lines = new Map<string, Line>();

  const leave = (name: string, line: Line, person: string) => {
    line.people = line.people.filter((one) => one !== person);
    line.until.delete(person);
    if (line.people.length === 0) lines.delete(name);
  };
  const forgetGone = (name: string, line: Line) => {
    const now = clock.now();
    for (const [person, until] of [...line.until]) if (until < now) leave(name, line, person);
  };
  const wait = (name: string, line: Line, person: string, turn: Extract<Turn, { go: false }>): Turn => {
    if (!line.people.includes(person)) line.people.push(person);
    lines.set(name, line);
    const before = line.people.indexOf(person);
    const { requestsPerSecond } = turn;
    const each = requestsPerSecond === undefined ? UNKNOWN_MS : 1000 / requestsPerSecond;
    const waitMs = turn.waitMs + before * each;
    line.until.set(person, clock.now() + waitMs + GRACE_MS);
    // What a person's further calls wait is longer by as many as stand beside.
    const rate =
      requestsPerSecond === undefined ? {} : { requestsPerSecond: requestsPerSecond / line.people.length };
    return { go: false, waitMs, ...rate };
  };
  const ask = async (person: string, key: LimitKey, stated: StatedRate | undefined): Promise<Turn> => {
    const name = nameOf(key);
    const line = lines.get(name) ?? { people: [], until: new Map() };
    forgetGone(name, line);
    const first = line.people[0];
    if (first !== undefined && first !== person) {
      // Whoever is next is due: a moment later it is this one's turn, or there is a wait that is known.
      const due = Math.max(0, (line.until.get(first) ?? 0) - GRACE_MS - clock.now());
      const rate = stated === undefined ? {} : { requestsPerSecond: stated.requestsPerSecond };
      return wait(name, line, person, { go: false, waitMs: due, ...rate });
    }
    const turn = await all.ask(key, stated);
    if (!turn.go) return wait(name, line, person, turn);
    leave(name, line, person);
    return turn;
  };
  return {
    /** Asks one question at a time for each limit. Its end leaves the limits as they are. */
    of: (person: string): Limiter => ({
      ask: (key, stated) => ask(person, key, stated),
      ended: all.ended,
      async close() {
        for (const [name, line] of [...lines]) leave(name, line, person);
      },
    }),
  };
}
