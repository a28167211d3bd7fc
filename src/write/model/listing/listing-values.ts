/** Lists a listing's changed members as values: each price and quantity by itself, with its currency. */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonObject, type JsonObject, toObject } from '../../../base/json.ts';
import { own } from '../../../service/facts/schema-parts.ts';
import { identityText, type MemberValue, toPlain } from '../member-values.ts';
import type { ChangedValues } from '../subject-adapter.ts';
import { attributeName, changedScopes, formatLabel, pendingEntry, simplifyEntry } from './attribute-lines.ts';
import { isPlainStep, onlySchedule } from './entries.ts';
import { changedMembers, MEMBERS } from './format-offer.ts';

export const listingValues = (change: ChangedValues): MemberValue[] =>
  change.differences === undefined || change.differences.length === 0
    ? []
    : changedScopes(change).flatMap(scopeValues);

const isSame = (one: unknown, other: unknown) => canonicalJson(one ?? null) === canonicalJson(other ?? null);

/** Returns the values of one scope of one attribute. */
function scopeValues({
  attribute,
  where,
  before,
  after,
  pending,
}: ReturnType<typeof changedScopes>[number]): MemberValue[] {
  const named = formatLabel(attributeName(attribute, identityText), where);
  const isOne = before.length <= 1 && after.length <= 1 && pending.length <= 1;
  const parts = isOne ? partValues(attribute, where, { before, after, pending }) : [];
  if (parts.length > 0) return parts;
  const sides = isOne
    ? [simplifyEntry(before[0]), simplifyEntry(after[0])]
    : [before.map(simplifyEntry), after.map(simplifyEntry)];
  const [was, is] = isSame(sides[0], sides[1]) ? [before, after] : sides;
  return [valuesOf(named, was, is)];
}

/** Returns the members of an offer and of a stock, each by itself. */
function partValues(
  attribute: string,
  where: string,
  sides: Pick<ReturnType<typeof changedScopes>[number], 'before' | 'after' | 'pending'>,
): MemberValue[] {
  const words = own(MEMBERS, attribute);
  if (words === undefined) return [];
  const [before, after, pending] = [sides.before[0], sides.after[0], pendingEntry(sides)];
  const currency = currencyOf(after) ?? currencyOf(before);
  return changedMembers(before, after, pending).flatMap(({ name, was, is, set }) => {
    if (isSame(was, is) && isSame(set, is)) return [];
    const member = formatLabel(own(words, name) ?? name, where);
    const [from, to] = [stepOf(was), stepOf(is)];
    if (from === undefined || to === undefined)
      return [valuesOf(member, simplifyEntry(was), simplifyEntry(is))];
    const values = [
      { ...valuesOf(member, from.value_with_tax, to.value_with_tax), ...(currency && { currency }) },
      valuesOf(`${member}, from`, from.start_at, to.start_at),
      valuesOf(`${member}, until`, from.end_at, to.end_at),
    ];
    const changed = values.filter((one) => one.old !== one.new);
    return changed.length === 0 ? values.slice(0, 1) : changed;
  });
}

function currencyOf(entry: unknown): string | undefined {
  const { currency } = toObject(entry);
  return typeof currency === 'string' ? currency : undefined;
}

/**
 * Returns the only step of a price that does not change over time; an empty step if there is no price;
 * undefined for any other value.
 */
function stepOf(value: unknown): JsonObject | undefined {
  if (value === undefined) return {};
  const [step, ...later] = onlySchedule(value) ?? [];
  return later.length === 0 && isPlainStep(step) && step.value_with_tax !== undefined ? step : undefined;
}

/** Returns the values; an amount with its currency becomes a number. */
function valuesOf(member: string, before: unknown, after: unknown): MemberValue {
  const [from, to] = [amountOf(before), amountOf(after)];
  const currency = to?.currency ?? from?.currency;
  const isAmount = (before === undefined || from !== undefined) && (after === undefined || to !== undefined);
  if (currency === undefined || !isAmount || (from && to && from.currency !== to.currency)) {
    return { member, old: toPlain(before), new: toPlain(after) };
  }
  return { member, old: from?.amount ?? null, new: to?.amount ?? null, currency };
}

function amountOf(value: unknown): { amount: number; currency: string } | undefined {
  if (!isJsonObject(value)) return undefined;
  const { currency, ...others } = value;
  const [amount, ...more] = Object.values(others);
  const isAmount = typeof amount === 'number' && typeof currency === 'string' && more.length === 0;
  return isAmount ? { amount, currency } : undefined;
}
