/** Looks up when a part of the service ends and what replaces it, as reviewed in endings.yaml. */

import { endings } from './generated/endings.ts';

/**
 * An ending without members is a deprecation with neither a date nor a successor. It is a type, so that it
 * fits any record.
 */
export type Ending = {
  /** The day (ISO) from which it is gone; absent when no date is known. */
  removed?: string;
  /** The ID or name of its replacement. */
  successor?: string;
  /** Explains how the successor covers it. */
  note?: string;
};

/**
 * Finds the ending of one thing.
 * @param name ID of an operation, or name of a report type, dataset, feed type or notification type
 * (`<type>@<version>` for one payload version)
 */
export const endingOf = (name: string): Ending | undefined =>
  Object.hasOwn(endings, name) ? endings[name] : undefined;

/**
 * Returns whether the day of removal has come.
 * @param now milliseconds since the epoch
 */
export const isGone = ({ removed }: Ending, now: number): boolean =>
  removed !== undefined && Date.parse(removed) <= now;

const TWELVE_MONTHS_MS = 365 * 24 * 60 * 60 * 1000;

/** Returns whether it is gone or will be within 12 months, because each call then reports it. */
export const endsSoon = ({ removed }: Ending, now: number): boolean =>
  removed !== undefined && Date.parse(removed) - now < TWELVE_MONTHS_MS;

/**
 * Formats the parts that hold on any day: `removal date 2027-03-27`, `use orders/searchOrders (searches by
 * the same criteria)`.
 */
export function formatEndingParts({ removed, successor, note }: Ending): string[] {
  return [
    ...(removed === undefined ? [] : [`removal date ${removed}`]),
    ...(successor === undefined ? [] : [`use ${withNote(successor, note)}`]),
  ];
}

/** Formats an ending that nothing else marks as deprecated. */
export const formatEnding = (ending: Ending): string =>
  ['deprecated', ...formatEndingParts(ending)].join('; ');

/** Formats an ending for the day of a call: `GET_X was removed on 2026-11-11. Use GET_Y instead.` */
export function formatEndingSentence(name: string, ending: Ending, now: number): string {
  const { removed, successor, note } = ending;
  const end =
    removed === undefined ? 'is deprecated' : `${isGone(ending, now) ? 'was removed' : 'ends'} on ${removed}`;
  return `${name} ${end}.${successor === undefined ? '' : ` Use ${withNote(successor, note)} instead.`}`;
}

const withNote = (successor: string, note: string | undefined) =>
  note === undefined ? successor : `${successor} (${note})`;

/** Removes a successor that was refused in this session, because the account may not call it. */
export function withoutRefusedSuccessor(
  ending: Ending,
  refused: Pick<ReadonlyMap<string, unknown>, 'has'>,
): Ending {
  const { successor, note: _, ...rest } = ending;
  return successor !== undefined && refused.has(successor) ? rest : ending;
}
