/** What cannot be taken back, and why, in a sentence: told before anybody says yes. */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { byteLength, isJsonObject } from '../../../base/json.ts';
import { formatPath, type Segments } from '../../../base/json-difference.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import type { Change, Member } from '../../model/change.ts';
import { membersOf } from '../../model/changed-members.ts';
import { undoneWith } from '../../model/find-adapter.ts';
import { isSensitivePath, maskText, shrink } from '../journal/mask.ts';

/** For one write: more than any listing holds. */
const MAX_KEPT_BYTES = 400_000;

export interface Undoable {
  operation: Pick<Operation, 'id' | 'effect' | 'group'>;
  change: Change;
  /** The change as the assistant sees it: where it differs, the change holds something personal. */
  shown: Change;
  /** What it writes was not there before. */
  isNew?: boolean | undefined;
}

/** Why it cannot be taken back; undefined where it can. @param canSeal asked only where something personal is kept */
export async function whyNotUndoable(
  { operation, change, shown, isNew = false }: Undoable,
  canSeal: () => Promise<boolean>,
): Promise<string | undefined> {
  if (operation.effect === 'delete') return 'what is deleted stays deleted.';
  if (undoneWith(operation.id) === undefined) return nothingFor(operation);
  if (change.differences === undefined) return 'the values before it are not known.';
  if (change.cannotUndo !== undefined) return change.cannotUndo;
  if (isNew) return 'a new listing is only taken back by deleting it.';
  const more = (change.sent ?? []).find(({ segments }) => segments[0] !== 'requirements');
  if (more !== undefined && operation.id.endsWith('/putListingsItem')) {
    return 'it also sends members whose values before it are not known.';
  }
  const members = membersOf(change);
  if (members.length === 0 && more !== undefined) return 'nothing of what was read changes by it.';
  if (byteLength(JSON.stringify(members)) > MAX_KEPT_BYTES) {
    return `the values before and after it are larger than ${MAX_KEPT_BYTES / 1000} kB, and are not kept.`;
  }
  if (!holdsPersonal(members, membersOf(shown)) || (await canSeal())) return undefined;
  return 'it holds personal data, and without a keychain on this computer their earlier values are not kept.';
}

function nothingFor({ id, group, effect }: Undoable['operation']): string {
  if (effect === 'request') return 'it changes nothing.';
  if (/messag|solicitation/.test(group)) return 'a message that was sent stays sent.';
  if (id.startsWith('feeds/')) return 'what feeds of this type change is not compared.';
  if (id === NEW_STORE) return 'a new store stays; archiveSupplySource archives it.';
  return 'only changes of listings and of stores are.';
}

const NEW_STORE = 'supply-sources/createSupplySource';

/** By what the assistant may not see, and by what the journal would mask. */
export function holdsPersonal(members: readonly Member[], shown: readonly Member[]): boolean {
  if (canonicalJson(members) !== canonicalJson(shown)) return true;
  return members.some(
    ({ segments, before, after }) =>
      isSensitivePath(formatPath(segments)) || looksPersonal(before) || looksPersonal(after),
  );
}

/** The change without what the journal would mask. */
export function withoutPersonal(change: Change): Change {
  const { differences = [], ...rest } = change;
  const isPublic = ({ segments, before, after }: (typeof differences)[number]) =>
    !isSensitivePath(formatPath(segments)) && !looksPersonal(before) && !looksPersonal(after);
  const kept = differences.filter(isPublic);
  return { ...rest, differences: kept, isWhole: false };
}

/** Of a value that is shown again: more than a query compares. */
const ROOM = { text: 2_000, items: 1_000, depth: 32 };

/** A value of the member without what the journal would mask. */
export function maskMember(segments: Segments, value: unknown): unknown {
  return value === undefined ? undefined : shrink(value, ROOM, isSensitivePath(formatPath(segments)));
}

function looksPersonal(value: unknown): boolean {
  if (typeof value === 'string') return maskText(value) !== value;
  if (Array.isArray(value)) return value.some(looksPersonal);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([name, member]) => isSensitivePath(name) || looksPersonal(member));
}
