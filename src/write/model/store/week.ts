/** The opening hours of one place of a store, day by day, as a person looks at them. */

import type { HoursDay, HoursPlace, Span } from '../../../../views/data.ts';
import { isJsonObject } from '../../../base/json.ts';
import type { Member } from '../change.ts';
import { checkHours, DAYS, isOpen, isOperatingHours, parseTime } from './hours.ts';
import { placeWords } from './place-words.ts';

/** The member that holds them. */
export const HOURS = 'operatingHoursByDay';

/** From the day's name to its openings, as the service has them. */
export type Week = Map<string, unknown[]>;

export interface PlaceHours {
  /** Up to and with `HOURS`. */
  segments: readonly string[];
  week: Week;
  /** Of days that were changed, what was there. */
  before: Week;
  isOffered: boolean;
}

/** A place that has no opening on a day is closed then. */
export function closeMissing(week: Week): void {
  for (const day of DAYS) if (!week.has(day)) week.set(day, []);
}

/** The list of one day, or all days at once. */
export function changedDays({
  segments,
  before,
  after,
}: Member): { day: string; was: unknown[]; is: unknown[] }[] {
  const change = (day: string, was: unknown, is: unknown) => ({ day, was: listOf(was), is: listOf(is) });
  const day = segments[segments.indexOf(HOURS) + 1];
  if (typeof day === 'string') return [change(day, before, after)];
  return DAYS.flatMap((name) => {
    const [was, is] = [before, after].map((side) => (isJsonObject(side) ? side[name] : undefined));
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [change(name, was, is)];
  });
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** With what is probably wrong. @param own of the store itself, for a place within it */
export function describePlace(
  { segments, week, before, isOffered }: PlaceHours,
  own: Week | undefined,
): HoursPlace {
  const words = placeWords(segments).replace(/,? ?opening hours$/, '');
  return {
    name: words === '' ? 'the store' : words,
    isOffered,
    days: DAYS.map((name): HoursDay => {
      const list = week.get(name);
      const was = before.get(name);
      const isHole = list?.length === 0 && isOpen(own?.get(name));
      const isAlone = isOpen(list) && own?.get(name)?.length === 0;
      return {
        name,
        ...(list === undefined ? {} : { open: spansOf(list) }),
        ...(was === undefined ? {} : { before: spansOf(was) }),
        faults: [
          ...(list === undefined ? [] : checkHours({ [name]: list }, []).map(({ message }) => message)),
          ...(isHole ? ['closed, while the store itself is open'] : []),
          ...(isAlone ? ['open, while the store itself is closed'] : []),
        ],
      };
    }),
  };
}

function spansOf(list: readonly unknown[]): Span[] {
  if (!isOperatingHours(list)) return [];
  return list.flatMap(({ startTime, endTime }): Span[] => {
    const [start, end] = [parseTime(startTime), parseTime(endTime)];
    // 00:00-00:00 is what the service answers for a day that is open all the time.
    if (start === undefined || end === undefined) return [];
    return [[start, end === 0 ? 1_440 : end]];
  });
}
