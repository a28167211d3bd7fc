/** Chooses the faults of the soak: faults of the service and of the network, in a random mixture. */

import type { Fault, Sandbox } from '../../sandbox/sandbox.ts';

/** A body that declares more than it contains. */
const CUT_BODY =
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"payload":{"sku":"CUT';
const NOT_JSON = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 15\r\n\r\n<html>no</html>';

/** Begins as gzip does, and is none. */
const NOT_GZIP = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n\x1f\x8bgzip', 'latin1');

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
];

/** The faults of a token exchange. They come only with an expired token, since faults waiting for an exchange would pile up. */
const EXCHANGE_FAULTS: readonly Readonly<Record<string, Fault | undefined>>[] = [
  { 'all tokens expired': undefined },
  { 'all tokens expired, exchange 503': { operation: 'exchangeToken', status: 503 } },
  { 'all tokens expired, exchange reset': { operation: 'exchangeToken', reset: true } },
];
const FAULTS_PER_EXPIRY = 20;

/** The faults of the next download, as rare as downloads are, so that none pile up. */
const DOWNLOAD_FAULTS: readonly Readonly<Record<string, Fault>>[] = [
  { 'address ended': { operation: 'downloadDocument', status: 403 } },
  { 'download 503': { operation: 'downloadDocument', status: 503 } },
  { 'download reset': { operation: 'downloadDocument', reset: true } },
  { 'download cut short': { operation: 'downloadDocument', raw: CUT_BODY } },
  { 'download no gzip': { operation: 'downloadDocument', raw: NOT_GZIP } },
];
const FAULTS_PER_DOWNLOAD_FAULT = 20;

/** One of them happens about every `everyMs`; `counts` says how often each has happened. */
export function startFaults(sandbox: Sandbox, everyMs: number) {
  const counts = new Map<string, number>();
  const next = (kinds: readonly Readonly<Record<string, Fault | undefined>>[]) => {
    const [name, fault] = Object.entries(kinds[Math.floor(Math.random() * kinds.length)] ?? {})[0] ?? [''];
    if (fault !== undefined) sandbox.faults.next(fault);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  const faults = setInterval(() => next(FAULTS), everyMs);
  const expiry = setInterval(() => {
    sandbox.expireTokens();
    next(EXCHANGE_FAULTS);
  }, everyMs * FAULTS_PER_EXPIRY);
  const downloads = setInterval(() => next(DOWNLOAD_FAULTS), everyMs * FAULTS_PER_DOWNLOAD_FAULT);
  return {
    counts,
    stop() {
      clearInterval(faults);
      clearInterval(expiry);
      clearInterval(downloads);
      sandbox.faults.clear();
    },
  };
}
