/**
 * Adapts a listing: it has lists of entries by attribute, and each entry belongs to one marketplace or to
 * all.
 */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { formatPath, type Segments } from '../../../base/json-difference.ts';
import { showText } from '../../../base/text/escape-text.ts';
import type { MemberChange } from '../change.ts';
import { asPath } from '../format/describe-difference.ts';
import type { ShowText } from '../format/value.ts';
import type { SubjectAdapter, WritePlanner } from '../subject-adapter.ts';
import { PATCH, pointerOf } from './apply-patches.ts';
import { attributeName, listingLines } from './attribute-lines.ts';
import { covers, isSame } from './compare-attribute.ts';
import { isSelected, keyOf, selectorsOf, toAttributes, toList } from './entries.ts';
import {
  attributesOf,
  compareAttributes,
  LISTING_PARTS,
  marketplacesOutsideCall,
  planListing,
} from './listing-change.ts';
import { createListingSplitter } from './listing-splitter.ts';
import { listingValues } from './listing-values.ts';
import { findUnusual } from './unusual.ts';

const planner: WritePlanner = { more: LISTING_PARTS, elsewhere: marketplacesOutsideCall, plan: planListing };
const PUT = 'listings-items/putListingsItem';

/** A path of this many segments leads to an entry; a longer one leads to one of its members. */
const ENTRY = 3;

export const listingAdapter: SubjectAdapter = {
  planners: { [PATCH]: planner, [PUT]: planner, 'listings-items/deleteListingsItem': planner },
  lines: listingLines,
  place: listingPath,
  values: listingValues,
  unusual: ({ before, after }, sendsUnread) => findUnusual(before, after, sendsUnread),
  stateOf: (side) => ({ attributes: side }),
  sideOf: (state) => (isJsonObject(state) && isJsonObject(state.attributes) ? state.attributes : {}),
  compare: (before, after) => compareAttributes(toAttributes(before), toAttributes(after)),
  read(answer, places, now) {
    const shown = attributesOf(answer, places, now);
    return shown && { attributes: shown.attributes };
  },
  createSplitter: createListingSplitter,
  isAsSent: (segments, sent, now) =>
    segments.length > ENTRY ? covers(now, sent) : isSame(toList(sent), toList(now)),
  shownBy: 'listings-items/getListingsItem',
  undoneWith: { [PATCH]: PATCH, [PUT]: PATCH },
  undoBody: ({ productType, members }) => ({ productType, patches: members.flatMap(toPatches) }),
};

/** Names a member: `bullet points`, `change 2, values`; a nested member gets its path. */
function listingPath(segments: Segments, show: ShowText = showText): string {
  const [group, member, ...inner] = segments;
  const rest = inner.length === 0 ? '' : `, ${formatPath(inner, show)}`;
  if (group === 'attributes' && typeof member === 'string') return attributeName(member, show) + rest;
  if (group === 'patches' && typeof member === 'number') return `change ${member + 1}${rest}`;
  if (group === 'productType' && member === undefined) return 'product type';
  return group === 'marketplaceIds' && inner.length === 0 ? 'marketplace' : asPath(segments, show);
}

/**
 * Builds patches that restore a member. A new attribute is deleted, and so is an entry that the service may
 * leave beside the old ones.
 */
function toPatches({ segments, before, after }: MemberChange): JsonObject[] {
  const path = pointerOf(segments);
  const entries = toList(after);
  if (before === undefined) {
    const selectors = entries.map((entry) => selectorsOf(entry));
    return [deletionOf(path, selectors)];
  }
  const name = String(segments[1]);
  const old = toList(before);
  const added = entries.filter((entry) => !old.some((one) => isSameEntry(name, one, entry)));
  const keys = added.map((entry) => keyOf(name, entry)).filter((key) => key !== undefined);
  if (keys.length === 0) return [{ op: 'replace', path, value: before }];
  const stayed = entries.filter((entry) => !added.includes(entry));
  const deletion = deletionOf(path, keys);
  const restored = { op: 'replace', path, value: before };
  // A key without a marketplace selects entries of every marketplace of the call, so the others are restored
  // after it.
  if (keys.some((key) => old.some((one) => isSelected(key, one)))) return [deletion, restored];
  // Unchanged entries are not sent again, because stock may have been sold meanwhile.
  return canonicalJson(stayed) === canonicalJson(old) ? [deletion] : [restored, deletion];
}

/** Deletes entries by the selectors that tell them apart. */
function deletionOf(path: string, entries: readonly JsonObject[]): JsonObject {
  const selectors = new Map(entries.map((entry) => [canonicalJson(entry), entry]));
  const value = [...selectors.values()].filter((one) => Object.keys(one).length > 0);
  // An entry without any selector selects all of them.
  return value.length === 0 || value.length < selectors.size
    ? { op: 'delete', path }
    : { op: 'delete', path, value };
}

const isSameEntry = (name: string, one: unknown, other: unknown): boolean =>
  canonicalJson(keyOf(name, one)) === canonicalJson(keyOf(name, other));
