/** Describes the opening hours of one part of a store, day by day, for the user. */

import type { HoursChannel, HoursDay, Span } from '../../../../views/data.ts';
import { isJsonObject } from '../../../base/json.ts';
import type { MemberChange } from '../change.ts';
import { checkHours, DAYS, isOpen, isOperatingHours, parseTime } from './hours.ts';
import { describeStorePath } from './store-path.ts';

/** The member that has them. */
export const HOURS = 'operatingHoursByDay';

/** The openings of each day by its name, as the service has them. */
export type Week = Map<string, unknown[]>;

export interface StorePartHours {
  /** The path, including `HOURS`. */
  segments: readonly string[];
  week: Week;
  /** The old openings of changed days. */
  before: Week;
  isOffered: boolean;
}

/** Closes the days without an opening. */
export function closeMissing(week: Week): void {
  for (const day of DAYS) if (!week.has(day)) week.set(day, []);
}

/** Returns the changed days, from the list of one day or of all days. */
export function changedDays({
  segments,
  before,
  after,
}: MemberChange): { day: string; was: unknown[]; is: unknown[] }[] {
  const change = (day: string, was: unknown, is: unknown) => ({ day, was: listOf(was), is: listOf(is) });
  const day = segments[segments.indexOf(HOURS) + 1];
  if (typeof day === 'string') return [change(day, before, after)];
  return DAYS.flatMap((name) => {
    const [was, is] = [before, after].map((side) => (isJsonObject(side) ? side[name] : undefined));
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [change(name, was, is)];
  });
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Describes the hours with probable mistakes. @param own the hours of the store itself, for a part of it */
export function describeStorePart(
  { segments, week, before, isOffered }: StorePartHours,
  own: Week | undefined,
): HoursChannel {
  const words = describeStorePath(segments).replace(/,? ?opening hours$/, '');
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
    // The service returns 00:00-00:00 for a day that is open all the time.
    if (start === undefined || end === undefined) return [];
    return [[start, end === 0 ? 1_440 : end]];
  });
}
