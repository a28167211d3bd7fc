/**
 * Masks personal data in an answer of the service: members by rules, prose by patterns, and repeats of masked
 * values anywhere.
 */

import { isJsonObject } from '../../base/json.ts';
import { requoteForeignPlaceholders, WHOLE_PLACEHOLDER } from '../../base/text/placeholder-shape.ts';
import { hideSigners, maskEmails, maskFreeText, maskProse } from './free-text.ts';
import type { PersonalKind } from './kinds.ts';
import { isFindable } from './known-values.ts';
import { maskMarkup } from './mask-markup.ts';
import type { MemberRule } from './members.ts';
import { findNamedValues, mayContainNamedValues } from './named-values.ts';
import { changeOutsidePlaceholders } from './outside-placeholders.ts';
import {
  changeJsonInText,
  containsTag,
  isMarkup,
  isParsedWhole,
  mayContainStructure,
  parseWholeJson,
} from './structure-in-text.ts';
import { createTextFinder, type TextFinder } from './text-finder.ts';
import type { OriginalValue } from './vault.ts';

export interface MaskOptions {
  /** The rule at the top of the answer. */
  rule: MemberRule;
  /** Texts that this program put into the answer; they stay. */
  ours?: ReadonlySet<string>;
  /** True for a value made here, in which placeholders of ours stay. */
  keepsMarks?: boolean;
  /** Makes the placeholder and records its original. */
  mark(kind: PersonalKind, value: OriginalValue): string;
  /** Called with each text that is the seller's own and stays, and with the name of its member. */
  noteOwn?(text: string, name: string): void;
}

/** Towns and countries stay, even if a buyer has the same name. */
const REGION = /city|town|state|region|province|country|marketplace|currency/i;

/**
 * Things that are sold and sent stay too: `Cushion, Black` is no Mr Black's, and a part number is no phone
 * number.
 */
const THING =
  /sku$|asin$|brand|colou?r|title$|(?:item|product)[-_ ]?name$|tracking(?:[-_ ]?(?:numbers?|ids?|no))?$/i;

/** True for a name of a member or column that names a thing that is sold or sent. */
export const isThingName = (name: string) => THING.test(name);

/** True for such names and for regions: values there are not searched for known names. */
export const isThingOrRegionName = (name: string) => REGION.test(name) || isThingName(name);

/**
 * Returns the masked value (the same one if nothing was masked) and the number of masked values.
 * @param value as a JSON parser makes it, at most 64 levels deep
 */
export function maskValue(value: unknown, walk: MaskOptions): { value: unknown; count: number } {
  let count = 0;
  let repeats: TextFinder | undefined;
  const replace = (kind: PersonalKind, original: OriginalValue): string => {
    count += 1;
    const mark = walk.mark(kind, original);
    if (isFindable(kind, String(original))) {
      repeats ??= createTextFinder();
      repeats.add(String(original), mark);
      for (const encoded of encodeForUrl(String(original))) repeats.add(encoded, mark);
    }
    return mark;
  };
  const masking = { replace, keepsMarks: walk.keepsMarks === true };
  let inside = 0;
  const mask: ChangeLeaf = (leaf, context) => {
    if (typeof leaf === 'string' && isOwnPlain(leaf, context.rule)) return leaf;
    if (walk.ours?.has(String(leaf)) === true) return leaf;
    if (typeof leaf !== 'string' || isWhole(context.rule) || inside >= MAX_NESTED)
      return maskLeaf(leaf, context, masking);
    inside += 1;
    const masked = maskInside(leaf, context) ?? maskLeaf(leaf, context, masking);
    inside -= 1;
    return masked;
  };
  /** Returns undefined if the text can contain neither markup nor JSON. */
  const maskInside = (text: string, context: LeafRule): string | undefined => {
    if (isMarkup(text)) return maskMarkupIn(text, context);
    const whole = parseWholeJson(text);
    if (whole !== undefined) return maskJson(whole, text, context, walk);
    return mayContainStructure(text) ? maskParts(text, context) : undefined;
  };
  const maskJson = (value: unknown, written: string, context: LeafRule, within: MaskOptions): string => {
    const clean = mapTexts(value, context, within, mask);
    return clean === value && isParsedWhole(value, written) ? written : JSON.stringify(clean);
  };
  const maskMarkupIn = (text: string, context: LeafRule) =>
    aroundNamedMarkup(text, replace, (part) => maskElements(part, context));
  const maskElements = (text: string, context: LeafRule) =>
    maskMarkup(text, {
      top: context,
      child: ({ rule }, name) => ({ rule: rule.child(name), name }),
      mask: (within, content, isCut) =>
        String(isCut ? maskLeaf(content, within, masking) : mask(content, within)),
    });
  /**
   * Masks the JSON and markup in a text, then the text itself, so that nothing in it is less masked than
   * prose.
   */
  const maskParts = (text: string, context: LeafRule): string => {
    const made = changeJsonInText(
      masking.keepsMarks ? text : requoteForeignPlaceholders(text),
      (value, written) => maskJson(value, written, context, { ...walk, noteOwn: () => undefined }),
      (piece) => (containsTag(piece) ? maskMarkupIn(piece, context) : piece),
    );
    return String(maskLeaf(made, context, { ...masking, keepsMarks: true }));
  };
  const masked = mapTexts(value, { rule: walk.rule, name: '' }, walk, mask);
  const known = repeats;
  if (count === 0) return { value: masked, count };
  const again = mapTexts(masked, { rule: walk.rule, name: '' }, walk, (leaf, context) => {
    if (typeof leaf !== 'string') return leaf;
    const found = known === undefined ? leaf : maskElsewhere(leaf, context, known);
    const clean = context.rule.ofText === 'free text' ? hideSigners(found) : found;
    if (clean !== leaf) count += 1;
    return clean;
  });
  return { value: again, count };
}

/** Masks quoted values with markup in them that follow their names, because cut JSON is read as markup. */
function aroundNamedMarkup(
  text: string,
  replace: LeafMasking['replace'],
  change: (part: string) => string,
): string {
  if (!/["']/.test(text) || !mayContainNamedValues(text)) return change(text);
  let masked = '';
  let done = 0;
  for (const { kind, start, end } of findNamedValues(text)) {
    const value = text.slice(start, end);
    if (!containsTag(value) || !/["']/.test(text.charAt(start - 1))) continue;
    masked += change(text.slice(done, start)) + replace(kind, value);
    done = end;
  }
  return masked + change(text.slice(done));
}

type Scalar = string | number;

interface LeafMasking {
  replace(kind: PersonalKind, value: OriginalValue): string;
  keepsMarks: boolean;
}

/** The context of a value. */
interface LeafRule {
  rule: MemberRule;
  /** The name of the member; in a list, the name of the list. */
  name: string;
}

type ChangeLeaf = (leaf: Scalar, context: LeafRule) => Scalar;

/** Returns a copy if anything changes, otherwise the value itself. */
function mapTexts(value: unknown, context: LeafRule, walk: MaskOptions, change: ChangeLeaf): unknown {
  if (typeof value === 'string' || typeof value === 'number') {
    if (typeof value === 'string' && context.rule.isOwn) walk.noteOwn?.(value, context.name);
    return change(value, context);
  }
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (let at = 0; at < value.length; at += 1) {
      const clean = mapTexts(value[at], context, walk, change);
      if (clean === value[at]) continue;
      copy ??= [...value];
      copy[at] = clean;
    }
    return copy ?? value;
  }
  return isJsonObject(value) ? mapMembers(value, context.rule, walk, change) : value;
}

function mapMembers(
  value: Record<string, unknown>,
  rule: MemberRule,
  walk: MaskOptions,
  change: ChangeLeaf,
): Record<string, unknown> {
  let changed: [string, unknown][] | undefined;
  let at = -1;
  for (const name in value) {
    at += 1;
    const before = value[name];
    const context = { rule: rule.child(name), name };
    const member = mapTexts(before, context, walk, change);
    // Member names of an answer can be buyers' addresses, or look like a placeholder.
    const shown = /[@«]/.test(name) ? String(change(name, { rule, name: '' })) : name;
    if (member === before && shown === name) continue;
    changed ??= Object.entries(value);
    changed[at] = [shown, member];
  }
  return changed === undefined ? value : Object.fromEntries(changed);
}

/** Returns the URL-encoded forms, with `%20` or `+` for blanks; half a surrogate pair has none. */
function encodeForUrl(value: string): string[] {
  const encoded = encodeURIComponent(Buffer.from(value).toString());
  return [encoded, encoded.replaceAll('%20', '+')];
}

/** The depth of JSON or markup nested in texts; a deeper text is masked as plain text. */
const MAX_NESTED = 16;

const isWhole = ({ ofText }: MemberRule) => ofText !== undefined && ofText !== 'free text';

/** True for the seller's own text without signs of a placeholder, JSON or markup, which stays as it is. */
const isOwnPlain = (text: string, rule: MemberRule) => rule.isOwn && !isWhole(rule) && !/[«"{[<]/.test(text);

/** True for a placeholder, or for what the journal leaves of a value. */
const isMasked = (leaf: Scalar) => leaf === '[masked]' || WHOLE_PLACEHOLDER.test(String(leaf));
function maskLeaf(leaf: Scalar, { rule, name }: LeafRule, { replace, keepsMarks }: LeafMasking): Scalar {
  const { ofText: treatment, isOwn } = rule;
  const isPersonal = treatment !== undefined && treatment !== 'free text';
  if (keepsMarks && isMasked(leaf)) return leaf;
  if (typeof leaf === 'number') return isPersonal ? replace(treatment, leaf) : leaf;
  if (isPersonal) return leaf.trim() === '' ? leaf : replace(treatment, leaf);
  // A text from the service is no placeholder of ours and must not be shown as one.
  const shown = keepsMarks ? leaf : requoteForeignPlaceholders(leaf);
  if (isOwn) return shown;
  const mask = treatment === 'free text' ? maskProse : isThingName(name) ? maskEmails : maskFreeText;
  return changeOutsidePlaceholders(shown, (piece) => mask(piece, replace));
}

/** Masks repeats of known values. Placeholders stay, and a text of several words is searched word by word. */
function maskElsewhere(leaf: string, { rule, name }: LeafRule, repeats: TextFinder): string {
  if (rule.isOwn || isThingOrRegionName(name)) return leaf;
  if (rule.ofText === undefined && !/[\s%+]/.test(leaf)) return repeats.exactly(leaf) ?? leaf;
  return changeOutsidePlaceholders(leaf, repeats.replaceIn);
}
