/** A SKU that the seller does not have: the nearest one that they have is named, and no other. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadRegistry } from '../../../../src/service/registry/registry.ts';
import { describeUnknownSku, listKnownSkus } from '../../../../src/write/handlers/listing/known-skus.ts';
import { apiRequest, apiResponse } from '../../../helpers/api-request.ts';

const suggest = (sku: string, ...known: string[]) =>
  describeUnknownSku(sku, known, 'Germany').split('; did you mean ')[1];

it.each([
  ['lamp_oak 1', 'LAMP-OAK-1'],
  ['LAMP..OAK-1', 'lamp-oak-1'],
  ['1850', '001850'],
  ['0', '00'],
  ['LAMP-OAK-2', 'LAMP-OAK-1'],
  ['ab', 'ac'],
])('%j may be %j', (sku, known) => {
  expect(suggest(sku, 'QQQQQQQQQQ', known, 'ZZZZZZZZZZZ')).toBe(`${known}?`);
});

it('not what differs in more than a quarter of its characters, and the nearest of several', () => {
  expect(suggest('ABCDEFGH', 'ABCDEFXY')).toBe('ABCDEFXY?');
  expect(suggest('ABCDEFGH', 'ABCDEXYZ')).toBeUndefined();
  expect(suggest('abc', 'axy')).toBeUndefined();
  expect(suggest('ABCDEFGH', 'ABCDEFXY', 'ABCDEFGX', 'ABCDEFGY')).toBe('ABCDEFGX?');
  expect(describeUnknownSku('a b', [], 'the United States')).toBe(
    '"a b" is no SKU of the account in the United States',
  );
});

it('lists the SKUs of every page, until there are no more, the pages are many, or time is over', async () => {
  const { find } = await loadRegistry();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer({ min: 0, max: 99 }).map(String), { maxLength: 3 }), {
        minLength: 1,
        maxLength: 30,
      }),
      fc.integer({ min: 1, max: 40 }),
      async (pages, steps) => {
        const asked: unknown[] = [];
        let time = 0;
        const reader = {
          find,
          account: 'a',
          marketplaceId: 'M1',
          call: { deadline: steps * 100 },
          client: {
            async call({ parameters }: { parameters?: Readonly<Record<string, unknown>> }) {
              const at = asked.push(parameters) - 1;
              time += 100;
              const items = [...(pages[at] ?? []).map((sku) => ({ sku })), { sku: 7 }, 'odd'];
              const body = {
                items,
                pagination: at + 1 < pages.length ? { nextToken: `t${at + 1}` } : undefined,
              };
              return { ...apiResponse(200, {}, body), owner: apiRequest().owner, filledIn: {} };
            },
          },
        };
        const skus = await listKnownSkus(reader, () => time);
        const read = Math.min(pages.length, steps, 25, 80);
        expect(skus).toEqual(pages.slice(0, read).flat());
        expect(asked).toHaveLength(read);
        expect(asked[0]).toMatchObject({ marketplaceIds: ['M1'], includedData: ['summaries'], pageSize: 20 });
      },
    ),
  );
});
