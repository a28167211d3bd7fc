import { expect, it } from 'vitest';
import { render } from '../../sandbox/template.ts';

const market = { currency: 'EUR', step: 1, decimalSign: ',' };
const order = { id: '1', at: 0, cents: 1250, note: undefined, isPrime: false, items: [{ sku: 'A' }], market };

it('takes values as they are, in a format, and inside a text', () => {
  expect(render(['=cents', '=at:time', '=cents:localAmount', 'order {id}', 'plain'], [order])).toEqual([
    1250,
    '1970-01-01T00:00:00Z',
    '12,50',
    'order 1',
    'plain',
  ]);
  expect(render('=cents:money', [order])).toEqual({ currencyCode: 'EUR', amount: 12.5 });
  expect(render('@-1h', [{ now: 3_600_000 }])).toBe('1970-01-01T00:00:00Z');
});

it('leaves out what has no value', () => {
  expect(render({ id: '=id', note: '=note', other: '=other?.name' }, [order])).toEqual({ id: '1' });
  expect(
    render(
      [
        { $if: 'isPrime', id: '=id' },
        { $if: ['id', 'items'], id: '=id' },
      ],
      [order],
    ),
  ).toEqual([{ id: '1' }]);
});

it('renders lists, cases and shared shapes', () => {
  const shapes = { line: { sku: '=sku', order: '=id' } };
  expect(render({ $each: 'items', $use: 'line', n: 1 }, [order], shapes)).toEqual([
    { sku: 'A', order: '1', n: 1 },
  ]);
  expect(render({ $case: 'isPrime', true: 'Y', else: 'N' }, [order])).toBe('N');
});

it.each(['=nothing', '=market.nothing', '=cents:nothing', '=id:time', 'text {nothing}'])(
  'refuses the mistaken name in %s',
  (template) => {
    expect(() => render(template, [order])).toThrow(RangeError);
  },
);
