/** A long list that is packed is the same list: what is asked, its digest, and every write of it. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256, sha256OfAll } from '../../../src/base/canonical-json.ts';
import { mapped } from '../../../src/base/packed.ts';
import { supplySourceWrite } from '../../../src/service/facts/documented-operations.ts';
import { describeBatchQuestion } from '../../../src/write/ask/batch/batch-question.ts';
import type { BatchRow } from '../../../src/write/ask/batch/batch-rows.ts';
import { PackedWrites } from '../../../src/write/plan/packed-writes.ts';
import type { BatchWrite } from '../../../src/write/plan/prepared-batch.ts';
import { OWNER } from '../run/open-guard.ts';

const operation = supplySourceWrite();
const price = fc.option(fc.integer({ min: 0, max: 9_999 }), { nil: undefined });
/** What differs from one listing to the next. */
const wanted = fc.record({
  before: price,
  after: price,
  title: fc.option(fc.string({ maxLength: 30 }), { nil: undefined }),
  unusual: fc.subarray(['down by 45 %', 'price to 0', 'price removed']),
  warning: fc.option(fc.constantFrom('is odd', 'is too long'), { nil: undefined }),
  cannotUndo: fc.option(fc.constantFrom('it is new.', 'it is "personal".'), { nil: undefined }),
  isSeen: fc.boolean(),
  seller: fc.constantFrom('A1', 'A2', undefined),
  places: fc.constantFrom(['A1PA6795UKMFR9'], ['A1F83G8C2ARO7P'], []),
});
type Wanted = typeof wanted extends fc.Arbitrary<infer One> ? One : never;

function writeOf(one: Wanted, at: number): BatchWrite {
  const { before, after, title, warning, cannotUndo, places, isSeen, seller, unusual } = one;
  const sku = `S-${at}`;
  const parameters = { sku, marketplaceIds: places, sellerId: seller };
  const segments = ['purchasable_offer', 0, 'price'];
  const change: BatchWrite['change'] = {
    subject: { kind: 'listing', sku, title },
    places,
    toldParameters: ['sku', 'sellerId', 'marketplaceIds'],
    before: { purchasable_offer: [{ price: before }] },
    after: { purchasable_offer: [{ price: after }] },
    differences: [{ path: 'purchasable_offer.0.price', segments, kind: 'changed', before, after }],
    isWhole: title === undefined,
    warnings: warning === undefined ? [] : [{ path: 'price', segments: ['price'], message: warning }],
    cannotUndo,
  };
  const share = before && after !== undefined ? after / before - 1 : undefined;
  return {
    key: sku,
    input: {
      operation,
      account: 'shop',
      parameters,
      body: { productType: 'LAMP', patches: [after ?? null] },
    },
    request: {
      filledIn: { sellerId: 'A1' },
      owner: OWNER,
    },
    change,
    shown: { parameters, change: isSeen ? change : { ...change, before: undefined } },
    stateDigest: sha256(change.before),
    unusual,
    amounts: {
      ...(share === undefined ? {} : { shares: { least: share, most: share } }),
      fresh: share === undefined && after !== undefined ? [{ what: 'price in EUR', value: after }] : [],
      others: title === undefined ? [] : ['title'],
      opaque: [],
    },
  };
}

const packedOf = (writes: readonly BatchWrite[], plainParts: number) => {
  const packed = new PackedWrites(plainParts);
  for (const write of writes) packed.push(write);
  return packed;
};
const rowOf = ({ key, change, input, request, unusual, amounts }: BatchWrite): BatchRow => ({
  key,
  change,
  parameters: input.parameters,
  body: input.body,
  filledIn: request.filledIn,
  unusual,
  amounts,
});

it('asks the same, has the same digest, and gives back every write, in one part or in several', () => {
  fc.assert(
    fc.property(
      fc.array(wanted, { minLength: 1, maxLength: 40 }),
      fc.nat(16),
      fc.nat(2),
      (some, times, plain) => {
        const all = Array.from({ length: times + 1 }, () => some).flat();
        const writes = all.map(writeOf);
        const packed = packedOf(writes, plain);
        expect([...packed]).toEqual(writes);
        expect(packed.at(writes.length - 1)).toEqual(writes.at(-1));
        const first = packed.at(0);
        expect([first?.input.operation, first?.request.owner]).toEqual([operation, OWNER]);
        expect(first?.shown.change === first?.change).toBe(all[0]?.isSeen);
        const contents = ({ key, input, request }: BatchWrite) => [key, input.parameters, request.filledIn];
        expect(sha256OfAll(mapped(packed, contents))).toBe(sha256(writes.map(contents)));
        const parts = { head: `${writes.length} listings`, operation, account: 'shop' };
        const request = { method: 'PATCH', filledIn: {}, owner: OWNER } as const;
        const [one, other] = [writes.map(rowOf), mapped(packed, rowOf)].map((rows) =>
          describeBatchQuestion({ ...parts, request, rows }),
        );
        expect(other?.text()).toBe(one?.text());
        expect([other?.shown, other?.rest(1), other?.unsummed, other?.calls]).toEqual([
          one?.shown,
          one?.rest(1),
          one?.unsummed,
          one?.calls,
        ]);
      },
    ),
    { numRuns: 40 },
  );
});
