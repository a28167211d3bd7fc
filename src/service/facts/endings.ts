/** What ends: when something of the service is gone, and what takes its place, as reviewed in endings.yaml. */

import { endings } from './generated/endings.ts';

/** Without members: deprecated, with neither a date nor a successor that is known. A type, so that it fits any record. */
export type Ending = {
  /** The day (ISO) from which it is gone; absent where no date is known. */
  removed?: string;
  /** What to use instead, by id or name. */
  successor?: string;
  /** What the successor has of it. */
  note?: string;
};

/** @param name id of an operation, or name of a report type, dataset, feed type or notification type (`<type>@<version>` for one payload version) */
export const endingOf = (name: string): Ending | undefined =>
  Object.hasOwn(endings, name) ? endings[name] : undefined;

/** True from the day of removal on. @param now milliseconds since the epoch */
export const isGone = ({ removed }: Ending, now: number): boolean =>
  removed !== undefined && Date.parse(removed) <= now;

const TWELVE_MONTHS_MS = 365 * 24 * 60 * 60 * 1000;

/** True where it is gone, or will be within 12 months: each call says so then. */
export const endsSoon = ({ removed }: Ending, now: number): boolean =>
  removed !== undefined && Date.parse(removed) - now < TWELVE_MONTHS_MS;

/** `removal date 2027-03-27`, `use orders/searchOrders (searches by the same criteria)`: true on any day. */
export function endingParts({ removed, successor, note }: Ending): string[] {
  return [
    ...(removed === undefined ? [] : [`removal date ${removed}`]),
    ...(successor === undefined ? [] : [`use ${withNote(successor, note)}`]),
  ];
}

/** Of what nothing else says that it is deprecated. */
export const endingWords = (ending: Ending): string => ['deprecated', ...endingParts(ending)].join('; ');

/** `GET_X was removed on 2026-11-11. Use GET_Y instead.`, on the day of a call. */
export function endingSentence(name: string, ending: Ending, now: number): string {
  const { removed, successor, note } = ending;
  const end =
    removed === undefined ? 'is deprecated' : `${isGone(ending, now) ? 'was removed' : 'ends'} on ${removed}`;
  return `${name} ${end}.${successor === undefined ? '' : ` Use ${withNote(successor, note)} instead.`}`;
}

const withNote = (successor: string, note: string | undefined) =>
  note === undefined ? successor : `${successor} (${note})`;

/** Without a successor that the account may not call: it is not what to use instead. */
export function withoutRefused(ending: Ending, refused: Pick<ReadonlyMap<string, unknown>, 'has'>): Ending {
  const { successor, note: _, ...rest } = ending;
  return successor !== undefined && refused.has(successor) ? rest : ending;
}
