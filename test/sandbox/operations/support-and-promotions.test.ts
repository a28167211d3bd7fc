/** Support cases and promotions as an assistant reads them from the sandbox: searched, paged, collected, and without what buyers told. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Session } from '../../helpers/sessions.ts';

let session: Session;
beforeAll(async () => {
  session = await connect({ args: ['--sandbox'] });
});
afterAll(() => session.close());

const read = (operation: string, more: object = {}) => session.call('read_operation', { operation, ...more });
const bodyOf = ({ structured }: Awaited<ReturnType<typeof read>>) => Object(structured.value);

it('cases are searched by a POST that only reads, asks nobody and is allowed under --read-only', async () => {
  const readOnly = await connect({ args: ['--sandbox', '--read-only'] });
  const answer = await readOnly.call('read_operation', {
    operation: 'support/listCases',
    body: { caseFilters: { caseStatuses: ['PENDING_MERCHANT_ACTION', 'PENDING_AMAZON_ACTION'] } },
  });
  await readOnly.close();
  expect(answer.isError, answer.text).toBe(false);
  expect(bodyOf(answer).cases).toHaveLength(2);
});

it('a page leads to the next one, and collecting takes them all', async () => {
  const first = bodyOf(await read('support/listCases', { body: { maxResults: 3 } }));
  expect(first.cases).toHaveLength(3);
  const next = bodyOf(
    await read('support/listCases', { body: { maxResults: 3, nextToken: first.nextToken } }),
  );
  expect(next.cases).toHaveLength(1);
  const collected = await session.call('collect_data', {
    operation: 'support/listCases',
    body: { maxResults: 2 },
    as: 'cases',
    sql: 'SELECT count(*), count(primary_email) FROM cases',
  });
  expect(collected.structured.rows, collected.text).toEqual([[4, 4]]);
});

it('what was written in a case is shown without the contacts of anybody', async () => {
  const seen: string[] = [];
  for (const number of [101, 102, 103, 104]) {
    for (const operation of ['support/getCase', 'support/listContacts']) {
      const answer = await read(operation, { parameters: { caseId: `sbx-case-${number}` } });
      expect(answer.isError, answer.text).toBe(false);
      seen.push(answer.text, JSON.stringify(answer.structured));
    }
  }
  const all = seen.join('\n');
  expect(all).not.toMatch(/@[a-z-]+\.example/);
  expect(all).toContain('The main image shows a logo.');
  expect(all).toMatch(/reached at «e-mail \w{8}» or «phone \w{8}»/);
});

it('promotions are searched by type and product, and each leads to its products', async () => {
  const [marketplaceId] = ['ATVPDKIKX0DER'];
  const parameters = { marketplaceIds: [marketplaceId], promotionTypes: ['COUPON', 'DEAL'] };
  const { totalResults, promotions } = bodyOf(await read('promotions/searchPromotions', { parameters }));
  expect(totalResults).toBe(3);
  const [{ promotionId, selection }] = promotions;
  const products = bodyOf(
    await read('promotions/getSelection', {
      parameters: { promotionId, selectionId: selection.selectionId, revisionId: selection.revisionId },
    }),
  ).selection.selectionDetails.items;
  expect(products).toHaveLength(3);
  const bySku = bodyOf(
    await read('promotions/searchPromotions', {
      parameters: { marketplaceIds: [marketplaceId], skus: [products[0].sku] },
    }),
  );
  expect(bySku.promotions.map((one: { promotionId: string }) => one.promotionId)).toEqual([promotionId]);
  const failed = bodyOf(
    await read('promotions/searchPromotions', {
      parameters: { marketplaceIds: [marketplaceId], statuses: ['FAILED'], includedData: ['ISSUES'] },
    }),
  );
  expect(failed.promotions[0].issues).toHaveLength(1);
});
