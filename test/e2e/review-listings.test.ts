/** review_listings in the built program: exact over another world than the sandbox's, and once for several servers. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HttpService, startHttpService } from '../helpers/http-service.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { type SellerListing, sellerService } from '../helpers/seller-service.ts';
import { connect, type Session } from '../helpers/sessions.ts';

const DE = 'A1PA6795UKMFR9';

/** Every seventh is suppressed, every fifth of the rest hidden by a warning. */
const LISTINGS: SellerListing[] = Array.from({ length: 140 }, (_, i) => ({
  sku: `00${i}`,
  title: `Vase ${i}`,
  prices: { [DE]: 1_999 + i },
  ...(i % 2 === 0 ? { own: i } : { held: i }),
  issues:
    i % 7 === 0
      ? [enforced('90220', 'ERROR', 'LISTING_SUPPRESSED')]
      : i % 5 === 0
        ? [enforced('99300', 'WARNING', 'SEARCH_SUPPRESSED')]
        : [],
}));

function enforced(code: string, severity: string, action: string) {
  return { code, severity, message: `About ${code}`, enforcements: { actions: [{ action }] } };
}

let outside: Outside;
let service: HttpService;
let sessions: Session[];
let held: Promise<void>;
let letGo: () => void;

beforeEach(async () => {
  sessions = [];
  held = Promise.resolve();
  letGo = () => undefined;
  outside = await startOutside();
  const answer = sellerService({
    listings: LISTINGS,
    async before({ searchParams }) {
      if (searchParams.get('pageToken') === '40') await held;
      return undefined;
    },
  });
  service = await startHttpService((request, response) =>
    request.path === '/auth/o2/token'
      ? { body: { access_token: 'Atza|1', token_type: 'bearer', expires_in: 3600 } }
      : answer(request, response),
  );
});
afterEach(async () => {
  letGo();
  await Promise.all(sessions.map((session) => session.close()));
  await service.close();
  await outside.close();
});

async function open(more: Record<string, string> = {}): Promise<Session> {
  const env = { ...outside.env, SELLER_BASE_URL: service.url, SELLER_AUTH_URL: service.url, ...more };
  const session = await connect({ args: outside.args, env });
  sessions.push(session);
  return session;
}

const pages = () => service.requests.filter(({ path }) => path.startsWith('/listings/')).length;

it('suppressed listings of Germany by cause, and the worst by money of inventory affected: one call, exact', async () => {
  const session = await open();
  const { text, structured } = await session.call('review_listings', { marketplaces: ['Germany'] });
  const gone = LISTINGS.filter((_, i) => i % 7 === 0);
  const hidden = LISTINGS.filter((_, i) => i % 7 !== 0 && i % 5 === 0);
  const worth = ({ prices, own, held: stock }: SellerListing) => (prices[DE] ?? 0) * (own ?? stock ?? 0);
  const standing = [...gone, ...hidden].reduce((sum, each) => sum + worth(each), 0) / 100;
  expect(structured).toMatchObject({
    complete: true,
    marketplaces: [{ suppressed_altogether: gone.length, hidden_from_search: hidden.length }],
    causes: [
      { code: '90220', listings: gone.length },
      { code: '99300', severity: 'WARNING', listings: hidden.length },
    ],
  });
  expect(text).toContain(`${standing.toFixed(2)} EUR of inventory affected`);
  const byMoney = (a: SellerListing, b: SellerListing) => worth(b) - worth(a);
  const worst = [...gone.toSorted(byMoney), ...hidden.toSorted(byMoney)].map(({ sku }) => sku);
  const worstSkus = [structured.worst].flat().map((each) => Object(each).sku);
  expect(worstSkus.length).toBeGreaterThan(2);
  expect(worstSkus).toEqual(worst.slice(0, worstSkus.length));
  const asked = await session.call('query_data', {
    sql: "SELECT suppressed, count(*) FROM listings WHERE marketplace = 'Germany' GROUP BY 1 ORDER BY 1",
  });
  expect(asked.structured.rows).toEqual([
    [null, 140 - gone.length - hidden.length],
    ['altogether', gone.length],
    ['search', hidden.length],
  ]);
});

it('two servers read the catalog once: the second tells how far the first one is, both tell the same', async () => {
  ({ promise: held, resolve: letGo } = Promise.withResolvers<void>());
  const [first, second] = await Promise.all([open(), open()]);
  const args = { marketplaces: ['DE'] };
  const messages: string[] = [];
  const one = first.call('review_listings', args);
  await expect.poll(pages).toBe(3);
  const two = second.call('review_listings', args, { onprogress: (message) => messages.push(message) });
  await expect.poll(() => messages.join('\n')).toContain('Germany: 40 of about 140');
  letGo();
  const answers = await Promise.all([one, two]);
  expect(answers.map(({ structured }) => structured.state)).toEqual(['done', 'done']);
  expect(answers[0]?.structured.causes).toEqual(answers[1]?.structured.causes);
  expect(pages()).toBe(7);
});
