/** A listing that was written by hand for the United States, moved to where the seller is at home: ids, language, money. */

import { isJsonObject } from '../../src/base/json.ts';
import type { ListingFixture } from '../fixtures/listing.ts';
import { MARKETPLACES } from '../fixtures/marketplaces.ts';
import { type Market, marketOf } from './markets.ts';
import { amountText, centsOf, localCents } from './plain-values.ts';

/** The countries of the fixtures, whose marketplaces are replaced in this order. */
const FROM = ['US', 'CA', 'MX'] as const;

/** @param home the first in place of the United States, the others of Canada and Mexico; undefined where there are fewer. */
export function moveListing(listing: ListingFixture, home: readonly Market[]): ListingFixture | undefined {
  const moves = new Map<string, Move>();
  for (const [place, country] of FROM.entries()) {
    const to = home[place];
    if (to !== undefined) moves.set(MARKETPLACES[country], { from: marketOf(country), to });
  }
  const [first] = home;
  if (first === undefined || listing.marketplaceIds.some((id) => !moves.has(id))) return undefined;
  return {
    ...listing,
    marketplaceIds: listing.marketplaceIds.flatMap((id) => moves.get(id)?.to.id ?? []),
    item: {
      ...moveMembers(listing.item, { from: marketOf(FROM[0]), to: first }, moves),
      sku: listing.item.sku,
    },
  };
}

interface Move {
  from: Market;
  to: Market;
}
type Moves = ReadonlyMap<string, Move>;

function moveMembers(
  object: Readonly<Record<string, unknown>>,
  given: Move,
  moves: Moves,
): Record<string, unknown> {
  // Members of an object belong to the marketplace that it names.
  const move = moves.get(String(object.marketplaceId ?? object.marketplace_id)) ?? given;
  if (object.unit === 'pounds' && !move.to.usesInches) return moveMembers(toKilograms(object), given, moves);
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, moveValue(name, value, move, moves)]),
  );
}

const toKilograms = (weight: Readonly<Record<string, unknown>>) => ({
  ...weight,
  value: Math.round(Number(weight.value) * 45.36) / 100,
  unit: 'kilograms',
});

function moveValue(name: string, value: unknown, move: Move, moves: Moves): unknown {
  if (Array.isArray(value)) return value.map((one) => moveValue(name, one, move, moves));
  if (isJsonObject(value)) return moveMembers(value, move, moves);
  if (typeof value !== 'string') return value;
  const { from, to } = move;
  if (name === 'language_tag') return to.tag;
  if (name === 'currencyCode') return to.currency;
  if (name === 'amount') return amountText(localCents((centsOf(value) ?? 0) / from.level, to), to);
  if (name === 'fulfillmentChannelCode' && value === from.warehouses) return to.warehouses;
  return moves.get(value)?.to.id ?? translate(value, move);
}

/** Words that the language has none for stay as they are. */
function translate(text: string, { from, to }: Move): string {
  const [english = text] = Object.entries(from.words.texts).find(([, said]) => said === text) ?? [];
  return to.usesInches ? english : (to.words.texts[english] ?? english);
}
