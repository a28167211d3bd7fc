/** How far the pages are and how long the rest takes at the operation's limit, in words and in milliseconds. */

import type { CallResult } from '../client/client.ts';
import type { Clock } from '../client/clock.ts';
import { requestsPerSecondOf } from '../client/transport/response-headers.ts';
import type { Wait } from '../client/types.ts';
import type { Operation } from '../service/facts/operation.ts';
import { inWords } from '../text/duration.ts';
import type { Page } from './read-page.ts';
import type { RunProgress } from './work.ts';

/** Assumed where only the rate is known. */
const BURST = 1;

/** A page that takes longer is worth a word. */
const SLOW_MS = 10_000;

const ORDERS_REPORT =
  'the report GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL holds all of them at once';

/** What gives the same sooner, by operation. */
const QUICKER: Readonly<Record<string, string>> = {
  'orders/searchOrders': ORDERS_REPORT,
  'orders/getOrders': ORDERS_REPORT,
};

export interface Standing {
  /** Different items so far. */
  rows: number;
  /** All so far, of this pass. */
  given: number;
  total: number | undefined;
}

export interface Pace {
  called(result: Pick<CallResult, 'headers'>, page: Page): void;
  progress(standing: Standing): RunProgress;
  /** The same while a call waits. */
  waiting(standing: Standing, wait: Wait): RunProgress;
}

export interface PaceOptions {
  clock: Clock;
  operation: Operation;
  /** Items that the service gives at most. */
  most: number | undefined;
}

export function createPace({ clock, operation, most = Number.POSITIVE_INFINITY }: PaceOptions): Pace {
  const burst = operation.rate?.burst ?? BURST;
  const startedAt = clock.now();
  let rate = operation.rate?.requestsPerSecond;
  let calls = 0;
  let largest = 0;
  let waitedMs = 0;

  const callsLeft = ({ given, total }: Standing): number | undefined =>
    total === undefined || largest === 0
      ? undefined
      : Math.max(0, Math.ceil((Math.min(total, most) - given) / largest));

  const msOf = (left: number) => {
    const limited = rate === undefined ? 0 : (Math.max(0, left - Math.max(0, burst - calls)) / rate) * 1000;
    const each = calls === 0 ? 0 : Math.max(0, clock.now() - startedAt - waitedMs) / calls;
    return Math.max(limited, left * each);
  };

  const describe = (standing: Standing): RunProgress => {
    const { rows, total } = standing;
    const left = callsLeft(standing);
    const of = total === undefined ? '' : ` of about ${count(Math.max(rows, Math.min(total, most)))}`;
    const items = `${count(rows)}${of} items`;
    if (left === undefined) {
      const next = rate === undefined || calls < burst ? 0 : 1000 / rate;
      const quicker = QUICKER[operation.id];
      const slow =
        next < SLOW_MS
          ? ''
          : `; how many are left is not known, and each further page takes ${inWords(next)} at the service's limit${quicker === undefined ? '' : `: ${quicker}`}`;
      return { message: `${items} (${calls} ${calls === 1 ? 'page' : 'pages'}${slow})`, done: rows };
    }
    const leftMs = msOf(left);
    const words = left === 0 ? '' : `, ${left} more ${left === 1 ? 'call' : 'calls'}`;
    return { message: `${items}${words}`, done: rows, total: Math.min(total ?? 0, most), leftMs };
  };

  return {
    called({ headers }, page) {
      calls += 1;
      rate = requestsPerSecondOf(headers) ?? rate;
      largest = Math.max(largest, page.count);
    },
    progress: describe,
    waiting(standing, { ms, reason }) {
      if (reason !== 'retry') waitedMs += ms;
      const { message, ...rest } = describe(standing);
      const why = reason === 'retry' ? 'for the service to recover' : "for the service's limit";
      const words = `${message}; waits ${inWords(ms)} ${why}`;
      const isAtLeast = rest.leftMs === undefined ? { isAtLeast: true } : {};
      return { message: words, ...rest, ...isAtLeast, leftMs: Math.max(ms, rest.leftMs ?? 0) };
    },
  };
}

const count = (number: number) => number.toLocaleString('en-US');
