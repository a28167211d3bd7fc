/** One time limit for a whole tool call: a read, a write and a read-back share it, so that no client gives up first. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLOSE_ON_SUNDAYS, type Outside, SHOP, startOutside } from '../helpers/outside-service.ts';
import { connect } from '../helpers/sessions.ts';

/** More than a busy machine needs for the second call, which nothing delays. */
const LIMIT_MS = 6_000;

let outside: Outside;
beforeAll(async () => {
  outside = await startOutside();
});
afterAll(() => outside.close());

it('token, read and write together are longer than the limit: the call ends, and says what may have happened', async () => {
  const { env, args, sandbox } = outside;
  const session = await connect({ env, args: [...args, '--writes=allow', `--call-timeout-ms=${LIMIT_MS}`] });
  try {
    // Each of the three is late by less than the limit; only together are they longer.
    sandbox.faults.next({ times: 3, delayMs: LIMIT_MS * 0.4 });
    const edit = { supplySourceId: SHOP, changes: CLOSE_ON_SUNDAYS };
    const { isError, text } = await session.call('update_supply_source', edit);
    expect({ isError, text }).toEqual({
      isError: true,
      text: expect.stringMatching(/did not answer \w+ within|did not end within/),
    });
    sandbox.faults.clear();
    // The next call has a limit of its own.
    const next = await session.call('get_catalog_item', { asin: 'B0SBX00001' });
    expect(next.isError, next.text).toBe(false);
  } finally {
    await session.close();
  }
});
