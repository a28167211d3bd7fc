/** Changes of attributes as a seller reads them: what is told names every entry that changes, by what tells it from the others. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/write/model/change.ts';
import {
  attributeName,
  changedScopes,
  listingLines,
  simplifyEntry,
} from '../../../../src/write/model/listing/attribute-lines.ts';

const DE = 'A1PA6795UKMFR9';
const FR = 'A13V1IB3VIYZZH';
const change = (before: unknown, after: unknown, places = [DE]): Change => ({
  subject: { kind: 'listing', sku: 'S' },
  places,
  toldParameters: [],
  before,
  after,
  differences: [],
  isWhole: true,
  warnings: [],
});
const linesOf = (before: unknown, after: unknown, places?: string[]) =>
  listingLines(change(before, after, places)).map(({ text }) => text);
const points = (...values: unknown[]) => ({
  bullet_point: values.map((value) => ({ value, language_tag: 'de_DE', marketplace_id: DE })),
});

describe('bullet points', () => {
  const some = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 5 });
  const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five'];
  it('are told as what is new, what goes and what stays, also in another order', () => {
    fc.assert(
      fc.property(some, some, (before, after) => {
        fc.pre(JSON.stringify(before) !== JSON.stringify(after) && before.length + after.length > 0);
        const [line = ''] = linesOf(points(...before), points(...after));
        const added = after.filter((one) => !before.includes(one));
        const removed = before.filter((one) => !after.includes(one));
        const kept = before.filter((one) => after.includes(one));
        const isMoved = kept.join() !== after.filter((one) => before.includes(one)).join();
        const quoted = (values: string[]) => values.map((value) => `"${value}"`).join(', ');
        // A language that is sent anew, or goes, is told.
        const isAnew = before.length === 0 || after.length === 0;
        const which = removed.length > 0 ? 'other' : 'existing';
        const stay =
          kept.length === 1 ? `The ${which} one stays` : `The ${NUMBERS[kept.length]} ${which} ones stay`;
        expect(line).toBe(
          [
            `bullet points${isAnew ? ' (de_DE)' : ''} ${before.length} -> ${after.length}.`,
            ...(added.length === 0 ? [] : [`New: ${quoted(added)}.`]),
            ...(removed.length === 0 ? [] : [`Removed: ${quoted(removed)}.`]),
            ...(kept.length === 0 ? [] : [`${stay}${isMoved ? ', in another order' : ''}.`]),
          ].join(' '),
        );
      }),
    );
  });
  it('count as often as they stand there', () => {
    expect(linesOf(points('a', 'a'), points('a'))).toEqual([
      'bullet points 2 -> 1. Removed: "a". The other one stays.',
    ]);
  });
});

describe('a single value', () => {
  const one = (value: unknown, more: object = {}) => ({
    item_name: [{ value, marketplace_id: DE, ...more }],
  });
  it('is told from what to what, as new, or as removed', () => {
    expect(linesOf(one('A'), one('B'))).toEqual(['title: "A" -> "B"']);
    expect(linesOf({}, one('B'))).toEqual(['title: added "B"']);
    expect(linesOf(one('A'), {})).toEqual(['title: removed (was "A")']);
    expect(linesOf(one('A'), one('A'))).toEqual([]);
  });
  it('has its unit or its currency', () => {
    const weight = (value: unknown, unit: unknown) => ({ item_weight: [{ value, unit }] });
    expect(linesOf(weight(1, 'cubic_feet'), weight(0.4, 'kilograms'))).toEqual([
      'item_weight: 1 cubic feet -> 0.4 kilograms',
    ]);
    expect(linesOf({}, weight(1, 'odd unit!'))).toEqual([
      'item_weight: added «{ "value": 1, "unit": "odd unit!" }»',
    ]);
    expect(
      linesOf(
        { list_price: [{ value: 1, currency: 'EUR' }] },
        { list_price: [{ value_with_tax: 2, currency: 'EUR' }] },
      ),
    ).toEqual(['list price: 1.00 EUR -> 2.00 EUR']);
  });
  it('that is long is told member by member where it is added or removed', () => {
    const long = { spec: [{ a: 'x'.repeat(200), b: { c: 'y'.repeat(200) } }] };
    expect(linesOf({}, long)).toEqual([
      `spec, added a: "${'x'.repeat(200)}"`,
      `spec, added b: «{ "c": "${'y'.repeat(200)}" }»`,
    ]);
    expect(linesOf(long, {})[0]).toBe(`spec, removed (was a: "${'x'.repeat(200)}")`);
  });
});

describe('what tells one entry from the others', () => {
  const name = (value: string, more: object) => ({ value, ...more });
  it('is its language, its place, its audience and its channel, where these are not plain', () => {
    const german = name('A', { language_tag: 'de_DE', marketplace_id: DE });
    const french = name('C', { language_tag: 'fr_FR', marketplace_id: DE });
    const before = { item_name: [german, french] };
    expect(linesOf(before, { item_name: [{ ...german, value: 'B' }, french] })).toEqual([
      'title (de_DE): "A" -> "B"',
    ]);
    expect(linesOf({ item_name: [german] }, { item_name: [{ ...german, value: 'B' }] })).toEqual([
      'title: "A" -> "B"',
    ]);
    expect(linesOf({}, { item_name: [german] })).toEqual(['title (de_DE): added "A"']);
    const there = name('A', { marketplace_id: FR });
    expect(linesOf({ item_name: [there] }, { item_name: [{ ...there, value: 'B' }] })).toEqual([
      'title (France): "A" -> "B"',
    ]);
    expect(linesOf({ item_name: [there] }, { item_name: [{ ...there, value: 'B' }] }, [FR])).toEqual([
      'title: "A" -> "B"',
    ]);
    expect(linesOf({}, { x: [name('A', { marketplace_id: 'M 1' })] })).toEqual(['x ("M 1"): added "A"']);
    const describeName = (more: object) => linesOf({ x: [name('A', more)] }, { x: [name('B', more)] });
    expect(describeName({ audience: 'B2B' })).toEqual(['x (business customers): "A" -> "B"']);
    expect(describeName({ audience: 'OTHER' })).toEqual(['x ("OTHER"): "A" -> "B"']);
    expect(describeName({ audience: 'ALL' })).toEqual(['x: "A" -> "B"']);
    expect(describeName({ fulfillment_channel_code: 'AMAZON_EU' })).toEqual([
      'x (channel AMAZON_EU): "A" -> "B"',
    ]);
    expect(describeName({ fulfillment_channel_code: 'DEFAULT' })).toEqual(['x: "A" -> "B"']);
    expect(describeName({ fulfillment_channel_code: 'a b' })).toEqual(['x (channel "a b"): "A" -> "B"']);
  });
  it('is told where it is sent anew', () => {
    const sent = (more: object) => linesOf({ x: [{ value: 'A' }] }, { x: [{ value: 'B', ...more }] });
    expect(sent({ audience: 'ALL' })).toEqual(['x (audience ALL): "A" -> "B"']);
    expect(sent({ fulfillment_channel_code: 'DEFAULT' })).toEqual(['x (channel DEFAULT): "A" -> "B"']);
    expect(sent({ language_tag: 'de_DE' })).toEqual(['x (de_DE): "A" -> "B"']);
  });
  it('each place of each attribute that differs is one, and what is the same is none', () => {
    const entry = fc.record({
      value: fc.integer({ min: 0, max: 2 }),
      marketplace_id: fc.constantFrom(DE, FR),
    });
    const attributes = fc.dictionary(
      fc.constantFrom('a', 'b'),
      fc.uniqueArray(entry, { selector: ({ marketplace_id: id }) => id, maxLength: 2 }),
    );
    fc.assert(
      fc.property(attributes, attributes, (before, after) => {
        const at = (
          side: Readonly<Record<string, { value: number; marketplace_id: string }[]>>,
          attribute: string,
          id: string,
        ) => (side[attribute] ?? []).find((one) => one.marketplace_id === id)?.value;
        const expected = ['a', 'b'].flatMap((attribute) =>
          [DE, FR].flatMap((id) => {
            const [was, is] = [at(before, attribute, id), at(after, attribute, id)];
            return was === is ? [] : [{ attribute, where: id === DE ? '' : 'France', was, is }];
          }),
        );
        const found = changedScopes({ before, after, places: [DE] }).map(
          ({ attribute, where, before: was, after: is }) => ({
            attribute,
            where,
            was: simplifyEntry(was[0]),
            is: simplifyEntry(is[0]),
          }),
        );
        const sorted = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).sort();
        expect(sorted(found)).toEqual(sorted(expected));
      }),
    );
  });
});

it('of a listing that is deleted names up to twenty attributes', () => {
  const names = (many: number) =>
    Object.fromEntries(Array.from({ length: many }, (_, at) => [`a${at}`, [{ value: 1 }]]));
  expect(linesOf({}, undefined)).toEqual([
    'the whole listing is deleted; the service shows no attributes of it',
  ]);
  expect(linesOf(names(1), undefined)).toEqual(['the whole listing is deleted, with its 1 attribute: a0']);
  expect(linesOf(names(20), undefined)[0]).toMatch(
    /^the whole listing is deleted, with its 20 attributes: .*, a19$/,
  );
  expect(linesOf(names(21), undefined)[0]).toMatch(/, a19 and 1 more$/);
  expect(listingLines({ ...change({}, {}), differences: undefined })).toEqual([]);
});

it('attributes have the names that sellers know', () => {
  expect(
    ['item_name', 'other_product_image_locator_3', 'other_product_image_locator_12', 'odd name'].map((name) =>
      attributeName(name),
    ),
  ).toEqual(['title', 'image 3', 'other_product_image_locator_12', '[«"odd name"»]']);
});

it('of an entry with one value, the value; of any other, its members without what tells it apart', () => {
  expect(simplifyEntry(undefined)).toBeUndefined();
  expect(simplifyEntry('x')).toBe('x');
  expect(simplifyEntry({ value: 1, marketplace_id: DE, audience: 'ALL' })).toBe(1);
  expect(simplifyEntry({ media_location: 'u' })).toBe('u');
  expect(simplifyEntry({ other: 1 })).toEqual({ other: 1 });
  expect(simplifyEntry({ value: 1, currency: 'EUR' })).toEqual({ value: 1, currency: 'EUR' });
});

it('of a change whose values before are not known no line says what it changes', () => {
  expect(listingLines({ ...change({}, points('a')), differences: undefined })).toEqual([]);
  expect(listingLines({ ...change(undefined, undefined), differences: undefined })).toEqual([]);
});
