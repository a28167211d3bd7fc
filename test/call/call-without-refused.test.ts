/** A call over several marketplaces reads those that answer, and names those that refuse. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError, NetworkError } from '../../src/base/errors.ts';
import { callWithoutRefused } from '../../src/call/call-without-refused.ts';
import { isMarketplaceName } from '../../src/service/facts/marketplace-members.ts';
import { loadRegistry } from '../../src/service/registry/registry.ts';

const PLACES = ['DE', 'FR', 'IT', 'ES', 'BE', 'NL', 'SE', 'PL'];
const { operations } = await loadRegistry();
const OVER_SEVERAL = operations.flatMap((operation) =>
  operation.parameters
    .filter(({ name, schema }) => isMarketplaceName(name) && schema.type === 'array' && schema.maxItems !== 1)
    .map(({ name }) => ({ operation, name })),
);

const marketplacesIn = (parameters: Readonly<Record<string, unknown>>, name: string) =>
  [parameters[name]].flat().map(String);

it('every operation that takes several marketplaces gives those that answer, whichever refuse', async () => {
  expect(OVER_SEVERAL.length).toBeGreaterThan(8);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...OVER_SEVERAL),
      fc.subarray(PLACES, { minLength: 1 }),
      fc.subarray(PLACES),
      fc.constantFrom(400, 403, 404),
      async ({ operation, name }, given, refusing, status) => {
        const call = async (parameters: Readonly<Record<string, unknown>>) => {
          const marketplaces = marketplacesIn(parameters, name);
          if (marketplaces.some((place) => refusing.includes(place))) throw new ApiError({ status }, 'no');
          return { marketplaces, other: parameters.other };
        };
        const allowed = given.filter((place) => !refusing.includes(place));
        const work = callWithoutRefused({ operation, parameters: { [name]: given, other: 1 } }, call, call);
        if (allowed.length === 0) return void (await expect(work).rejects.toMatchObject({ status }));
        const { result, refused } = await work;
        expect(result).toEqual({ marketplaces: allowed, other: 1 });
        expect(refused).toHaveLength(given.length - allowed.length);
      },
    ),
  );
});

it.each([
  ['an outage', new NetworkError('ECONNRESET', 'not-sent', 'away', '')],
  ['a refused token', new ApiError({ status: 401 }, 'token')],
  ['a limit', new ApiError({ status: 429 }, 'slower')],
  ['a broken service', new ApiError({ status: 500 }, 'broken')],
])('%s is no refusal of one of them: nothing more is asked', async (_, error) => {
  const [first] = OVER_SEVERAL;
  if (first === undefined) throw new Error('no operation takes several');
  let asked = 0;
  const fail = async () => {
    asked += 1;
    throw error;
  };
  const input = { operation: first.operation, parameters: { [first.name]: PLACES } };
  await expect(callWithoutRefused(input, fail, fail)).rejects.toBe(error);
  expect(asked).toBe(1);
});
