import { describe, expect, it } from 'vitest';
import {
  buildPatches,
  type CurrentListing,
  type PatchTarget,
  readCurrentListing,
} from '../../../../src/write/handlers/listing/build-patches.ts';
import { readSet } from '../../../../src/write/handlers/listing/set-values.ts';
import { applyPatches } from '../../../../src/write/model/listing/apply-patches.ts';
import { amount, B2B, B2C, DE, FR, listing, NOW, PLACE, SALE, text } from './helpers.ts';

function build(
  set: Record<string, unknown>,
  state: CurrentListing = listing(),
  marketplace: PatchTarget = PLACE,
) {
  const read = readSet(set);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return buildPatches(state, read.values, marketplace);
}

/** The attributes after the patches, as the service applies them. */
function applied(set: Record<string, unknown>, state = listing()): Record<string, readonly unknown[]> {
  const built = build(set, state);
  if ('problems' in built) throw new Error(JSON.stringify(built.problems));
  const made = applyPatches(state.attributes, built.patches, []);
  if ('problem' in made) throw new Error(made.problem);
  return { ...made.after, patched: built.patches.map(({ op, path }) => `${op} ${path}`) };
}

function problemsOf(set: Record<string, unknown>, state = listing(), marketplace = PLACE): string {
  const built = build(set, state, marketplace);
  return 'problems' in built
    ? built.problems.map(({ word, message }) => `${word} ${message}`).join('\n')
    : '';
}

describe('prices', () => {
  it('a new price leaves the sale, the minimum price, the B2B price and other marketplaces as they are', () => {
    const { purchasable_offer, patched } = applied({ price: 17.99 });
    expect(purchasable_offer).toEqual([B2B, { ...B2C, our_price: amount(17.99) }]);
    expect(patched).toEqual(['replace /attributes/purchasable_offer']);
  });

  it('a sale price keeps its days, new days keep the sale price', () => {
    const step = { value_with_tax: 15, start_at: '2026-12-01', end_at: '2026-12-24T23:00:00Z' };
    const saleOf = (set: Record<string, unknown>) => applied(set).purchasable_offer?.[1];
    expect(saleOf({ sale_price: 14 })).toEqual({
      ...B2C,
      discounted_price: [{ schedule: [{ ...step, value_with_tax: 14 }] }],
    });
    expect(saleOf({ sale_to: '2026-12-31' })).toEqual({
      ...B2C,
      discounted_price: [{ schedule: [{ ...step, end_at: '2026-12-31' }] }],
    });
  });

  it('null ends a sale, and nothing else', () => {
    const { discounted_price: _, ...rest } = B2C;
    expect(applied({ sale_price: null }).purchasable_offer).toEqual([B2B, rest]);
  });

  it('minimum and maximum price, set and taken away', () => {
    const { minimum_seller_allowed_price: _, ...rest } = B2C;
    expect(applied({ minimum_price: null, maximum_price: 30 }).purchasable_offer).toEqual([
      B2B,
      { ...rest, maximum_seller_allowed_price: amount(30) },
    ]);
  });

  it('a listing without a price for everybody gets one beside its B2B price', () => {
    expect(applied({ price: 9 }, listing({ purchasable_offer: [B2B] })).purchasable_offer).toEqual([
      B2B,
      { currency: 'EUR', audience: 'ALL', marketplace_id: DE, our_price: amount(9) },
    ]);
  });

  it('what else stands beside an amount stays', () => {
    const offer = { ...B2C, our_price: [{ schedule: [{ value_with_tax: 20, start_at: '2026-01-01' }] }] };
    expect(applied({ price: 19 }, listing({ purchasable_offer: [offer] })).purchasable_offer).toEqual([
      { ...offer, our_price: [{ schedule: [{ value_with_tax: 19, start_at: '2026-01-01' }] }] },
    ]);
  });

  it.each([
    [{ price: '17.99 USD' }, 'currency must be EUR, the currency of prices in Germany, not USD'],
    [{ price: 17.99, currency: 'GBP' }, 'currency must be EUR'],
    [{ title: 'x', currency: 'EUR' }, 'currency says nothing without an amount'],
    [{ price: '17.99 EUR', currency: 'GBP' }, 'currency must be one: EUR and GBP are given'],
    [{ price: 17.995 }, 'price has too many decimals'],
    [{ price: 0 }, 'price must be more than 0'],
    [{ minimum_price: 31, maximum_price: 30 }, 'minimum_price would be above the maximum price: 31 and 30'],
    [{ sale_from: '2026-12-27' }, 'sale_to is missing: the one that is there is before the sale begins'],
    [
      { sale_from: '2026-12-20', sale_to: '2026-12-10' },
      'sale_to is before the sale begins: it would run from 2026-12-20 to 2026-12-10',
    ],
    [
      { sale_from: '2026-01-01', sale_to: '2026-11-01' },
      'sale_to has passed: the sale would have ended on 2026-11-01',
    ],
    [{ sale_price: null, sale_to: '2026-12-31' }, 'leave sale_from and sale_to out'],
  ])('%j is refused', (set, why) => {
    expect(problemsOf(set)).toContain(why);
  });

  it.each([
    [{ sale_price: 10 }, 'sale_from is missing'],
    [{ sale_price: 10, sale_from: '2026-12-01' }, 'sale_to is missing'],
    [{ sale_from: '2026-12-01', sale_to: '2026-12-24' }, 'sale_price is missing: there is no sale yet'],
  ])('without a sale, %j is refused', (set, why) => {
    expect(
      problemsOf(set, listing({ purchasable_offer: [{ ...B2C, discounted_price: undefined }] })),
    ).toContain(why);
  });

  it('a minimum price may be the maximum price', () => {
    expect(problemsOf({ minimum_price: 30, maximum_price: 30 })).toBe('');
  });

  it('a minimum price without any price is refused', () => {
    expect(problemsOf({ minimum_price: 9 }, listing({ purchasable_offer: [] }))).toContain(
      'minimum_price needs a price: the listing has none in Germany',
    );
  });

  it('the currency that is asked for is one of its offers, or where it has none the one of the marketplace', () => {
    const known = ['EUR', 'GBP', 'USD'];
    const worlds = Array.from({ length: 2 ** known.length }, (_, world) =>
      known.filter((_one, at) => Math.floor(world / 2 ** at) % 2 === 1),
    );
    for (const currencies of worlds) {
      const offers = currencies.map((currency) => ({ ...B2C, currency }));
      const state = listing({ purchasable_offer: offers });
      const usual = currencies.length === 0 ? ['EUR'] : currencies;
      for (const asked of known) {
        const words = `currency must be ${usual.join(' or ')}, the currency of prices in Germany, not ${asked}`;
        const problems = problemsOf({ price: `9 ${asked}` }, state);
        expect(problems.includes(words), `${asked} of ${currencies.join()}: ${problems}`).toBe(
          !usual.includes(asked),
        );
      }
    }
  });

  it('prices that change over time, and several offers of a currency, are for patches', () => {
    const steps = [{ schedule: [{ value_with_tax: 20 }, { value_with_tax: 25, start_at: '2027-01-01' }] }];
    expect(
      problemsOf({ price: 9 }, listing({ purchasable_offer: [{ ...B2C, our_price: steps }] })),
    ).toContain('price changes over time or has another form than known; give patches');
    const two = listing({ purchasable_offer: [B2C, { ...B2C, our_price: amount(3) }] });
    expect(problemsOf({ price: 9 }, two)).toContain('there are 2 offers in EUR; give patches');
    const sales = [{ schedule: [...(SALE[0]?.schedule ?? []), ...(SALE[0]?.schedule ?? [])] }];
    const sold = listing({ purchasable_offer: [{ ...B2C, discounted_price: sales }] });
    expect(problemsOf({ sale_price: 9 }, sold)).toContain('several sales');
  });

  it('of prices in several currencies, the one in the currency of the marketplace is meant unless another is named', () => {
    const pounds = { ...B2C, currency: 'GBP' };
    const state = listing({ purchasable_offer: [pounds, B2C] });
    const [first, second] = [
      { ...pounds, our_price: amount(9) },
      { ...B2C, our_price: amount(9) },
    ];
    expect(applied({ price: 9 }, state).purchasable_offer).toEqual([pounds, second]);
    expect(applied({ price: '9 GBP' }, state).purchasable_offer).toEqual([first, B2C]);
  });

  it('where the marketplace is not known, the currency of its prices counts; none is asked for', () => {
    const marketplace = { marketplaceId: 'A9NEWMARKET', name: 'A9NEWMARKET', now: NOW };
    const none = listing({ purchasable_offer: [] });
    expect(problemsOf({ price: 9 }, none, marketplace)).toContain('add currency');
    expect(problemsOf({ price: 9, currency: 'CHF' }, none, marketplace)).toBe('');
  });

  it('what is so already is no patch', () => {
    expect(build({ price: 20, sale_price: '15.00 EUR', quantity: 7, title: 'Leselampe' })).toMatchObject({
      patches: [],
    });
  });
});

describe('stock', () => {
  it('quantity and handling time each leave the other', () => {
    const own = { fulfillment_channel_code: 'DEFAULT', marketplace_id: DE };
    expect(applied({ quantity: 0 }).fulfillment_availability).toEqual([
      { ...own, quantity: 0, lead_time_to_ship_max_days: 1 },
    ]);
    expect(applied({ handling_time: 3 }).fulfillment_availability).toEqual([
      { ...own, quantity: 7, lead_time_to_ship_max_days: 3 },
    ]);
  });

  it('an FBA listing is refused, whichever part of the answer says that it is one', () => {
    const byAttribute = listing({ fulfillment_availability: [{ fulfillment_channel_code: 'AMAZON_EU' }] });
    const byPart = listing(
      { fulfillment_availability: [] },
      { fulfillmentAvailability: [{ fulfillmentChannelCode: 'AMAZON_EU' }] },
    );
    for (const state of [byAttribute, byPart]) {
      expect(problemsOf({ quantity: 5 }, state)).toContain(
        'quantity cannot be set: this is an FBA listing (AMAZON_EU), and its quantity is what the warehouses hold',
      );
      expect(problemsOf({ handling_time: 5 }, state)).toContain(
        'handling_time cannot be set: this is an FBA listing (AMAZON_EU), and the warehouses ship it',
      );
      expect(problemsOf({ price: 5 }, state)).toBe('');
    }
  });

  it('another channel keeps its code, since another code would add a channel; of several none is guessed', () => {
    const shop = { fulfillment_channel_code: 'SHOP_1', quantity: 2 };
    expect(
      applied({ quantity: 5 }, listing({ fulfillment_availability: [shop] })).fulfillment_availability,
    ).toEqual([{ ...shop, quantity: 5 }]);
    const two = listing({
      fulfillment_availability: [shop, { ...shop, fulfillment_channel_code: 'SHOP_2' }],
    });
    expect(problemsOf({ quantity: 5 }, two)).toContain('there are 2 channels (SHOP_1, SHOP_2); give patches');
    const withOwn = listing({
      fulfillment_availability: [shop, { fulfillment_channel_code: 'DEFAULT', quantity: 1 }],
    });
    expect(applied({ quantity: 5 }, withOwn).fulfillment_availability).toEqual([
      shop,
      { fulfillment_channel_code: 'DEFAULT', quantity: 5 },
    ]);
  });
});

describe('texts', () => {
  it('title and bullet points in the language of the listing', () => {
    const { item_name, bullet_point, patched } = applied({
      title: 'Lampe',
      bullet_points: ['Schirm aus Leinen', 'Neu'],
    });
    expect(item_name).toEqual([text('Lampe')]);
    expect(bullet_point).toEqual([text('Schirm aus Leinen'), text('Neu')]);
    expect(patched).toEqual(['replace /attributes/item_name', 'replace /attributes/bullet_point']);
  });

  it('bullet points that are added stand behind those of their language, each once', () => {
    const more = { ...text('Schirm aus Leinen'), other: 1 };
    const both = listing({
      bullet_point: [text('Foot', 'en_GB'), text('Fuß'), more, text('Shade', 'en_GB')],
    });
    const add_bullet_points = ['Neu', 'Fuß', 'Neu'];
    expect(applied({ add_bullet_points, language: 'de_DE' }, both).bullet_point).toEqual([
      text('Foot', 'en_GB'),
      text('Fuß'),
      more,
      text('Neu'),
      text('Shade', 'en_GB'),
    ]);
    const first = listing({ bullet_point: [text('Fuß'), text('Foot', 'en_GB')] });
    expect(applied({ add_bullet_points, language: 'de_DE' }, first).bullet_point).toEqual([
      text('Fuß'),
      text('Neu'),
      text('Foot', 'en_GB'),
    ]);
    expect(applied({ add_bullet_points: ['Fuß'], language: 'de_DE' }, first).patched).toEqual([]);
    expect(problemsOf({ add_bullet_points, bullet_points: ['Neu'] })).toContain('give one of the two');
  });

  it('a first description takes the language of the other texts', () => {
    expect(applied({ description: 'Hell.' }).product_description).toEqual([text('Hell.')]);
  });

  it('texts in another language stay, and which one is meant has to be said', () => {
    const both = listing({ item_name: [text('Lamp', 'en_GB'), text('Lampe')] });
    expect(problemsOf({ title: 'Neu' }, both)).toContain(
      'language is missing: the listing is written in en_GB and de_DE',
    );
    expect(applied({ title: 'Neu', language: 'de-DE' }, both).item_name).toEqual([
      text('Lamp', 'en_GB'),
      text('Neu'),
    ]);
    const english = { language_tag: 'en_GB', marketplace_id: DE };
    expect(applied({ title: 'New', language: 'en_GB' }).item_name).toEqual([
      text('Leselampe'),
      { value: 'New', ...english },
    ]);
  });

  it('where nothing is written yet, the language has to be said', () => {
    const empty = listing({ item_name: [], bullet_point: [] });
    expect(problemsOf({ title: 'Neu' }, empty)).toContain('add language, such as de_DE');
    expect(problemsOf({ quantity: 3, language: 'de_DE' })).toContain('language says nothing without a text');
  });
});

describe('images', () => {
  it('the main image alone leaves the others', () => {
    const { patched, main_product_image_locator: main } = applied({
      main_image: 'https://images.example.com/9.jpg',
    });
    expect(patched).toEqual(['replace /attributes/main_product_image_locator']);
    expect(main).toEqual([{ media_location: 'https://images.example.com/9.jpg', marketplace_id: DE }]);
  });

  it('images are all there are to be', () => {
    const made = applied({
      images: ['https://images.example.com/1.jpg', 'https://images.example.com/3.jpg'],
    });
    expect(made.patched).toEqual([
      'replace /attributes/other_product_image_locator_1',
      'delete /attributes/other_product_image_locator_2',
    ]);
    expect(made).not.toHaveProperty('other_product_image_locator_2');
    // The marketplace is named, because the service would otherwise remove the value of all.
    const built = build({ images: ['https://images.example.com/1.jpg'] });
    const deleted = 'patches' in built ? built.patches.filter(({ op }) => op === 'delete') : [];
    expect(deleted).not.toEqual([]);
    for (const { value } of deleted) expect(value).toEqual([{ marketplace_id: DE }]);
    expect(
      problemsOf({ main_image: 'https://a.example/1.jpg', images: ['https://a.example/1.jpg'] }),
    ).toContain('give one of the two');
  });
});

it('its product type is that of the marketplace, or where none is told there the first', () => {
  const of = (marketplaceId: string, productType: string) => ({ marketplaceId, productType });
  const typeOf = (item: object) => readCurrentListing(item, PLACE).productType;
  expect(typeOf({ productTypes: [of(FR, 'CUP'), of(DE, 'LAMP')] })).toBe('LAMP');
  expect(typeOf({ productTypes: [of(FR, 'CUP')], summaries: [of(DE, 'LAMP')] })).toBe('LAMP');
  expect(typeOf({ productTypes: [of(FR, 'CUP')] })).toBe('CUP');
  expect(typeOf({})).toBeUndefined();
});
