/** A code alone stands for the call that it was given for, and for no other account, tool or end of a list. */

import { expect, it } from 'vitest';
import { createShownCalls, keepCalls } from '../../../src/write/ask/shown-before.ts';

const CODE = 'abcd-efgh-jkmn-pqrs-tvwx-yz01';
const args = { account: 'de', items: [{ sku: 'LAMP', set: { price: 17.99 } }] };

it.each<[string, string, object, boolean]>([
  ['alone', 'change_listings', {}, true],
  ['with its own account', 'change_listings', { account: 'de' }, true],
  ['with another account', 'change_listings', { account: 'us' }, false],
  ['with an operation that it did not have', 'change_listings', { operation: 'putListingsItem' }, false],
  ['to stop what it would begin', 'change_listings', { stop: true }, false],
  ['of another tool', 'write_operation', {}, false],
])('a code %s', async (_what, tool, beside, isKnown) => {
  const calls = createShownCalls(keepCalls(() => 0));
  await calls.keep('change_listings', CODE, args);
  const given = { ...beside, confirmationCode: CODE };
  expect(await calls.complete(tool, given)).toEqual(
    isKnown ? { ...args, confirmationCode: CODE } : undefined,
  );
});
