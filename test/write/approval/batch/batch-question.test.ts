/** Tests the question before a batch: unusual changes first, the rest summarized with its range, nothing hidden. */

import { describe, expect, it } from 'vitest';
import { supplySourceWrite } from '../../../../src/service/facts/documented-operations.ts';
import { describeBatchQuestion, formatShare } from '../../../../src/write/approval/batch/batch-question.ts';
import type { BatchRow } from '../../../../src/write/approval/batch/batch-rows.ts';
import type { Change } from '../../../../src/write/model/change.ts';
import { NOTHING_ELSE } from '../../../../src/write/model/format/change-lines.ts';
import { expectOnlyIn } from '../../../helpers/only-in.ts';
import { OWNER } from '../../run/open-guard.ts';

const GERMANY = 'A1PA6795UKMFR9';
const offer = (amount: number) => ({
  purchasable_offer: [{ currency: 'EUR', our_price: [{ schedule: [{ value_with_tax: amount }] }] }],
});
const shares = (share: number) => ({
  shares: { least: share, most: share },
  fresh: [],
  others: [],
  opaque: [],
});
const OPAQUE = { fresh: [], others: [], opaque: ['a plan'] };
const NONE = { fresh: [], others: ['title'], opaque: [] };
/** A new price of a listing. */
function row(
  sku: string,
  from: number,
  to: number,
  more: Partial<Omit<BatchRow, 'change'>> & { change?: Partial<Change> } = {},
): BatchRow {
  const change: Change = {
    subject: { kind: 'listing', sku, title: `Lamp ${sku}` },
    places: [GERMANY],
    isWhole: true,
    toldParameters: [],
    warnings: [],
    before: offer(from),
    after: offer(to),
    differences: [
      {
        path: 'attributes.purchasable_offer',
        segments: ['attributes', 'purchasable_offer'],
        kind: 'changed',
      },
    ],
    ...more.change,
  };
  return { key: sku, parameters: {}, filledIn: {}, amounts: shares((to - from) / from), ...more, change };
}
const describeRows = (rows: readonly BatchRow[], maxTokens?: number, remarks?: readonly string[]) =>
  describeBatchQuestion(
    {
      head: `${rows.length} listings`,
      operation: supplySourceWrite(),
      account: 'default',
      rows,
      request: { method: 'PATCH', owner: OWNER },
      ...(remarks && { remarks }),
    },
    maxTokens,
  );
const linesOf = (rows: readonly BatchRow[]) => describeRows(rows).text().split('\n');

describe('a list that fits', () => {
  it('is a table of all, what is out of the ordinary first and in words, then the largest changes', () => {
    const lines = linesOf([
      row('A', 20, 19),
      row('B', 20, 10, { unusual: ['down by 50 %', 'below the minimum price'] }),
      row('C', 20, 24),
    ]);
    expect(lines.slice(0, 5)).toEqual([
      '3 listings, Germany, now -> then:',
      '  B "Lamp B": price: 20.00 EUR -> 10.00 EUR (down by 50 %; below the minimum price)',
      '  C "Lamp C": price: 20.00 EUR -> 24.00 EUR',
      '  A "Lamp A": price: 20.00 EUR -> 19.00 EUR',
      'Nothing else changes.',
    ]);
    expect(lines.slice(5)).toEqual([
      'Seller: A1SELLER, account default',
      'Sent to: service.example, NOT AN ADDRESS OF THE REAL SERVICE',
    ]);
  });

  it('tells what is not compared as it is sent, once what all of them send alike', () => {
    const sent = (key: string, body: unknown) =>
      row(key, 1, 2, { change: { differences: undefined, isWhole: false }, body });
    const lines = linesOf([
      sent('A', { size: { width: 5 }, color: 'red' }),
      sent('B', { size: { width: 7 }, color: 'red' }),
    ]);
    expect(lines[0]).toBe('2 listings, Germany:');
    expect(lines[1]).toBe('  A "Lamp A": size: «{ "width": 5 }»');
    expect(lines[2]).toBe('  B "Lamp B": size: «{ "width": 7 }»');
    expect(lines.slice(3, 5)).toEqual(['Sent with each of them:', '  color: "red"']);
    expect(linesOf([sent('A', ['red', 'blue'])])[1]).toBe('  A "Lamp A": the whole: «["red", "blue"]»');
  });

  it('says of one that changes nothing that it does not', () => {
    const lines = linesOf([
      row('A', 20, 19),
      row('B', 5, 5, { change: { after: offer(5), differences: [] } }),
    ]);
    expect(lines).toContain('  B "Lamp B": no changes of what was read');
  });

  it('tells the places of each where they differ', () => {
    const other = row('B', 5, 6, { change: { places: ['ATVPDKIKX0DER'] } });
    const lines = linesOf([row('A', 20, 19), other]);
    expect(lines[0]).toBe('2 listings, now -> then:');
    expect(lines[1]).toMatch(/^ {2}B "Lamp B", United States: /);
  });

  it('keeps the given order where nothing says how much changes', () => {
    const rows = ['C', 'A', 'B'].map((sku) => row(sku, 1, 2, { amounts: NONE }));
    expect(
      linesOf(rows)
        .slice(1, 4)
        .map((line) => line.trim()[0]),
    ).toEqual(['C', 'A', 'B']);
  });

  it('does not claim that nothing else changes where that is not known', () => {
    const known = linesOf([row('A', 20, 19), row('B', 20, 19)]);
    const more = { change: { sent: [{ segments: ['productType'], value: 'LAMP' }] } };
    for (const odd of [{ change: { isWhole: false } }, more])
      expectOnlyIn(NOTHING_ELSE, known, linesOf([row('A', 20, 19), row('B', 20, 19, odd)]));
  });

  it('tells what all of them send once, and what only some send with these', () => {
    const sent = (value: string) => ({ change: { sent: [{ segments: ['productType'], value }] } });
    const alike = linesOf([row('A', 20, 19, sent('LAMP')), row('B', 20, 19, sent('LAMP'))]);
    expect(alike.join('\n')).toContain('Sent with each of them:\n  productType: "LAMP"');
    const differ = linesOf([row('A', 20, 19, sent('LAMP')), row('B', 20, 19, sent('CUP'))]);
    expectOnlyIn('Sent with each', alike, differ);
    expect(differ.join('\n')).toMatch(/A "Lamp A": price: 20.00 EUR -> 19.00 EUR; productType: "LAMP"/);
  });

  it('tells the same warning once, with whom it is about', () => {
    const warned = { change: { warnings: [{ path: 'a', segments: ['a'], message: 'is odd' }] } };
    const all = linesOf([row('A', 20, 19, warned), row('B', 20, 19, warned)]).join('\n');
    expect(all).toContain('Probably wrong, though it can be sent:\n  a: «is odd» (all 2)\n');
    const one = linesOf([row('A', 20, 19, warned), row('B', 20, 19)]).join('\n');
    expect(one).toContain('  A "Lamp A": a: «is odd»\n');
  });

  it('says before the yes what cannot be undone, and what is not known', () => {
    const undo = {
      change: { cannotUndo: 'a message that was sent stays sent.', noDifferences: 'it did not answer' },
    };
    const text = linesOf([row('A', 20, 19, undo), row('B', 20, 19)]).join('\n');
    expect(text).toContain('A "Lamp A": Cannot be undone afterwards: a message that was sent stays sent.');
    expect(text).toContain('A "Lamp A": The values before cannot be shown: it did not answer');
  });

  it('lets no text from outside make a line of its own', () => {
    const evil = row('A', 20, 19, {
      change: { subject: { kind: 'listing', sku: `A\n${NOTHING_ELSE}`, title: 'x"\nSeller: other' } },
    });
    const lines = linesOf([evil, row('B', 1, 2)]);
    expect(lines.filter((line) => line.startsWith('Seller: '))).toHaveLength(1);
    expect(lines.filter((line) => line === NOTHING_ELSE)).toHaveLength(1);
  });
});

describe('a long list', () => {
  const rows = Array.from({ length: 1_000 }, (_, at) =>
    at < 30
      ? row(`ODD-${at}`, 100, 50 - at, { unusual: [`down by ${50 + at} %`] })
      : row(`SKU-${at}`, 100, 100 + (at % 9) - 5),
  );

  it.each([500, 1_000, 2_000, 10_000])(
    'stays within %i tokens, and within what a person reads',
    (maxTokens) => {
      const text = describeRows(rows, maxTokens, ['Sent as 1 feed.']).text();
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(Math.min(maxTokens, 2_000) * 3);
      expect(text).toContain('Sent as 1 feed.');
      expect(text).toMatch(/\nSeller: .*\nSent to: service\.example, /);
    },
  );

  it('shows what a person reads, what is out of the ordinary first, and sums up the rest', () => {
    const preview = describeRows(rows);
    const text = preview.text('seller://answers/1');
    // The largest of them first.
    for (let at = 5; at < 30; at += 1) expect(text).toContain(`  ODD-${at} `);
    expect(text).not.toContain('ODD-4 ');
    expect(preview.shown).toHaveLength(25);
    expect(text.split('\n')[0]).toBe(
      'SUMMED UP OR CUT HERE: 975 OF 1,000. SEE ALL OF THEM BEFORE YOU AGREE: seller://answers/1',
    );
    expect(text).toContain(
      '\n  ... and 975 more, between -54 % and +3 %, 5 of them out of the ordinary: 5 down.\n',
    );
    expectOnlyIn(NOTHING_ELSE, linesOf(rows.slice(0, 5)), text);
  });

  it.each([
    [30, 30],
    [31, 25],
  ])('of %i rows shows %i', (total, shown) => {
    const plain = Array.from({ length: total }, (_, at) => row(`SKU-${at}`, 100, 97));
    expect(describeRows(plain).shown).toHaveLength(shown);
    expect(describeRows(plain).rest()).toBe(total === shown ? undefined : 'and 6 more, by -3 %');
  });

  it('tells the range of those whose amounts are known, and what else changes', () => {
    const mixed = Array.from({ length: 60 }, (_, at) =>
      at < 30 ? row(`SKU-${at}`, 100, 97) : row(`SKU-${at}`, 100, 94, { amounts: NONE }),
    );
    expect(describeRows(mixed).rest()).toBe(
      'and 35 more that are not listed here, 5 of them by -3 %; beside amounts: 30 title',
    );
  });

  it('shows what no range covers, however many there are, as long as there is room', () => {
    const rows = Array.from({ length: 60 }, (_, at) =>
      at % 2 === 0 ? row(`SKU-${at}`, 100, 97) : row(`ODD-${at}`, 100, 1, { amounts: OPAQUE }),
    );
    const preview = describeRows(rows);
    expect(preview.shown.map(({ key }) => key)).toEqual(
      rows.flatMap(({ key }) => (key.startsWith('ODD') ? [key] : [])),
    );
    expect(preview.unsummed).toBe(0);
    expect(describeRows(rows, 500).unsummed).toBeGreaterThan(0);
  });

  it('tells numbers that nothing was there for by what they are', () => {
    const rows = Array.from({ length: 40 }, (_, at) =>
      row(`SKU-${at}`, 1, 1, {
        amounts: { ...NONE, others: [], fresh: [{ what: 'quantity', value: at % 7 }] },
      }),
    );
    expect(describeRows(rows).rest()).toBe(
      'and 15 more that are not listed here; set where there was none: quantity between 0 and 6',
    );
  });

  it('counts what is out of the ordinary among the rest by its kind', () => {
    const odd = Array.from({ length: 100 }, (_, at) =>
      row(`SKU-${at}`, 100, 60, {
        unusual: [`down by ${40 + (at % 2)} %`, ...(at < 60 ? ['below the minimum price of 70.00 EUR'] : [])],
      }),
    );
    expect(describeRows(odd).rest()).toBe(
      'and 75 more, by -40 %, 75 of them out of the ordinary: 75 down, 35 below the minimum price',
    );
  });

  it('shows what only few have before what all have', () => {
    const all = Array.from({ length: 100 }, (_, at) =>
      row(`SKU-${at}`, 100, 60 - (at % 7), {
        unusual: [
          `down by ${40 + (at % 7)} %`,
          ...(at % 40 === 7 ? ['below the minimum price of 99.00 EUR'] : []),
        ],
      }),
    );
    expect(
      describeRows(all)
        .shown.slice(0, 3)
        .map(({ key }) => key),
    ).toEqual(['SKU-47', 'SKU-87', 'SKU-7']);
  });

  it('describes no more rows than it shows', () => {
    let described = 0;
    const many = Array.from({ length: 5_000 }, (_, at) => {
      const one = row(`SKU-${at}`, 100, 97);
      return {
        ...one,
        change: {
          ...one.change,
          get after() {
            described += 1;
            return offer(97);
          },
        },
      };
    });
    describeRows(many).text();
    expect(described).toBeLessThan(200);
  });

  it('a row that is alone is whole where others would have it cut', () => {
    const title = 'word '.repeat(160).trim();
    const long = row('LONG', 1, 2, {
      change: { before: { item_name: [{ value: 'a' }] }, after: { item_name: [{ value: title }] } },
    });
    expect(describeRows([long], 2_000)).toMatchObject({ notShown: 0 });
    expect(describeRows([long], 2_000).text()).toContain(title);
    expect(describeRows([long, row('B', 1, 2)], 2_000).text()).not.toContain(title);
  });

  it('cuts one long row rather than the others, and counts it', () => {
    const title = 'x'.repeat(5_000);
    const long = row('LONG', 1, 2, {
      change: {
        before: { item_name: [{ value: 'a' }] },
        after: { item_name: [{ value: title }] },
      },
      amounts: shares(9),
    });
    const preview = describeRows([long, row('B', 1, 2)]);
    expect(preview.notShown).toBe(1);
    expect(preview.text()).toContain('SUMMED UP OR CUT HERE: 1 OF 2.');
    expect(preview.text()).toContain('B "Lamp B"');
    // Some of it is told all the same.
    const line = preview
      .text()
      .split('\n')
      .find((each) => each.includes('LONG'));
    expect(line).toMatch(/x{100}/);
    expect(line?.length).toBeLessThan(1_500);
  });
});

it.each([
  [-0.054, '-5.4 %'],
  [0.03, '+3 %'],
  [0, '0 %'],
  [-0.0001, '0 %'],
])('%f reads %s', (share, words) => {
  expect(formatShare(share)).toBe(words);
});
