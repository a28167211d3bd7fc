/** Tests how buyers' data is masked in a change, its read-back, and the service's answer. */

import { describe, expect, it } from 'vitest';
import type { JsonDifference } from '../../../src/base/json-difference.ts';
import { createPersonalData } from '../../../src/privacy/personal/personal-data.ts';
import { type Change, unknownChange } from '../../../src/write/model/change.ts';
import { createWriteView } from '../../../src/write/model/write-view.ts';
import { ANSWER } from '../run/open-guard.ts';

const ORDER = 'outbound-fulfilment/getFulfillmentOrder';
const STORE = 'supply-sources/getSupplySource';
/** A name too short to be searched for in texts, and one that is long enough. */
const state = {
  payload: {
    fulfillmentOrder: {
      destinationAddress: { name: 'Jo', addressLine1: 'Elm Alley 5', postalCode: '10115', city: 'Berlin' },
      displayableOrderComment: 'Call +49 30 90187654, please',
    },
  },
};
const { destinationAddress } = state.payload.fulfillmentOrder;

interface Opened {
  isMasking?: boolean;
  operation?: string;
  body?: unknown;
}

async function open({ isMasking = true, operation = ORDER, body = state }: Opened = {}) {
  const personal = createPersonalData({ isMasking });
  const view = createWriteView({ personal, account: 'a', replaced: [] });
  await view.seen(operation, { body, bytes: 1 });
  return view;
}

const difference = (name: string, before: unknown, after: unknown): JsonDifference => ({
  path: `destinationAddress.${name}`,
  segments: ['destinationAddress', name],
  kind: 'changed',
  before,
  after,
});
const change: Change = {
  ...unknownChange(),
  before: { destinationAddress },
  after: { destinationAddress: { ...destinationAddress, name: 'Al' } },
  differences: [difference('name', 'Jo', 'Al'), difference('addressLine1', 'Elm Alley 5', 'Elm Alley 7')],
  sent: [{ segments: ['note'], value: ['for Elm Alley 5'] }],
  warnings: [{ path: 'x', segments: ['x'], message: 'is "Elm Alley 5"' }],
};
const NAME = expect.stringMatching(/^«buyer name \w{8}»$/);
const STREET = expect.stringMatching(/^«address \w{8}»$/);

it('values before become marks everywhere in the change, short ones where they stand alone; what is new stays', async () => {
  const shown = (await open()).change(change);
  expect(shown).toMatchObject({
    before: { destinationAddress: { name: NAME, addressLine1: STREET, city: 'Berlin' } },
    after: { destinationAddress: { name: 'Al', addressLine1: STREET } },
    differences: [
      { before: NAME, after: 'Al' },
      { before: STREET, after: 'Elm Alley 7' },
    ],
    sent: [{ segments: ['note'], value: [expect.stringMatching(/^for «address \w{8}»$/)] }],
    warnings: [{ message: expect.stringMatching(/^is "«address \w{8}»"$/) }],
  });
});

it('a value of a few letters is in many words: within a longer text it stays', async () => {
  const shown = (await open()).change({
    ...change,
    sent: [{ segments: ['note'], value: ['Jo, Joinery and Jost'] }],
  });
  expect(shown.sent?.[0]?.value).toEqual(['Jo, Joinery and Jost']);
});

it('why there is no value before is told without what was seen, and without what looks like a contact', async () => {
  const { noDifferences } = (await open()).change({
    ...unknownChange('Elm Alley 5 cannot be read, ask who@buyers.example'),
  });
  expect(noDifferences).toMatch(/^«address \w{8}» cannot be read, ask «e-mail \w{8}»$/);
});

it("a subject's names", async () => {
  const view = await open({ body: { payload: { fulfillmentOrder: { destinationAddress } } } });
  const { subject } = view.change({
    ...change,
    subject: { kind: 'listing', sku: 'S-1', title: 'Sign for Elm Alley 5' },
  });
  expect(subject).toEqual({
    kind: 'listing',
    sku: 'S-1',
    title: expect.stringMatching(/^Sign for «address \w{8}»$/),
  });
});

it('what is read back, with what was seen only then', async () => {
  const view = await open();
  const readBack = view.readBack(async () => {
    await view.seen(ORDER, { body: { payload: { destinationAddress: { name: 'Kim' } } }, bytes: 1 });
    return { differences: [difference('name', 'Al', 'Kim')], notYet: [difference('name', 'Al', 'Jo')] };
  });
  expect(await readBack?.({})).toMatchObject({
    differences: [{ before: 'Al', after: NAME }],
    notYet: [{ before: 'Al', after: NAME }],
  });
  expect(view.readBack(undefined)).toBeUndefined();
});

describe('what the service says', () => {
  const message = 'Elm Alley 5 is not in Berlin, call +49 30 90187654 or who@buyers.example';
  const body = { issues: [{ message, name: 'Jo' }] };
  const answered = {
    response: { ...ANSWER, body },
    verdict: {
      outcome: 'not_accepted' as const,
      signs: ['status "INVALID"'],
      reasons: [{ code: 'C', message }],
      items: [{ at: 0, name: 'Elm Alley 5', accepted: false, reasons: [{ message }] }],
    },
  };
  const CLEAN = expect.stringMatching(
    /^«address \w{8}» is not in Berlin, call «phone \w{8}» or «e-mail \w{8}»$/,
  );
  const clean = {
    response: { body: { issues: [{ message: CLEAN }] } },
    verdict: {
      signs: ['status "INVALID"'],
      reasons: [{ code: 'C', message: CLEAN }],
      items: [{ at: 0, name: STREET, accepted: false, reasons: [{ message: CLEAN }] }],
    },
  };

  it('to a write', async () => {
    const view = await open();
    await view.seen('outbound-fulfilment/updateFulfillmentOrder', answered.response);
    expect(view.judged(answered)).toMatchObject(clean);
  });

  it('to a question whether it would be accepted', async () => {
    const view = await open();
    await view.seen('outbound-fulfilment/updateFulfillmentOrder', answered.response);
    expect(view.judged({ mode: 'M', ...answered })).toMatchObject(clean);
  });
});

it('what was given as a mark is told by it, a number too', () => {
  const personal = createPersonalData({ isMasking: true });
  const mark = '«phone 3f2ak9xq»';
  const view = createWriteView({ personal, account: 'a', replaced: [{ mark, original: '4930123456' }] });
  const given = { phone: 4_930_123_456, note: 'call 4930123456', order: 49_301_234_567 };
  expect(view.value(given)).toEqual({ phone: mark, note: `call ${mark}`, order: 49_301_234_567 });
});

it.each([
  ["of the seller's own stores nothing", { operation: STORE, body: { address: destinationAddress } }],
  ['with --personal-data=show nothing', { isMasking: false }],
])('%s is masked', async (_what, given) => {
  const view = await open(given);
  expect(view.change(change)).toEqual(change);
});
