/** "Close on Sundays" that leaves a channel open. */

import { expect, it } from 'vitest';
import { warnAboutClosing } from '../../../../src/write/model/store/closing-warnings.ts';

const open = [{ startTime: '11:00', endTime: '16:00' }];
const hours = (sunday: unknown, more: object = {}) => ({
  operationalConfiguration: { operatingHoursByDay: { sunday } },
  ...more,
});
const store = (own: unknown, pickup: unknown, isSupported = true) => ({
  configuration: hours(own),
  capabilities: { outbound: { pickupChannel: hours(pickup, { isSupported }) } },
});

it('names the place that stays open, and the change that closes it', () => {
  expect(warnAboutClosing(store(open, open), store([], open))).toEqual([
    {
      path: 'capabilities.outbound.pickupChannel.operationalConfiguration.operatingHoursByDay',
      segments: expect.any(Array),
      message: 'still open on Sunday, 11:00-16:00',
      how: 'to close it too, add {"capabilities":{"outbound":{"pickupChannel":{"operationalConfiguration":{"operatingHoursByDay":{"sunday":[]}}}}}} to the changes',
    },
  ]);
});

it('tells all days of a place in one', () => {
  const days = (hours: unknown) => ({
    operationalConfiguration: { operatingHoursByDay: { saturday: hours, sunday: hours } },
  });
  const both = (own: unknown) => ({
    configuration: days(own),
    capabilities: { outbound: { pickupChannel: days(open) } },
  });
  const [warning, ...others] = warnAboutClosing(both(open), both([]));
  expect(others).toEqual([]);
  expect(warning?.message).toBe('still open on Saturday, 11:00-16:00; Sunday, 11:00-16:00');
  expect(warning?.how).toContain('{"saturday":[],"sunday":[]}');
});

it.each([
  ['both are closed', store(open, open), store([], [])],
  ['it is not offered', store(open, open, false), store([], open, false)],
  ['nothing is closed', store(open, open), store([{ startTime: '12:00', endTime: '16:00' }], open)],
  ['it was closed before', store([], open), store([], open)],
  ['only the channel is closed', store(open, open), store(open, [])],
])('says nothing where %s', (_name, before, after) => {
  expect(warnAboutClosing(before, after)).toEqual([]);
});

it('counts a day that is removed as closed', () => {
  expect(warnAboutClosing(store(open, open), store(undefined, open))).toHaveLength(1);
});
