/**
 * Renders a change as lines, one for each thing that a user tells apart; the adapter of its subject chooses
 * the words.
 */

import { showText } from '../../../base/text/escape-text.ts';
import type { Change, Warning } from '../change.ts';
import { adapterOf } from '../find-adapter.ts';
import type { TextLine } from './fit-lines.ts';
import { formatMarketplaceIds, formatSubject } from './subject.ts';

/** Renders old and new values; empty if nothing changes or nothing is known. */
export const changeLines = (change: Change): TextLine[] => adapterOf(change.subject).lines(change);

/** Renders a warning with its path. */
export function warningLine(change: Pick<Change, 'subject'>, { segments, message }: Warning): string {
  return `${adapterOf(change.subject).place(segments)}: ${showText(message)}`;
}

/** Renders the remedies for the assistant, because a user is not shown JSON. */
export function remedyLines({ subject, warnings }: Pick<Change, 'subject' | 'warnings'>): string[] {
  return warnings.flatMap(({ segments, how }) =>
    how === undefined ? [] : [`For the assistant: ${adapterOf(subject).place(segments)}: ${showText(how)}.`],
  );
}

/** The max bytes of a name in the result of a write. */
export const MAX_SUBJECT_NAME_BYTES = 100;

export function subjectLine({ subject, places }: Change): string {
  const words = [formatSubject(subject, MAX_SUBJECT_NAME_BYTES) ?? 'State', formatMarketplaceIds(places)];
  return words.filter((word) => word !== '').join(', ');
}

export const NO_CHANGES = 'no changes';
export const NOTHING_ELSE = 'Nothing else changes.';
export const CANNOT_UNDO = 'Cannot be undone afterwards:';

/** Renders the whole change in one line; empty if nothing of it is known. */
export function formatChange(change: Change): string {
  if (change.differences === undefined) return '';
  const lines = changeLines(change).map(({ short }) => short);
  const isAll = change.isWhole && (change.sent ?? []).length === 0;
  if (lines.length === 0) return isAll ? `${subjectLine(change)}: ${NO_CHANGES}.` : '';
  const what = lines.join('; ').replace(/\.$/, '');
  return `${subjectLine(change)}: ${what}.${isAll ? ` ${NOTHING_ELSE}` : ''}`;
}
