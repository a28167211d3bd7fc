/** One of several processes that call a service under one limit for some seconds, and say at the end how it went. */

import { systemClock } from '../../../src/base/clock.ts';
import { readStoreAddress } from '../../../src/base/store-address.ts';
import { createLocalLimiter } from '../../../src/call/pacing/limiter.ts';
import { rateLimit } from '../../../src/call/pacing/rate-limit.ts';
import { createSharedLimiter } from '../../../src/call/pacing/shared-limiter.ts';
import { openSharedStore } from '../../../src/replicas/shared-store.ts';
import { SHARED_TABLES } from '../../../src/write/state-store.ts';
import { apiRequest, apiResponse } from '../../../test/helpers/api-request.ts';
import { operation } from '../../../test/helpers/test-client.ts';

/** `store` is empty for the limiter of one process; `ahead` is how wrong this process's clock is, in milliseconds. */
const [store = '', service = '', rate = '1', burst = '1', forMs = '1000', calls = '8', ahead = '0'] =
  process.argv.slice(2);

const { now } = Date;
Date.now = () => now() + Number(ahead);

const results = { transactions: 0, waits: [0] };
const address = readStoreAddress(store);

async function openLimiter() {
  if (address === undefined) return createLocalLimiter();
  const ignore = () => {};
  const opened = await openSharedStore({ address, password: undefined, tables: SHARED_TABLES, tell: ignore });
  const run = opened.run.bind(opened);
  return createSharedLimiter(
    Object.assign(opened, {
      run(...asked: Parameters<typeof run>) {
        if (asked[0] !== 'sweep') results.transactions += 1;
        return run(...asked);
      },
    }),
  );
}

const limiter = await openLimiter();
const limited = operation({ rate: { requestsPerSecond: Number(rate), burst: Number(burst) } });
let enteredAt = 0;
const send = rateLimit({ clock: systemClock, limiter, closing: new AbortController().signal })(async () => {
  results.waits.push(performance.now() - enteredAt);
  return apiResponse((await fetch(service)).status);
});
const callOnce = () => {
  enteredAt = performance.now();
  return send(apiRequest({ operation: limited, deadline: systemClock.now() + 600_000 }));
};

// Ready when the store is: the others are started meanwhile.
const end = new Promise<void>((resolve) => setTimeout(resolve, Number(forMs)));
for (let n = 0; n < Number(calls); n++)
  void (async () => {
    for (;;) await callOnce();
  })();
await end;
process.stdout.write(`${JSON.stringify(results)}\n`, () => process.exit(0));
