/** Which columns of a table hold personal data: recorded when it is loaded, so that queries can mask them. */

import type { Treatment, ValueSource } from '../../../privacy/personal/kinds.ts';
import { isSellersOwn, treatmentOfMember } from '../../../privacy/personal/members.ts';
import type { ColumnInfo } from '../table-types.ts';
import type { Shape } from './item-shape.ts';

/** Of what holds it, where that is personal as a whole. */
export function personalOfMember(
  source: ValueSource,
  path: readonly string[],
  isText: boolean,
): Treatment | undefined {
  let found: Treatment | undefined;
  for (let length = 1; length <= path.length; length++) {
    const treatment = treatmentOfMember(source, path.slice(0, length), isText && length === path.length);
    if (treatment !== undefined && treatment !== 'free text') return treatment;
    found ??= treatment;
  }
  return found;
}

/** @param path of the place within the answer or document */
export function personalOfShape(
  source: ValueSource,
  shape: Shape,
  path: readonly string[],
): Pick<ColumnInfo, 'personal' | 'members'> {
  const own = personalOfMember(source, path, holdsTexts(shape));
  const { objects, objectLists, otherLists, emptyLists } = shape;
  if (objects + objectLists + otherLists + emptyLists === 0) {
    const personal = own ?? (hasContact(source, shape, path) ? 'free text' : undefined);
    return personal === undefined ? {} : { personal };
  }
  const below = own === undefined || own === 'free text' ? lookBelow(source, shape, path) : { kind: own };
  const personal = below.kind ?? own;
  if (personal === undefined && below.isUnknown !== true) return {};
  return { personal, members: [...path] };
}

/** By itself, or as a list of them: the lines of an address. */
const holdsTexts = ({ texts, otherLists }: Shape) => texts + otherLists > 0;

/** The seller's own addresses are nobody else's. */
function hasContact(source: ValueSource, { values }: Shape, path: readonly string[]): boolean {
  return values.hasContact && !isSellersOwn(source, path);
}

interface Below {
  kind?: Treatment | undefined;
  /** Not all of what stands there is known by its name. */
  isUnknown?: boolean;
}

function lookBelow(source: ValueSource, shape: Shape, path: readonly string[]): Below {
  let isUnknown = shape.isOpen || shape.otherLists > 0;
  let kind: Treatment | undefined = hasContact(source, shape, path) ? 'free text' : undefined;
  const parts: Below[] = shape.element === undefined ? [] : [lookBelow(source, shape.element, path)];
  for (const [name, member] of shape.members) {
    const at = [...path, name];
    const own = treatmentOfMember(source, at, holdsTexts(member));
    parts.push(own === undefined || own === 'free text' ? lookBelow(source, member, at) : {});
    if (own !== undefined) parts.push({ kind: own });
  }
  for (const part of parts) {
    isUnknown ||= part.isUnknown === true;
    if (kind === undefined || kind === 'free text') kind = part.kind ?? kind;
  }
  return { kind, isUnknown };
}
