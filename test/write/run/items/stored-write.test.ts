/** A write of a list as it comes back from the disk: sent with its values, told and recorded with its marks. */

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { supplySourceWrite } from '../../../../src/service/facts/documented-operations.ts';
import { unknownChange } from '../../../../src/write/model/change.ts';
import type { Write } from '../../../../src/write/model/write.ts';
import { fromStoredItem, isPersonal, toStoredItem } from '../../../../src/write/run/items/stored-write.ts';
import { OWNER } from '../open-guard.ts';

const operation = supplySourceWrite();
const of = { account: 'a', operation, owner: OWNER };
const change = unknownChange();
const some = fc
  .dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.jsonValue({ maxDepth: 1 }))
  .map((value): Record<string, unknown> => JSON.parse(JSON.stringify(value)));
const oneOf = (parameters: Record<string, unknown>, body: unknown, seen: Write['shown']): Write => ({
  key: 'one',
  input: { operation, account: 'a', parameters, body },
  request: { filledIn: { sellerId: 'A1' }, owner: OWNER },
  change,
  shown: seen,
});
const again = (write: Write) => {
  const item = toStoredItem(write);
  return fromStoredItem({ ...item, value: JSON.parse(JSON.stringify(item.value)) }, of);
};

it('whatever it is, it is sent as it was confirmed, and recorded as the assistant saw it', () => {
  fc.assert(
    fc.property(some, some, some, some, fc.boolean(), (parameters, body, seen, seenBody, isMarked) => {
      const shown = { parameters: seen, body: seenBody, change };
      const write = { ...oneOf(parameters, body, shown), ...(isMarked ? { marked: shown } : {}) };
      const restored = again(write);
      expect(restored?.input).toMatchObject({ account: 'a', operation });
      expect([restored?.input.parameters, restored?.input.body]).toEqual([parameters, body]);
      expect(restored?.shown).toEqual(shown);
      expect(restored?.request).toEqual(write.request);
      expect(restored?.marked).toEqual(isMarked ? { parameters: seen, body: seenBody } : undefined);
    }),
  );
});

it('an undo is one again, held against what it puts back; any other write against what was there', () => {
  const [parameters, body] = [{ sku: 'S1' }, { name: 'Lamp' }];
  const shown = { parameters, body, change };
  const write = {
    ...oneOf(parameters, body, shown),
    stateDigest: 'b',
    change: { ...change, before: { name: 'Old' } },
  };
  const input = { answeredBody: { name: 'Old' } };
  expect(again(write)).toMatchObject({ stateDigest: 'b', undoes: undefined, input });
  expect(again({ ...write, undoes: 'w-1' })).toMatchObject({
    stateDigest: 'b',
    undoes: 'w-1',
    input: { answeredBody: body },
  });
});

it('is personal wherever what is sent is not what is shown, and another operation is nobody’s', () => {
  const [parameters, body] = [{ sku: 'S1' }, { name: 'Ada' }];
  expect(isPersonal(oneOf(parameters, body, { parameters, body, change }))).toBe(false);
  expect(isPersonal(oneOf(parameters, body, { parameters: { ...parameters }, body, change }))).toBe(false);
  expect(isPersonal(oneOf(parameters, body, { parameters: { sku: 'mark' }, body, change }))).toBe(true);
  expect(isPersonal(oneOf(parameters, body, { parameters, body: { name: 'mark' }, change }))).toBe(true);
  const noticed = { ...change, noDifferences: 'mark' };
  expect(isPersonal(oneOf(parameters, body, { parameters, body, change: noticed }))).toBe(true);
  const item = toStoredItem(oneOf(parameters, body, { parameters, body, change }));
  expect(fromStoredItem(item, { ...of, operation: { ...operation, id: 'x/y' } })).toBeUndefined();
});
