/** Opening hours of a day, judged as somebody would who marks every minute on a clock. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkHours,
  DAYS,
  isOpen,
  isOperatingHours,
  quote,
} from '../../../../src/write/model/store/hours.ts';

const minute = fc.integer({ min: 0, max: 1_440 });
const clock = (at: number) =>
  `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
const messagesOf = (hours: unknown) => checkHours({ monday: hours }, ['at']).map(({ message }) => message);

it('spans that share a minute overlap, each told once with the one before it that lasts longest', () => {
  const spans = fc.array(
    fc.tuple(minute, minute).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) + 1 })),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(spans, (all) => {
      const inside = all.filter(({ end }) => end <= 1_440);
      const messages = messagesOf(
        inside.map(({ start, end }) => ({ startTime: clock(start), endTime: clock(end) })),
      );
      const sorted = inside.toSorted((a, b) => a.start - b.start || a.end - b.end);
      const expected = sorted.flatMap((one, at) => {
        const longest = sorted
          .slice(0, at)
          .reduce<typeof one | undefined>(
            (best, other) => (best === undefined || other.end > best.end ? other : best),
            undefined,
          );
        if (longest === undefined || longest.end <= one.start) return [];
        return [
          `${clock(longest.start)}-${clock(longest.end)} and ${clock(one.start)}-${clock(one.end)} overlap`,
        ];
      });
      expect(messages).toEqual(expected);
    }),
  );
});

it('every minute up to 24:00 is a time, and closing comes after opening', () => {
  fc.assert(
    fc.property(minute, minute, (start, end) => {
      const span = `${clock(start)}-${clock(end)}`;
      const messages = messagesOf([{ startTime: clock(start), endTime: clock(end) }]);
      if (end < start) expect(messages).toEqual([`${span} closes before it opens`]);
      else if (end === start && start > 0)
        expect(messages).toEqual([`${span} opens and closes at the same time`]);
      else expect(messages).toEqual([]);
    }),
  );
  expect(messagesOf([{ startTime: '00:00', endTime: '00:00' }])).toEqual([]);
});

it.each(['24:01', '25:00', '9:00', '09:60', '09:00:00', ' 09:00', '', 900, null])('%j is no time', (time) => {
  const paths = checkHours({ sunday: [{ startTime: time, endTime: '10:00' }] }, ['at']);
  expect(paths).toEqual([
    {
      segments: ['at', 'sunday', 0, 'startTime'],
      message: `${JSON.stringify(time)} is not a time such as 09:00 (HH:mm, 24 hours)`,
    },
  ]);
});

describe('what is no day, no list or no opening', () => {
  it('is told at its place', () => {
    const messages = checkHours(
      { feiertag: [], monday: 'closed', tuesday: [{}, 7, { startTime: '09:00' }] },
      ['at'],
    );
    expect(messages).toEqual([
      { segments: ['at', 'feiertag'], message: `is not a day; the days are ${DAYS.join(', ')}` },
      { segments: ['at', 'monday'], message: 'is not a list of opening hours' },
      { segments: ['at', 'tuesday', 0, 'startTime'], message: 'is missing' },
      { segments: ['at', 'tuesday', 0, 'endTime'], message: 'is missing' },
      { segments: ['at', 'tuesday', 1, 'startTime'], message: 'is missing' },
      { segments: ['at', 'tuesday', 1, 'endTime'], message: 'is missing' },
      { segments: ['at', 'tuesday', 2, 'endTime'], message: 'is missing' },
    ]);
  });
  it('is no list of opening hours', () => {
    expect(
      [[], [{ startTime: 1 }], [{ endTime: '9' }, { startTime: '9', endTime: '9' }]].map(isOperatingHours),
    ).toEqual([true, true, true]);
    expect(
      [undefined, {}, [{}], [7], [{ startTime: 1 }, { open: 1 }], [{ startTime: 1, open: 1 }]].map(
        isOperatingHours,
      ),
    ).toEqual(Array(6).fill(false));
  });
  it('is not open', () => {
    expect([[{}], [0], [], {}, 'x', undefined].map(isOpen)).toEqual([true, true, false, false, false, false]);
  });
});

it('a value in a message is quoted, and cut behind 80 characters', () => {
  const text = (length: number) => 'x'.repeat(length - 2);
  expect(quote(text(80))).toBe(`"${text(80)}"`);
  expect(quote(text(81))).toBe(`"${text(81)}...`);
  expect(quote(undefined)).toBe('undefined');
});
