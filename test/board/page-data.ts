/** Pages of made-up data for the browser tests: every view, with the texts of the test in every place that takes one. */

import type { HealthListing, PageData, RowsView, View } from '../../views/data.ts';

/**
 * Texts that the service or a seller could write: each sets `window.hit` or loads something if any of it ran.
 */
export const HOSTILE: readonly string[] = [
  '<script>window.hit=1</script>',
  '</script><script>window.hit=1</script>',
  '<img src=x onerror="window.hit=1">',
  '"><svg onload=window.hit=1>',
  "javascript:window.hit=1//'",
  '<iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
  '<link rel=stylesheet href=//127.0.0.1:9/x.css><style>*{display:none}</style>',
  '<meta http-equiv=refresh content="0;url=//127.0.0.1:9/">',
  '<base href=//127.0.0.1:9/>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what is tried.
  '{{constructor.constructor("window.hit=1")()}} ${window.hit=1} <%= hit %>',
  '<!-- --!> <![CDATA[ ]]> &lt;b&gt; &#x202e;',
  '\u202Edesrever si siht\u202C \u2066isolated\u2069 \u200Fright',
  'null\u0000byte \u001b[31mred \u0007 \r\n\tnew line',
  '\u2028line\u2029paragraph\u00ad\u200b\ufeff',
  'a\u0301'.repeat(300),
  'W'.repeat(5_000),
  'word '.repeat(2_000),
  '𝕳𝖔𝖘𝖙 👩‍👩‍👧‍👦 \ud800 half',
  '__proto__',
  'constructor',
  '',
  ' ',
  '=HYPERLINK("//127.0.0.1:9/","x")',
];

const STATES = ['altogether', 'search', null] as const;

/** @param textAt the text at a place; another at the next */
function makeListings(number: number, textAt: (at: number) => string): HealthListing[] {
  return Array.from({ length: number }, (_, at) => ({
    sku: `${textAt(at)}-${at}`,
    place: 'United States',
    title: textAt(at + 1),
    price: (at * 7_919) % 1_000,
    stock: at % 300,
    currency: 'USD',
    amount: ((at * 7_919) % 1_000) * (at % 300),
    enforced: STATES[at % STATES.length] ?? null,
    exemptUntil: at % 11 === 0 ? '2026-12-07T00:00:00Z' : null,
    isBuyable: at % 3 !== 0,
    issues: [[at % 20, at % 11 === 0 ? '2026-12-07T00:00:00Z' : null]],
    ask: `What is wrong with ${at}?`,
  }));
}

export function makePage(number: number, textAt: (at: number) => string): PageData {
  return {
    title: textAt(0),
    account: textAt(1),
    madeAt: '2026-11-25T12:00:00Z',
    isSandbox: true,
    views: makeViews(number, textAt),
  };
}

function makeViews(number: number, textAt: (at: number) => string): View[] {
  const at = '2026-11-24T12:00:00Z';
  const standing = [{ amount: 1_234.5, currency: 'USD' }];
  const text = (from: number) => ({
    code: textAt(from),
    severity: textAt(from + 1),
    attributes: textAt(from + 2),
    message: textAt(from + 3),
  });
  return [
    {
      kind: 'health',
      ask: textAt(2),
      review: {
        collectedAt: at,
        complete: false,
        notes: [textAt(3)],
        places: [
          {
            name: textAt(4),
            listings: number,
            altogether: 3,
            search: 2,
            exempt: 1,
            unbuyable: 1,
            soldOut: 1,
            unpriced: 1,
            standing,
          },
          {
            name: 'United States',
            listings: 2,
            altogether: 1,
            search: 0,
            exempt: 0,
            unbuyable: 0,
            soldOut: 0,
            unpriced: 0,
            standing: [{ amount: 5, currency: textAt(5) }],
          },
        ],
        causes: Array.from({ length: 20 }, (_, one) => ({
          ...text(one),
          key: `cause ${one}`,
          effect: one % 2 === 0 ? ('altogether' as const) : ('search' as const),
          listings: one + 1,
          standing,
          ask: textAt(one),
          ...(one === 1 ? { needed: textAt(one) } : {}),
        })),
        issues: Array.from({ length: 20 }, (_, one) => ({
          ...text(one),
          effect: textAt(one),
          isInForce: one % 2 === 0,
          cause: `cause ${one}`,
        })),
        listings: makeListings(number, textAt),
        left: 7,
      },
    },
    {
      kind: 'news',
      ask: textAt(6),
      moments: [at, '2026-11-23T12:00:00Z'],
      places: [
        {
          name: textAt(7),
          at,
          since: '2026-11-23T12:00:00Z',
          note: textAt(8),
          groups: [
            {
              name: 'worse',
              words: 'listings have new or more suppression',
              isGood: false,
              listings: number,
              ours: 1,
              standing,
            },
            {
              name: 'prices',
              words: 'listings have other prices',
              isGood: false,
              listings: 1,
              ours: 0,
              standing: [],
            },
          ],
          changes: Array.from({ length: number }, (_, one) => ({
            sku: `${textAt(one)}-${one}`,
            title: textAt(one + 1),
            group: one === 0 ? 'other prices' : 'worse',
            from: one === 0 ? 1.5 : textAt(one),
            to: one === 0 ? 2.5 : textAt(one + 2),
            currency: 'USD',
            amount: one,
            isOurs: one % 2 === 0,
            ask: textAt(one),
          })),
        },
        { name: 'Canada', note: 'the first review that is kept', groups: [], changes: [] },
      ],
    },
    {
      kind: 'hours',
      ask: textAt(9),
      stores: Array.from({ length: 3 }, (_, one) => ({
        id: `${textAt(one + 4)}-${one}`,
        name: textAt(one),
        zone: textAt(one + 1),
        collectedAt: one === 0 ? null : at,
        ask: textAt(one + 2),
        changed: { at, what: textAt(one), ask: textAt(one) },
        places: ['the store', textAt(one + 2)].map((name) => ({
          name,
          isOffered: true,
          days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => ({
            name: day,
            open: day === 'sunday' ? [] : [[540, 720] as const, [700, 1_080] as const],
            ...(day === 'sunday' ? { before: [[660, 960] as const] } : {}),
            faults: day === 'monday' ? [textAt(one), '09:00-12:00 and 11:40-18:00 overlap'] : [],
          })),
        })),
      })),
    },
    {
      kind: 'changes',
      ask: textAt(10),
      left: 3,
      ofOthers: 2,
      changes: Array.from({ length: number }, (_, one) => ({
        id: `id-${one}`,
        at,
        what: textAt(one),
        outcome: textAt(one + 1),
        isGood: one % 2 === 0,
        error: one % 3 === 0 ? textAt(one) : null,
        undoes: one % 5 === 0 ? textAt(one + 1) : null,
        ...(one % 2 === 0 ? { ask: textAt(one) } : { whyNot: textAt(one) }),
        left: 0,
        items: [0, 1].slice(one % 2).map((item) => ({
          id: `id-${one}-${item}`,
          thing: textAt(one),
          member: textAt(one + item),
          from: item === 0 ? 12.5 : textAt(one),
          to: item === 0 ? 13 : textAt(one + 1),
          currency: item === 0 ? 'USD' : null,
          outcome: textAt(one + 2),
          error: null,
        })),
      })),
    },
    {
      kind: 'data',
      ask: textAt(11),
      collections: Array.from({ length: 3 }, (_, one) => ({
        id: `collection-${one}`,
        source: textAt(one),
        collectedAt: at,
        complete: one === 0,
        until: one === 0 ? null : at,
        notes: [textAt(one + 1)],
        tables: [0, 1].map((table) => ({
          name: `${textAt(one + table)}-${table}`,
          rows: 3,
          isNested: table === 1,
          columns: [0, 1].map((column) => ({
            name: `${textAt(column)}-${column}`,
            type: 'text',
            from: null,
            to: null,
            note: textAt(one + 2),
          })),
        })),
      })),
    },
    makeRows(number, textAt),
  ];
}

export function makeRows(number: number, textAt: (at: number) => string): RowsView {
  return {
    kind: 'rows',
    name: textAt(12),
    columns: [
      { name: textAt(0), isNumber: false },
      { name: textAt(1), isNumber: true },
    ],
    rows: Array.from({ length: number }, (_, at) => [
      `${textAt(at)}-${at}`,
      at % 7 === 0 ? null : (at * 31) % 97,
    ]),
    total: number + 5,
    notes: [textAt(2)],
  };
}
