/** Tests how the state afterwards is compared with what was sent. */

import { describe, expect, it } from 'vitest';
import { describeReadBack } from '../../../../src/write/model/format/describe-difference.ts';
import { changeSupplySource, toWritableSupplySource } from '../../../../src/write/model/store/body.ts';
import { compareReadBack } from '../../../../src/write/model/store/state.ts';
import { buildCurrentState } from '../../handlers/store/fixture.ts';

const words = (sent: unknown, found: unknown) =>
  describeReadBack(compareReadBack(sent, found)).map((text) => text.replace(/[«»]/g, ''));
const morning = { startTime: '09:00', endTime: '12:00' };
const afternoon = { endTime: '18:00', startTime: '13:00' };

describe('compareReadBack', () => {
  it('finds nothing when the service has what was sent', () => {
    const sent = changeSupplySource(buildCurrentState(), { alias: 'South store' });
    const found = toWritableSupplySource({
      ...buildCurrentState(),
      alias: 'South store',
      updatedAt: 'later',
    });
    expect(compareReadBack(sent, found)).toEqual([]);
  });

  it.each([
    ['the order of openings', { monday: [afternoon, morning] }, { monday: [morning, afternoon] }],
    ['the order of members', { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['null against absent', { a: 1, b: null }, { a: 1 }],
    [
      'the case of units',
      { throughputUnit: 'Order', timeUnit: 'Hours' },
      { throughputUnit: 'ORDER', timeUnit: 'hours' },
    ],
  ])('does not tell %s', (_name, sent, found) => {
    expect(compareReadBack(sent, found)).toEqual([]);
  });

  it('tells each difference in words, as it was written', () => {
    expect(
      words(
        {
          alias: 'South',
          operatingHoursByDay: { sunday: [], monday: [morning] },
          timeUnit: 'Hours',
          gone: 1,
        },
        {
          alias: 'SOUTH',
          operatingHoursByDay: { sunday: [morning], monday: [morning] },
          timeUnit: 'Days',
          extra: true,
        },
      ),
    ).toEqual([
      'alias: "South" was sent, yet the service has "SOUTH"',
      'operatingHoursByDay.sunday: closed was sent, yet the service has 09:00-12:00',
      'timeUnit: "Hours" was sent, yet the service has "Days"',
      'gone: 1 was sent, yet the service has nothing there',
      'extra: was not sent, yet the service has true',
    ]);
  });

  it('tells a missing opening, and one too many', () => {
    expect(words([morning, afternoon], [morning])).toEqual([
      'the whole: 09:00-12:00, 13:00-18:00 was sent, yet the service has 09:00-12:00',
    ]);
    expect(compareReadBack({ list: [{ a: 1 }] }, { list: [{ a: 1 }, { a: 2 }] })).toHaveLength(1);
  });
});
