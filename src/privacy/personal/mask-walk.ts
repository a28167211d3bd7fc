/** An answer of the service without personal data: members by their rules, prose by its looks, and what was masked once wherever else it stands. */

import { isJsonObject } from '../../base/json.ts';
import { WHOLE_MARK, withForeignMarks } from '../../base/text/mark-shape.ts';
import { changeBetweenMarks } from './between-marks.ts';
import { hideSigners, maskEmails, maskFreeText, maskProse } from './free-text.ts';
import type { PersonalKind } from './kinds.ts';
import { isWorthFinding } from './known-values.ts';
import { maskMarkup } from './mask-markup.ts';
import type { MemberRule } from './members.ts';
import { findNamedValues, mayHoldNamedValues } from './named-values.ts';
import {
  changeJsonInText,
  holdsTag,
  isMarkup,
  isParsedWhole,
  mayHoldStructure,
  wholeJson,
} from './structure-in-text.ts';
import { createTextFinder, type TextFinder } from './text-finder.ts';
import type { Original } from './vault.ts';

export interface MaskWalk {
  /** What holds at the top of the answer. */
  rule: MemberRule;
  /** Texts that were put into the answer here: they stay. */
  ours?: ReadonlySet<string>;
  /** For what was made here, in which marks of ours stand already: they stay. */
  keepsMarks?: boolean;
  /** Makes the mark, and remembers what it stands for. */
  mark(kind: PersonalKind, value: Original): string;
  /** Told each text that is the seller's own, and stays, with the name of its member. */
  noteOwn?(text: string, name: string): void;
}

/** Towns and countries stay, whoever is named like one. */
const REGION = /city|town|state|region|province|country|marketplace|currency/i;

/** So does what is sold and sent: `Cushion, Black` is no Mr Black's, and the number of a part no telephone's. */
const THING =
  /sku$|asin$|brand|colou?r|title$|(?:item|product)[-_ ]?name$|tracking(?:[-_ ]?(?:numbers?|ids?|no))?$/i;

/** True for what names a thing that is sold or sent, by the name of the member or column. */
export const isThing = (name: string) => THING.test(name);

/** True for that and for regions: in it nobody is looked for by name. */
export const isThingOrRegion = (name: string) => REGION.test(name) || isThing(name);

/** The value itself where there is nothing to mask, and how many values were. @param value as a JSON parser makes it, at most 64 levels deep */
export function maskWalk(value: unknown, walk: MaskWalk): { value: unknown; count: number } {
  let count = 0;
  let elsewhere: TextFinder | undefined;
  const replace = (kind: PersonalKind, original: Original): string => {
    count += 1;
    const mark = walk.mark(kind, original);
    if (isWorthFinding(kind, String(original))) {
      elsewhere ??= createTextFinder();
      elsewhere.add(String(original), mark);
      for (const encoded of inAddresses(String(original))) elsewhere.add(encoded, mark);
    }
    return mark;
  };
  const masking = { replace, keepsMarks: walk.keepsMarks === true };
  let inside = 0;
  const mask: Change = (leaf, place) => {
    if (typeof leaf === 'string' && areOwnWords(leaf, place.rule)) return leaf;
    if (walk.ours?.has(String(leaf)) === true) return leaf;
    if (typeof leaf !== 'string' || isWhole(place.rule) || inside >= MOST_INSIDE)
      return maskLeaf(leaf, place, masking);
    inside += 1;
    const masked = maskInside(leaf, place) ?? maskLeaf(leaf, place, masking);
    inside -= 1;
    return masked;
  };
  /** Undefined where neither markup nor JSON can stand in it. */
  const maskInside = (text: string, place: Place): string | undefined => {
    if (isMarkup(text)) return inMarkup(text, place);
    const whole = wholeJson(text);
    if (whole !== undefined) return inJson(whole, text, place, walk);
    return mayHoldStructure(text) ? inWords(text, place) : undefined;
  };
  const inJson = (value: unknown, written: string, place: Place, within: MaskWalk): string => {
    const clean = mapTexts(value, place, within, mask);
    return clean === value && isParsedWhole(value, written) ? written : JSON.stringify(clean);
  };
  const inMarkup = (text: string, place: Place) =>
    aroundNamedMarkup(text, replace, (part) => elementsIn(part, place));
  const elementsIn = (text: string, place: Place) =>
    maskMarkup(text, {
      top: place,
      child: ({ rule }, name) => ({ rule: rule.child(name), name }),
      mask: (within, content, isCut) =>
        String(isCut ? maskLeaf(content, within, masking) : mask(content, within)),
    });
  /** What stands in them, and then they themselves, as if it were words too: nothing in it is less masked than words are. */
  const inWords = (text: string, place: Place): string => {
    const made = changeJsonInText(
      masking.keepsMarks ? text : withForeignMarks(text),
      (value, written) => inJson(value, written, place, { ...walk, noteOwn: () => undefined }),
      (piece) => (holdsTag(piece) ? inMarkup(piece, place) : piece),
    );
    return String(maskLeaf(made, place, { ...masking, keepsMarks: true }));
  };
  const masked = mapTexts(value, { rule: walk.rule, name: '' }, walk, mask);
  const known = elsewhere;
  if (count === 0) return { value: masked, count };
  const again = mapTexts(masked, { rule: walk.rule, name: '' }, walk, (leaf, place) => {
    if (typeof leaf !== 'string') return leaf;
    const found = known === undefined ? leaf : maskElsewhere(leaf, place, known);
    const clean = place.rule.ofText === 'free text' ? hideSigners(found) : found;
    if (clean !== leaf) count += 1;
    return clean;
  });
  return { value: again, count };
}

/** Takes out values with markup in them that stand in quotes behind their names, because a cut JSON is read as markup. */
function aroundNamedMarkup(
  text: string,
  replace: Masking['replace'],
  change: (part: string) => string,
): string {
  if (!/["']/.test(text) || !mayHoldNamedValues(text)) return change(text);
  let masked = '';
  let done = 0;
  for (const { kind, start, end } of findNamedValues(text)) {
    const value = text.slice(start, end);
    if (!holdsTag(value) || !/["']/.test(text.charAt(start - 1))) continue;
    masked += change(text.slice(done, start)) + replace(kind, value);
    done = end;
  }
  return masked + change(text.slice(done));
}

type Leaf = string | number;

interface Masking {
  replace(kind: PersonalKind, value: Original): string;
  keepsMarks: boolean;
}

/** Where a value stands. */
interface Place {
  rule: MemberRule;
  /** Of the member; in a list, of the list. */
  name: string;
}

type Change = (leaf: Leaf, place: Place) => Leaf;

/** A copy where something changes, the value itself where nothing does. */
function mapTexts(value: unknown, place: Place, walk: MaskWalk, change: Change): unknown {
  if (typeof value === 'string' || typeof value === 'number') {
    if (typeof value === 'string' && place.rule.isOwn) walk.noteOwn?.(value, place.name);
    return change(value, place);
  }
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (let at = 0; at < value.length; at += 1) {
      const clean = mapTexts(value[at], place, walk, change);
      if (clean === value[at]) continue;
      copy ??= [...value];
      copy[at] = clean;
    }
    return copy ?? value;
  }
  return isJsonObject(value) ? mapMembers(value, place.rule, walk, change) : value;
}

function mapMembers(
  value: Record<string, unknown>,
  rule: MemberRule,
  walk: MaskWalk,
  change: Change,
): Record<string, unknown> {
  let changed: [string, unknown][] | undefined;
  let at = -1;
  for (const name in value) {
    at += 1;
    const before = value[name];
    const place = { rule: rule.child(name), name };
    const member = mapTexts(before, place, walk, change);
    // An answer can be a list by buyers' addresses, or by what looks like a mark.
    const shown = /[@«]/.test(name) ? String(change(name, { rule, name: '' })) : name;
    if (member === before && shown === name) continue;
    changed ??= Object.entries(value);
    changed[at] = [shown, member];
  }
  return changed === undefined ? value : Object.fromEntries(changed);
}

/** As it stands in the address of a page (half a character has none): with `%20` or with `+` between words. */
function inAddresses(value: string): string[] {
  const encoded = encodeURIComponent(Buffer.from(value).toString());
  return [encoded, encoded.replaceAll('%20', '+')];
}

/** Texts in texts in texts, as JSON or markup: of more, the last is looked at as it is. */
const MOST_INSIDE = 16;

const isWhole = ({ ofText }: MemberRule) => ofText !== undefined && ofText !== 'free text';

/** True for mere words of the seller's own, which stay: no mark can stand in them, and neither JSON nor markup with one. */
const areOwnWords = (text: string, rule: MemberRule) => rule.isOwn && !isWhole(rule) && !/[«"{[<]/.test(text);

/** A mark, or what the journal leaves of a value. */
const isMasked = (leaf: Leaf) => leaf === '[masked]' || WHOLE_MARK.test(String(leaf));
function maskLeaf(leaf: Leaf, { rule, name }: Place, { replace, keepsMarks }: Masking): Leaf {
  const { ofText: treatment, isOwn } = rule;
  const isPersonal = treatment !== undefined && treatment !== 'free text';
  if (keepsMarks && isMasked(leaf)) return leaf;
  if (typeof leaf === 'number') return isPersonal ? replace(treatment, leaf) : leaf;
  if (isPersonal) return leaf.trim() === '' ? leaf : replace(treatment, leaf);
  // What the service sends is no mark of ours: it must not be shown as one.
  const shown = keepsMarks ? leaf : withForeignMarks(leaf);
  if (isOwn) return shown;
  const mask = treatment === 'free text' ? maskProse : isThing(name) ? maskEmails : maskFreeText;
  return changeBetweenMarks(shown, (piece) => mask(piece, replace));
}

/** What is masked already stays; a longer text is searched word by word. */
function maskElsewhere(leaf: string, { rule, name }: Place, elsewhere: TextFinder): string {
  if (rule.isOwn || isThingOrRegion(name)) return leaf;
  if (rule.ofText === undefined && !/[\s%+]/.test(leaf)) return elsewhere.exactly(leaf) ?? leaf;
  return changeBetweenMarks(leaf, elsewhere.replaceIn);
}
