/**
 * Tests how a write changes a store: described from and bound to what was read, then read back; unread parts
 * are not claimed.
 */

import { expect, it } from 'vitest';
import { ApiError } from '../../../../src/base/errors.ts';
import { loadRegistry } from '../../../../src/service/registry/registry.ts';
import type { ReadState, StateReader } from '../../../../src/write/model/read-state.ts';
import { planStoreStatus, planStoreUpdate } from '../../../../src/write/model/store/store-change.ts';

const registry = await loadRegistry();
const known = (state: unknown): ReadState => ({ state, numbersAsText: [] });
const absent: ReadState = { absent: new ApiError({ status: 404 }, 'It is not there.') };
const problem: ReadState = { problem: new ApiError({ status: 500 }, 'It cannot be read.') };
const later = (state: ReadState): StateReader => ({
  operation: 'x',
  parameters: {},
  now: Date.now,
  read: async () => state,
});
const STORE = { supplySourceId: 'ss-1', alias: 'North', supplySourceCode: 'N1', status: 'Active' };
const SUBJECT = { kind: 'store', id: 'ss-1', alias: 'North', code: 'N1' };

const status = (
  read: ReadState,
  wanted: unknown = 'Inactive',
  { more = {}, back = read, name = 'updateSupplySourceStatus' } = {},
) =>
  planStoreStatus(
    {
      operation: registry.find(`supply-sources/${name}`),
      account: 'a',
      parameters: { supplySourceId: 'ss-1' },
      body: { status: wanted, ...more },
    },
    read,
    later(back),
  );

it('a status goes from what was read to what is wanted, and the yes is good for what was read', () => {
  const planned = status(known(STORE));
  expect(planned.change).toMatchObject({
    subject: SUBJECT,
    places: [],
    toldParameters: ['supplySourceId'],
    before: { status: 'Active' },
    after: { status: 'Inactive' },
    isWhole: true,
    sent: [],
    warnings: [],
    differences: [{ segments: ['status'], before: 'Active', after: 'Inactive', kind: 'changed' }],
  });
  const stateDigest = (state: object) => status(known(state)).stateDigest;
  expect(planned.stateDigest).toMatch(/^[0-9a-f]{64}$/);
  expect(stateDigest({ ...STORE, alias: 'South' })).toBe(planned.stateDigest);
  expect(stateDigest({ ...STORE, status: 'Inactive' })).not.toBe(planned.stateDigest);
  expect(status(known({ ...STORE, status: 'Inactive' })).change.differences).toEqual([]);
});

it('what else is sent beside it is told, though nothing of it was read', () => {
  expect(status(known(STORE), 'Inactive', { more: { reason: 'x' } }).change.sent).toEqual([
    { segments: ['reason'], value: 'x' },
  ]);
});

it.each([
  [absent, 'It is not there.'],
  [problem, 'It cannot be read.'],
  [known('odd'), 'The service answered with something else than was asked for.'],
])('where it is not known, that is said and nothing is bound to it: %#', (read, why) => {
  const planned = status(read);
  expect(planned).not.toHaveProperty('stateDigest');
  expect(planned.change).toMatchObject({
    subject: { kind: 'store', id: 'ss-1' },
    isWhole: false,
    noDifferences: why,
  });
  expect(planned.change.differences).toBeUndefined();
  const whole = planStoreUpdate('ss-1', { alias: 'North' }, read, later(read));
  expect(whole.stateDigest).toBeUndefined();
  expect(whole.change).toMatchObject({ after: { alias: 'North' }, isWhole: false, noDifferences: why });
  expect(whole.change.before).toBeUndefined();
});

it.each<[string, ReadState, number, number]>([
  ['as it was sent', known({ ...STORE, status: 'Inactive' }), 0, 0],
  ['as it was', known(STORE), 0, 1],
  ['something else', known({ ...STORE, status: 'Archived' }), 1, 0],
])('read back it is %s', async (_what, back, differ, notYet) => {
  const found = await status(known(STORE), 'Inactive', { back }).readBack?.({});
  expect([found?.differences.length, found?.notYet.length]).toEqual([differ, notYet]);
  expect(found?.found).toEqual({ status: Object('state' in back ? back.state : {}).status });
});

it('what is archived may be gone then; what is only switched off may not', async () => {
  const archived = status(known(STORE), undefined, { name: 'archiveSupplySource', back: absent });
  expect(archived.change.after).toEqual({ status: 'Archived' });
  expect(await archived.readBack?.({})).toEqual({ differences: [], notYet: [] });
  await expect(status(known(STORE), 'Inactive', { back: absent }).readBack?.({})).rejects.toThrow(
    'not there',
  );
});

it('a configuration is compared with what can be written of what was read, and is bound to that', async () => {
  const read = { ...STORE, configuration: { timezone: 'UTC' } };
  const body = { alias: 'South', configuration: { timezone: 'UTC' } };
  const planned = planStoreUpdate('ss-1', body, known(read), later(known({ ...read, alias: 'South' })));
  expect(planned.change).toMatchObject({ subject: SUBJECT, after: body, isWhole: true });
  expect(planned.change.differences?.map(({ path }) => path)).toContain('alias');
  const stateDigest = (state: object) =>
    planStoreUpdate('ss-1', body, known(state), later(absent)).stateDigest;
  expect(planned.stateDigest).toBe(stateDigest(read));
  expect(stateDigest({ ...read, alias: 'West' })).not.toBe(planned.stateDigest);
  const back = await planned.readBack?.({});
  expect(back?.differences.map(({ path }) => path)).not.toContain('alias');
  const old = await planStoreUpdate('ss-1', body, known(read), later(known(read))).readBack?.({});
  expect(old?.notYet.map(({ path }) => path)).toEqual(['alias']);
});

it('what is wrong with what is sent is a warning, unless it was there before', () => {
  const body = { alias: 'South', configuration: { timezone: 'Mars/One' } };
  const warned = (before: object) =>
    planStoreUpdate('ss-1', body, known({ ...STORE, ...before }), later(absent)).change.warnings.map(
      ({ path }) => path,
    );
  expect(warned({ configuration: { timezone: 'UTC' } })).toContain('configuration.timezone');
  expect(warned({ configuration: { timezone: 'Mars/One' } })).not.toContain('configuration.timezone');
});

it.each(['Inactive', 'Archived'])('a change to a store that is %s says that it reaches no buyer', (is) => {
  const warningsOf = (state: object) =>
    planStoreUpdate('ss-1', { alias: 'West' }, known(state), later(absent)).change.warnings;
  expect(warningsOf({ ...STORE, status: is })).toMatchObject([{ path: 'status' }]);
  expect(warningsOf(STORE)).toEqual([]);
});
