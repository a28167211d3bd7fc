/** A request in which marks stand, as the assistant sees it: the marks where the person sees the values, everything else as it is sent. */

import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { PreparedRequest } from '../../../src/call/client-types.ts';
import type { Operation } from '../../../src/service/facts/operation.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { legendOf, maskMergedRequest, maskRequest } from '../../../src/write/plan/mask-request.ts';
import { OWNER } from '../run/open-guard.ts';

let operation: Operation;
beforeAll(async () => {
  operation = (await loadRegistry()).find('listings-items/patchListingsItem');
});

const MARK = '«buyer name 3f2ak9xq»';
const NAME = 'Ada Lovelace';
const replaced = [{ mark: MARK, original: NAME }];
const request = (parameters: Record<string, unknown>, body?: unknown): PreparedRequest => ({
  method: 'PATCH',
  url: `${OWNER.baseUrl}/x`,
  headers: { 'x-name': NAME, other: 'plain' },
  filledIn: {},
  owner: OWNER,
  marketplaces: [],
  parameters,
  ...(body === undefined ? {} : { body }),
});
/** A given value, and the value that is sent for it. */
const value = fc.oneof(
  fc
    .constantFrom('plain', 'A1', `for ${MARK}`, MARK)
    .map((given) => ({ given, sent: given.replace(MARK, NAME) })),
  fc.integer().map((given) => ({ given, sent: given })),
);

it('where a mark was given stands the mark, in parameters and body, however deep', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('a', 'b'), value),
      fc.array(value, { maxLength: 3 }),
      (members, items) => {
        const pick = (side: 'given' | 'sent') => ({
          parameters: Object.fromEntries(Object.entries(members).map(([name, one]) => [name, one[side]])),
          body: { list: items.map((one) => ({ deep: one[side] })) },
        });
        const [given, sent] = [pick('given'), pick('sent')];
        const made = request(sent.parameters, sent.body);
        const shown = maskRequest(made, operation, { given, replaced });
        expect({ parameters: shown.parameters, body: shown.body }).toEqual(given);
        expect(shown.headers).toEqual({ 'x-name': MARK, other: 'plain' });
        const isInAddress = JSON.stringify(given.parameters).includes(MARK);
        expect(shown.url).toBe(isInAddress ? `${OWNER.baseUrl}${operation.path}` : made.url);
      },
    ),
  );
});

it('what was made of the arguments stays: members that were added, and values that were replaced', () => {
  const given = { parameters: { place: 'DE' }, body: { a: MARK, list: [1] } };
  const made = request({ place: 'A1PA', more: 1 }, { a: NAME, list: [2, 3], added: { x: 1 } });
  const shown = maskRequest(made, operation, { given, replaced });
  expect(shown.parameters).toEqual({ place: 'A1PA', more: 1 });
  expect(shown.body).toEqual({ a: MARK, list: [2, 3], added: { x: 1 } });
  expect(maskRequest(request({}), operation, { given: {}, replaced })).not.toHaveProperty('body');
});

it('without marks it is the very request', () => {
  const made = request({ name: NAME }, { name: NAME });
  expect(maskRequest(made, operation, { given: {}, replaced: [] })).toBe(made);
  expect(maskMergedRequest(made, operation, [])).toBe(made);
});

it('a body that was merged is shown by its values, and its address by its placeholders', () => {
  const shown = maskMergedRequest(request({ id: NAME }, { a: { b: [NAME, 'x'] } }), operation, replaced);
  expect(shown).toMatchObject({
    parameters: { id: MARK },
    body: { a: { b: [MARK, 'x'] } },
    url: `${OWNER.baseUrl}${operation.path}`,
  });
});

it('the person reads what up to twenty marks stand for, and how many more there are', () => {
  expect(legendOf([])).toEqual([]);
  const all = Array.from({ length: 22 }, (_, at) => ({ mark: `«buyer name ${at}»`, original: `Name${at}` }));
  const [head, first] = legendOf(all);
  expect(head).toBe('Personal data that is sent, and that the assistant sees only as marks:');
  expect(first).toBe('  «buyer name 0» is Name0');
  expect(legendOf(all)).toHaveLength(22);
  expect(legendOf(all).at(-1)).toBe('  ... and 2 more');
  expect(legendOf(all.slice(0, 20)).at(-1)).toBe('  «buyer name 19» is Name19');
});
