/** What each item of a list changed, as a table: member, old, new, the change in percent, what became of it. */

import { escapeText, showText } from '../../../base/text/escape-text.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';
import { describeValue, moneyWords } from '../../ask/words/value.ts';
import { type MemberValue, type PlainValue, percentOf } from '../../plan/member-values.ts';
import type { ToldItem, ToldList } from './list-outcome.ts';

/** Of a value in the table; the resource has it whole. */
const MOST_CHARACTERS = 100;

export const VALUE_COLUMNS = [
  ...(['item', 'member', 'old', 'new', 'currency', 'percent', 'outcome', 'read_back'] as const),
];

/** While it goes on, each call would tell all of it again; what was stopped is told in short. */
export const tellsValues = ({ outcome }: Pick<ToldList, 'outcome'>) =>
  outcome !== 'under_way' && outcome !== 'stopped';

/** @param name as it is known among the others */
export function valueRows({ values = [], outcome }: ToldItem, name: string): unknown[][] {
  return values.map((value) => [
    name,
    value.member,
    cut(value.old),
    cut(value.new),
    value.currency ?? null,
    percentOf(value) ?? null,
    outcome?.kind ?? 'pending',
    readBackFact(outcome),
  ]);
}

const cut = (value: PlainValue) =>
  typeof value === 'string' ? shortenToCharacters(value, MOST_CHARACTERS) : value;

/** Null where it was not read. */
export function readBackFact(outcome: ToldItem['outcome']): string | null {
  return outcome?.kind === 'accepted_not_visible' ? 'not visible yet' : (outcome?.readBack ?? null);
}

/** For the resource. */
export function valueFacts(values: readonly MemberValue[]) {
  return values.map((value) => {
    const percent = percentOf(value);
    return { ...value, ...(percent === undefined ? {} : { percent }) };
  });
}

/** `price: 19.99 EUR -> 17.99 EUR (-10 %)`. */
export function valueWords(values: readonly MemberValue[]): string {
  return values
    .map((value) => {
      const percent = percentOf(value);
      const share = percent === undefined ? '' : ` (${percent > 0 ? '+' : ''}${percent} %)`;
      return `${escapeText(value.member)}: ${sideWords(value, 'old')} -> ${sideWords(value, 'new')}${share}`;
    })
    .join('; ');
}

function sideWords(value: MemberValue, side: 'old' | 'new'): string {
  const one = value[side];
  if (one === null) return side === 'old' ? 'none' : 'removed';
  return moneyWords(one, value.currency) ?? describeValue(one, [], showText, MOST_CHARACTERS);
}
