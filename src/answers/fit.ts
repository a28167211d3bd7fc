/** Cuts one part of a value to a number of bytes, choosing the way by what it is. */

import type { Context, Fitted } from './fit-entry.ts';
import { fitList } from './fit-list.ts';
import { fitMembers } from './fit-members.ts';
import { fitText } from './fit-text.ts';
import { HIGHEST, isOpaque } from './omission.ts';
import { measurePart, openPart, type Part } from './part.ts';

/** Undefined when not even a piece fits. */
export function fitPart(
  context: Context,
  part: Part,
  path: string,
  depth: number,
  room: number,
): Fitted | undefined {
  const { bytes, height } = measurePart(part, context.measure);
  if (bytes <= room && depth + height <= HIGHEST) return { part, omitted: [], bytes };
  const open = openPart(part);
  if (open.kind === 'whole') return undefined;
  if (open.kind === 'text') return fitText(open, path, room);
  if (isOpaque(open, path, depth)) return undefined;
  const place = { list: open, path, depth };
  return (
    (open.kind === 'members' ? fitMembers(context, place, room) : undefined) ?? fitList(context, place, room)
  );
}
