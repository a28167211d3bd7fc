/** What goes wrong during the soak: faults of the service and of the network, in a random mixture. */

import type { Fault, Sandbox } from '../../src/sandbox/types.ts';

/** A body that promises more than it holds. */
const CUT_BODY =
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"payload":{"sku":"CUT';
const NOT_JSON = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 15\r\n\r\n<html>no</html>';

/** Repeated here as often as it is likely. */
const FAULTS: readonly Readonly<Record<string, Fault>>[] = [
  { '503': { status: 503 } },
  { '503 four times': { status: 503, times: 4 } },
  { '500': { status: 500 } },
  { '429': { status: 429 } },
  { '429 with Retry-After': { status: 429, headers: { 'retry-after': '1' } } },
  { reset: { reset: true } },
  { 'reset twice': { reset: true, times: 2 } },
  { 'reset after the effect': { reset: true, when: 'after' } },
  { 'body cut short': { raw: CUT_BODY } },
  { 'closed without an answer': { raw: '' } },
  { 'not JSON': { raw: NOT_JSON } },
  { 'slow by 2 s': { delayMs: 2000 } },
  { 'slow by 4 s': { delayMs: 4000 } },
  { 'slower than the deadline': { delayMs: 15_000 } },
  { 'token exchange 503': { operation: 'exchangeToken', status: 503 } },
  { 'token exchange reset': { operation: 'exchangeToken', reset: true } },
];
const TOKENS_EXPIRED = 'all tokens expired';

/** One of them happens about every `everyMs`; `counts` says how often each did. */
export function startFaults(sandbox: Sandbox, everyMs: number) {
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const faults = setInterval(() => {
    const [chosen] = Object.entries(FAULTS[Math.floor(Math.random() * FAULTS.length)] ?? {});
    if (chosen === undefined) return;
    sandbox.faults.next(chosen[1]);
    count(chosen[0]);
  }, everyMs);
  const expiry = setInterval(() => {
    sandbox.expireTokens();
    count(TOKENS_EXPIRED);
  }, everyMs * 20);
  return {
    counts,
    stop() {
      clearInterval(faults);
      clearInterval(expiry);
      sandbox.faults.clear();
    },
  };
}
