/** The facts of a review, out of any two tables, are those that one counts by hand. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { groupBy } from '../../../src/base/group-by.ts';
import {
  flattenListing,
  type IssueRow,
  type ListingRow,
  withAmount,
} from '../../../src/data/review/listing-rows.ts';
import { addFlatTables } from '../../../src/data/review/plan-review.ts';
import { type ReviewFacts, readReview } from '../../../src/data/review/read-review.ts';
import { ASK, openTestTables } from '../../helpers/tables-worker.ts';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const PLACE = { id: 'A1PA6795UKMFR9', name: 'Germany' };
const PLACES = [PLACE, { id: 'A1F83G8C2ARO7P', name: 'the United Kingdom' }];

const issue = fc
  .record({
    code: fc.constantFrom('8541', '8541', '90220'),
    severity: fc.constantFrom('ERROR', 'ERROR', 'WARNING'),
    number: fc.integer({ min: 1, max: 2 }),
    action: fc.constantFrom(
      undefined,
      'LISTING_SUPPRESSED',
      'LISTING_SUPPRESSED',
      'SEARCH_SUPPRESSED',
      'ATTRIBUTE_SUPPRESSED',
      'NEW_ACTION',
    ),
    until: fc.constantFrom(undefined, '2026-12-01T00:00:00Z', '2027-01-05T00:00:00Z'),
  })
  .map(({ code, severity, number, action, until }) => ({
    code,
    severity,
    message: `${number} words`,
    attributeNames: ['price'],
    categories: ['INVALID_PRICE'],
    enforcements: {
      actions: action === undefined ? [] : [{ action }],
      exemption:
        until === undefined
          ? { status: 'NOT_EXEMPT' }
          : { status: 'EXEMPT_UNTIL_EXPIRY_DATE', expiryDate: until },
    },
  }));

const listing = fc
  .record({
    place: fc.constantFrom(...PLACES, PLACE),
    sku: fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'),
    price: fc.constantFrom(undefined, '1.10', '20'),
    currency: fc.constantFrom('EUR', 'EUR', 'GBP'),
    quantity: fc.constantFrom(undefined, 0, 0, 3, 7),
    isBuyable: fc.constantFrom(undefined, true, false, false),
    issues: fc.array(issue, { maxLength: 3 }),
  })
  .map(({ place, sku, price, currency, quantity, isBuyable, issues }) => ({
    place,
    item: {
      sku,
      summaries: [
        {
          marketplaceId: place.id,
          status: isBuyable === undefined ? undefined : isBuyable ? ['BUYABLE'] : [],
        },
      ],
      offers:
        price === undefined
          ? []
          : [{ marketplaceId: place.id, price: { amount: price, currencyCode: currency } }],
      fulfillmentAvailability: [{ fulfillmentChannelCode: 'DEFAULT', quantity }],
      issues,
    },
  }));

/** An issue of a listing, once. */
interface Hit {
  issue: IssueRow;
  row: ListingRow;
  until: string | null;
}

const least = (texts: readonly (string | null)[]) => texts.filter((text) => text !== null).sort()[0] ?? null;
const last = (texts: readonly (string | null)[]) =>
  texts
    .filter((text) => text !== null)
    .sort()
    .at(-1) ?? null;
const sumOf = (amounts: readonly (number | null)[]) => {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0);
};
const cents = (amount: number | null) => (amount === null ? null : Math.round(amount * 100));
const byKey = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();

function hitsOf(
  rows: readonly ListingRow[],
  issues: readonly IssueRow[],
  is: (one: IssueRow) => boolean,
): Hit[] {
  const known = issues.filter(is).flatMap((one) => {
    const row = rows.find(({ sku, marketplace_id: id }) => sku === one.sku && id === one.marketplace_id);
    return row === undefined ? [] : [{ issue: one, row }];
  });
  const once = groupBy(known, (hit) =>
    JSON.stringify([hit.issue.cause, hit.issue.effect, hit.issue.severity, rows.indexOf(hit.row)]),
  );
  return [...once.values()].flatMap((same) => {
    const [first] = same;
    const until = least(same.map((one) => one.issue.exempt_until));
    return first === undefined ? [] : [{ ...first, until }];
  });
}

/** The group of each section that an issue counts in. */
const SECTIONS: Readonly<Record<string, (one: IssueRow) => string | undefined>> = {
  causes: (one) => (one.suppresses === 1 ? JSON.stringify([one.cause, one.effect, one.severity]) : undefined),
  exempt: (one) => (one.exempt === 1 ? JSON.stringify([one.cause, one.effect, one.severity]) : undefined),
  others: (one) =>
    one.suppresses === 0 && one.exempt === 0
      ? JSON.stringify([
          one.cause,
          one.severity,
          ['attribute', 'other'].includes(one.effect) ? one.effect : 'none',
        ])
      : undefined,
  codes: (one) => JSON.stringify([one.code, one.severity]),
};

/** The money of each SKU once for each quantity that it has: marketplaces of one currency with the same number share it. */
function sharedOnce(rows: readonly ListingRow[]): (number | null)[] {
  const stocks = groupBy(rows, ({ sku, quantity }) => JSON.stringify([sku, quantity]));
  return [...stocks.values()].map((group) => {
    const known = group.flatMap(({ stock_amount: amount }) => amount ?? []);
    return known.length === 0 ? null : Math.max(...known);
  });
}

/** Counts the distinct listings of each section, and holds the sums of its groups against them. */
function checkTotals(facts: ReviewFacts, rows: readonly ListingRow[], issues: readonly IssueRow[]): void {
  for (const [section, groupOf] of Object.entries(SECTIONS)) {
    const found = facts.totals.filter((row) => row.section === section);
    const groupsOf = (row: ListingRow) => {
      const own = issues.filter(
        ({ sku, marketplace_id: id }) => sku === row.sku && id === row.marketplace_id,
      );
      return new Set(own.map(groupOf).filter((group) => group !== undefined)).size;
    };
    const affected = rows.filter((row) => groupsOf(row) > 0);
    const keyOf = (row: Pick<ListingRow, 'currency'>) => JSON.stringify(row.currency);
    const meant = [...groupBy(affected, keyOf)].map(([key, group]) => ({
      key,
      listings: group.length,
      amount: cents(sumOf(sharedOnce(group))),
      unpriced: group.filter((row) => row.stock_amount === null).length,
      in_several: group.filter((row) => groupsOf(row) > 1).length,
    }));
    const counted = found.map(({ section: _, currency, amount, ...counts }) => ({
      key: JSON.stringify(currency),
      listings: counts.listings,
      amount: cents(amount),
      unpriced: counts.unpriced,
      in_several: counts.in_several,
    }));
    expect(byKey(counted)).toEqual(byKey(meant));

    if (section !== 'causes' && section !== 'exempt' && section !== 'others' && section !== 'codes') continue;
    const groups: readonly { listings: number }[] = facts[section];
    const overlaps = affected.reduce((sum, row) => sum + groupsOf(row) - 1, 0);
    const total = counted.reduce((sum, { listings }) => sum + listings, 0);
    expect(groups.reduce((sum, { listings }) => sum + listings, 0) - overlaps).toBe(total);
  }
}

function checkCauses(
  told: ReviewFacts['causes'],
  skus: ReviewFacts['causeSkus'],
  hits: readonly Hit[],
): void {
  const groups = groupBy(hits, ({ issue: { cause, effect, severity }, row }) =>
    JSON.stringify([cause, effect, severity, row.marketplace, row.currency]),
  );
  const meant = [...groups.values()].map((group) => ({
    key: [
      group[0]?.issue.cause,
      group[0]?.issue.effect,
      group[0]?.issue.severity,
      group[0]?.row.marketplace,
      group[0]?.row.currency,
    ],
    listings: group.length,
    amount: cents(sumOf(group.map(({ row }) => row.stock_amount))),
    until: [least(group.map(({ until }) => until)), last(group.map(({ until }) => until))],
  }));
  const found = told.map((row) => ({
    key: [row.cause, row.effect, row.severity, row.marketplace, row.currency],
    listings: row.listings,
    amount: cents(row.amount),
    until: [row.first_until, row.last_until],
  }));
  expect(byKey(found)).toEqual(byKey(meant));
  const causes = groupBy(hits, ({ issue: { cause, effect, severity }, row }) =>
    JSON.stringify([cause, effect, severity, row.currency]),
  );
  for (const [key, group] of causes) {
    const own = told.filter(
      (row) => JSON.stringify([row.cause, row.effect, row.severity, row.currency]) === key,
    );
    const once = sharedOnce(group.map(({ row }) => row));
    expect(cents(sumOf(own.map((row) => row.once)))).toBe(cents(sumOf(once)));
  }
  // Causes that stop sales come before those that hide a listing.
  const hidden = told.map(({ effect }) => Number(effect === 'search'));
  expect(hidden).toEqual(hidden.toSorted());
  expect(byKey(skus)).toEqual(
    byKey(
      hits.map(({ issue: { cause, effect, severity }, row, until }) => ({
        cause,
        effect,
        severity,
        sku: row.sku,
        marketplace: row.marketplace,
        until,
      })),
    ),
  );
}

it('they are counted by marketplace, cause, code and severity, what is worst first', async () => {
  const tables = await openTestTables();
  const world = fc.uniqueArray(listing, {
    minLength: 1,
    maxLength: 14,
    size: 'max',
    selector: ({ place, item }) => `${item.sku} ${place.id}`,
  });
  await fc.assert(
    fc.asyncProperty(world, async (all) => {
      const flat = all.flatMap(({ item, place }) => flattenListing(item, place, NOW) ?? []);
      const rows = flat.map(({ row }) => withAmount(row));
      const issues = flat.flatMap((one) => one.issues);
      fc.pre(issues.length > 0);
      const source = { kind: 'operation' as const, operation: 'review_listings', parameters: {} };
      const loader = await tables.openLoader(source);
      await loader.addItems('listings', rows);
      await loader.addItems('listing_issues', issues);
      const info = await loader.finish({ source, complete: true, notes: [] });
      const facts = await readReview(tables, info, ASK);

      const byMarketplace = groupBy(rows, (row) => JSON.stringify([row.marketplace, row.currency]));
      const meant = [...byMarketplace.values()].map((group) => {
        const count = (is: (row: ListingRow) => boolean) => group.filter(is).length;
        const bad = group.filter(({ suppressed }) => suppressed !== null);
        return {
          key: [group[0]?.marketplace, group[0]?.currency],
          listings: group.length,
          altogether: count(({ suppressed }) => suppressed === 'altogether'),
          search: count(({ suppressed }) => suppressed === 'search'),
          exempt: count((row) => row.exempt_issues > 0),
          amount: cents(sumOf(bad.map((row) => row.stock_amount))),
          unpriced: bad.filter((row) => row.stock_amount === null).length,
          unbuyable: count((row) => row.suppressed === null && row.buyable === 0),
          sold_out: count((row) => row.suppressed === null && row.buyable === 0 && row.quantity === 0),
          unfound: count((row) => row.suppressed === null && row.buyable === 1 && row.discoverable === 0),
        };
      });
      const found = facts.marketplaces.map(({ marketplace, currency, amount, ...counts }) => ({
        key: [marketplace, currency],
        ...counts,
        amount: cents(amount),
      }));
      const inOrder = (list: readonly { key: unknown }[]) =>
        list.toSorted((a, b) => (JSON.stringify(a.key) < JSON.stringify(b.key) ? -1 : 1));
      expect(inOrder(found)).toEqual(inOrder(meant));

      checkTotals(facts, rows, issues);

      const inForce = hitsOf(rows, issues, ({ suppresses }) => suppresses === 1);
      checkCauses(facts.causes, facts.causeSkus, inForce);
      const exempt = hitsOf(rows, issues, (one) => one.exempt === 1);
      checkCauses(facts.exempt, facts.exemptSkus, exempt);

      const worst = rows.filter(({ suppressed }) => suppressed !== null);
      expect(byKey(facts.worst.map(({ sku, marketplace }) => ({ sku, marketplace })))).toEqual(
        byKey(worst.map(({ sku, marketplace }) => ({ sku, marketplace }))),
      );
      const ranks = facts.worst.map(({ suppressed }) => Number(suppressed === 'search'));
      expect(ranks).toEqual(ranks.toSorted());
      for (const state of ['altogether', 'search']) {
        for (const currency of ['EUR', 'GBP', null]) {
          const amounts = facts.worst
            .filter((row) => row.suppressed === state && row.currency === currency)
            .map(({ amount }) => amount ?? -1);
          expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
        }
      }

      const listingsOf = (some: readonly IssueRow[]) =>
        new Set(some.map(({ sku, marketplace_id: id }) => `${sku} ${id}`)).size;
      const rest = issues.filter((one) => one.suppresses === 0 && one.exempt === 0);
      const effectOf = ({ effect }: IssueRow) => (['attribute', 'other'].includes(effect) ? effect : 'none');
      const others = groupBy(rest, (one) => JSON.stringify([one.cause, one.severity, effectOf(one)]));
      expect(
        byKey(
          facts.others.map(({ code, severity, effect, listings }) => ({ code, severity, effect, listings })),
        ),
      ).toEqual(
        byKey(
          [...others.values()].map((group) => ({
            code: group[0]?.code,
            severity: group[0]?.severity,
            effect: group[0] && effectOf(group[0]),
            listings: listingsOf(group),
          })),
        ),
      );
      const codes = groupBy(issues, ({ code, severity }) => JSON.stringify([code, severity]));
      expect(byKey(facts.codes)).toEqual(
        byKey(
          [...codes.values()].map((group) => ({
            code: group[0]?.code,
            severity: group[0]?.severity,
            listings: listingsOf(group),
          })),
        ),
      );
      const severities = groupBy(issues, ({ marketplace, severity }) =>
        JSON.stringify([marketplace, severity]),
      );
      expect(byKey(facts.severities)).toEqual(
        byKey(
          [...severities.values()].map((group) => ({
            marketplace: group[0]?.marketplace,
            severity: group[0]?.severity,
            issues: group.length,
            listings: listingsOf(group),
          })),
        ),
      );
    }),
    { numRuns: 15 },
  );
  await tables.close();
});

it('a review without a listing has no facts, and its columns can be asked for', async () => {
  const tables = await openTestTables();
  const source = { kind: 'operation' as const, operation: 'review_listings', parameters: {} };
  const loader = await tables.openLoader(source);
  await addFlatTables(loader, [], []);
  const info = await loader.finish({ source, complete: true, notes: [] });
  expect(await readReview(tables, info, ASK)).toMatchObject({ marketplaces: [], causes: [], codes: [] });
  const { columns } = await tables.query('SELECT sku, stock_amount, last_updated FROM listings', ASK);
  expect(columns).toEqual(['sku', 'stock_amount', 'last_updated']);
});
