/** An answer of the service without personal data: members by their rules, prose by its looks, and what was masked once wherever else it stands. */

import { isJsonObject } from '../json.ts';
import { EVERY_MARK, WHOLE_MARK } from '../text/mark-shape.ts';
import { changeBetweenMarks } from './between-marks.ts';
import { maskFreeText, maskProse } from './free-text.ts';
import type { PersonalKind, Treatment, ValueSource } from './kinds.ts';
import { isWorthFinding } from './known-values.ts';
import type { treatmentOfMember } from './members.ts';
import { createTextFinder, type TextFinder } from './text-finder.ts';
import type { Original } from './vault.ts';

export interface MaskWalk {
  source: ValueSource;
  treatmentOf: typeof treatmentOfMember;
  /** By the structure of the answers of this source, filled while walking. */
  places: Place;
  /** For what was made here, in which marks of ours stand already: they stay. */
  keepsMarks?: boolean;
  /** Makes the mark, and remembers what it stands for. */
  mark(kind: PersonalKind, value: Original): string;
}

/** A member by its path: looked up once for all the elements of a list. */
export interface Place {
  path: readonly string[];
  treatment: Treatment | undefined;
  /** The rules know what is personal of this sort, and say that this one is nobody's. */
  isOwn: boolean;
  below: Map<string, Place>;
}

export const createPlace = (path: readonly string[] = [], treatment?: Treatment): Place => ({
  path,
  treatment,
  isOwn: treatment === undefined && CONTACT.test(path.at(-1) ?? ''),
  below: new Map(),
});

const CONTACT = /mail|phone|fax|mobile|^tel/i;

/** Of member names themselves. */
const NAMES = createPlace();

/** Towns and countries stay, whoever is named like one. */
const REGION = /city|town|state|region|province|country|marketplace|currency/i;

/** Where one member has so many different names, they are data: what is known of them is forgotten now and then. */
const MOST_NAMES = 2_000;

export interface Walked {
  value: unknown;
  count: number;
}

/** The value itself where there is nothing to mask. @param value as a JSON parser makes it, at most 64 levels deep */
export function maskWalk(value: unknown, walk: MaskWalk): Walked {
  let count = 0;
  const elsewhere = createTextFinder();
  const replace = (kind: PersonalKind, original: Original): string => {
    count += 1;
    const mark = walk.mark(kind, original);
    if (isWorthFinding(kind, String(original))) elsewhere.add(String(original), mark);
    return mark;
  };
  const masking = { replace, keepsMarks: walk.keepsMarks === true };
  const masked = mapTexts(value, walk.places, walk, (leaf, place) => maskLeaf(leaf, place, masking));
  if (elsewhere.size() === 0) return { value: masked, count };
  const again = mapTexts(masked, walk.places, walk, (leaf, place) => {
    const clean = typeof leaf === 'string' ? maskElsewhere(leaf, place, elsewhere) : leaf;
    if (clean !== leaf) count += 1;
    return clean;
  });
  return { value: again, count };
}

type Leaf = string | number;

interface Masking {
  replace(kind: PersonalKind, value: Original): string;
  keepsMarks: boolean;
}

type Rules = Pick<MaskWalk, 'source' | 'treatmentOf'>;

/** A copy where something changes, the value itself where nothing does; what is below a kind is of this kind. */
function mapTexts(
  value: unknown,
  place: Place,
  rules: Rules,
  change: (leaf: Leaf, place: Place) => Leaf,
): unknown {
  if (typeof value === 'string' || typeof value === 'number') return change(value, place);
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (let at = 0; at < value.length; at += 1) {
      const clean = mapTexts(value[at], place, rules, change);
      if (clean === value[at]) continue;
      copy ??= [...value];
      copy[at] = clean;
    }
    return copy ?? value;
  }
  return isJsonObject(value) ? mapMembers(value, place, rules, change) : value;
}

function mapMembers(
  value: Record<string, unknown>,
  place: Place,
  rules: Rules,
  change: (leaf: Leaf, place: Place) => Leaf,
): Record<string, unknown> {
  let changed: [string, unknown][] | undefined;
  const names = Object.keys(value);
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at] ?? '';
    const member = mapTexts(value[name], placeBelow(place, name, rules), rules, change);
    // An answer can be a list by buyers' addresses.
    const shown = name.includes('@') ? String(change(name, NAMES)) : name;
    if (member === value[name] && shown === name) continue;
    changed ??= Object.entries(value);
    changed[at] = [shown, member];
  }
  return changed === undefined ? value : Object.fromEntries(changed);
}

function placeBelow(place: Place, name: string, { treatmentOf, source }: Rules): Place {
  const known = place.below.get(name);
  if (known !== undefined) return known;
  if (place.below.size >= MOST_NAMES) place.below.clear();
  const path = [...place.path, name];
  const inherited = place.treatment === 'free text' ? undefined : place.treatment;
  const below = createPlace(path, treatmentOf(source, path) ?? inherited);
  place.below.set(name, below);
  return below;
}

/** A mark, or what the journal leaves of a value. */
const isMasked = (leaf: Leaf) => leaf === '[masked]' || WHOLE_MARK.test(String(leaf));
function maskLeaf(leaf: Leaf, { treatment, isOwn }: Place, { replace, keepsMarks }: Masking): Leaf {
  const isPersonal = treatment !== undefined && treatment !== 'free text';
  if (keepsMarks && isMasked(leaf)) return leaf;
  if (typeof leaf === 'number') return isPersonal ? replace(treatment, leaf) : leaf;
  if (isPersonal) return leaf.trim() === '' ? leaf : replace(treatment, leaf);
  // What the service sends is no mark of ours: it must not be shown as one.
  if (!keepsMarks && leaf.includes('«') && leaf.search(EVERY_MARK) >= 0) return replace('buyer text', leaf);
  const markOf = (kind: PersonalKind, value: string) =>
    isOwn && value === leaf ? undefined : replace(kind, value);
  const mask = treatment === 'free text' ? maskProse : maskFreeText;
  return changeBetweenMarks(leaf, (piece) => mask(piece, markOf));
}

/** What is masked already stays; a longer text is searched word by word. */
function maskElsewhere(leaf: string, { treatment, path }: Place, elsewhere: TextFinder): string {
  if (REGION.test(path.at(-1) ?? '')) return leaf;
  if (treatment === undefined && !/\s/.test(leaf)) return elsewhere.exactly(leaf) ?? leaf;
  return changeBetweenMarks(leaf, elsewhere.replaceIn);
}
