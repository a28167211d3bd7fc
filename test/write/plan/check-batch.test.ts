/** Tests the conditions of a batch before the question: each item once. */

import { expect, it } from 'vitest';
import { supplySourceWrite } from '../../../src/service/facts/documented-operations.ts';
import { type Change, unknownChange } from '../../../src/write/model/change.ts';
import { checkBatch } from '../../../src/write/plan/check-batch.ts';
import type { BatchWrite } from '../../../src/write/plan/prepared-batch.ts';
import { OWNER } from '../run/open-guard.ts';

const write = (subject: Change['subject'], places: string[], body: unknown): BatchWrite => {
  const change = { ...unknownChange(), subject, places };
  return {
    key: 'one',
    input: { operation: supplySourceWrite(), account: 'a', parameters: {}, body },
    request: { filledIn: {}, owner: OWNER },
    change,
    shown: { parameters: {}, change },
  };
};
const lamp = (...places: string[]) => write({ kind: 'listing', sku: 'LAMP-1' }, places, places);
const shop = (body: unknown) => write({ kind: 'store', id: 's-1' }, [], body);
const call = (body: unknown) => write({ kind: 'operation' }, [], body);

it.each([
  ['a listing in two places', [lamp('DE'), lamp('FR')], false],
  ['a listing twice in a place', [lamp('DE'), lamp('DE')], true],
  ['a listing in places that one shares with the other', [lamp('DE'), lamp('FR', 'DE')], true],
  ['the same, the other way round', [lamp('FR', 'DE'), lamp('DE')], true],
  ['a listing and a store', [lamp('DE'), shop(1)], false],
  ['a store with two bodies', [shop(1), shop(2)], true],
  ['two calls', [call(1), call(2)], false],
  ['a call twice', [call(1), call(1)], true],
])('%s: refused, %s', (_what, writes, isRefused) => {
  const check = () => checkBatch(writes);
  if (isRefused) expect(check).toThrow('Two of the list change the same thing');
  else expect(check).not.toThrow();
});
