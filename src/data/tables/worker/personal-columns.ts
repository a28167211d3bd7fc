/** Determines the columns of a table with personal data when it is loaded, so that queries can mask them. */

import type { Treatment, ValueSource } from '../../../privacy/personal/kinds.ts';
import { isSellersMember, treatmentOfMember } from '../../../privacy/personal/members.ts';
import type { ColumnInfo } from '../table-types.ts';
import type { Shape } from './item-shape.ts';

/** Returns the kind of the outermost member on the path that is personal as a whole. */
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

/** @param path the path of the values within the answer or document */
export function personalOfShape(
  source: ValueSource,
  shape: Shape,
  path: readonly string[],
): Pick<ColumnInfo, 'personal' | 'members'> {
  const own = personalOfMember(source, path, hasTexts(shape));
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

/** Returns true for texts, alone or in a list, such as the lines of an address. */
const hasTexts = ({ texts, otherLists }: Shape) => texts + otherLists > 0;

/** Returns true for contacts, except the seller's own addresses. */
function hasContact(source: ValueSource, { values }: Shape, path: readonly string[]): boolean {
  return values.hasContact && !isSellersMember(source, path);
}

interface Below {
  kind?: Treatment | undefined;
  /** Whether some content there cannot be classified by its name. */
  isUnknown?: boolean;
}

function lookBelow(source: ValueSource, shape: Shape, path: readonly string[]): Below {
  let isUnknown = shape.isOpen || shape.otherLists > 0;
  let kind: Treatment | undefined = hasContact(source, shape, path) ? 'free text' : undefined;
  const parts: Below[] = shape.element === undefined ? [] : [lookBelow(source, shape.element, path)];
  for (const [name, member] of shape.members) {
    const at = [...path, name];
    const own = treatmentOfMember(source, at, hasTexts(member));
    parts.push(own === undefined || own === 'free text' ? lookBelow(source, member, at) : {});
    if (own !== undefined) parts.push({ kind: own });
  }
  for (const part of parts) {
    isUnknown ||= part.isUnknown === true;
    if (kind === undefined || kind === 'free text') kind = part.kind ?? kind;
  }
  return { kind, isUnknown };
}
