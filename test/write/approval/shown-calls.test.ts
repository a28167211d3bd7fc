/** A code stands for the call that it was given for. */

import { expect, it } from 'vitest';
import { createCallStore, createShownCalls } from '../../../src/write/approval/shown-store.ts';

const CODE = 'abcd-efgh-jkmn-pqrs-tvwx-yz01';
const args = { account: 'de', items: [{ sku: 'LAMP', set: { price: 17.99 } }] };

it('a code stands for the call that it was given for, in any spelling, and for no other tool', async () => {
  const calls = createShownCalls(createCallStore(() => 0));
  await calls.keep('change_listings', CODE, args);
  expect(await calls.find('change_listings', CODE.toUpperCase())).toEqual(args);
  expect(await calls.find('write_operation', CODE)).toBeUndefined();
});
