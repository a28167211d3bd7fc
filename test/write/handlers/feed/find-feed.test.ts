/** Which feed of those that the service lists is taken for the one whose createFeed got no answer, over made-up lists and times. */

import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FoundFeeds, findFeeds } from '../../../../src/write/handlers/feed/find-feed.ts';
import { testAccount } from '../../../helpers/memory-accounts.ts';
import { type FeedSetup, setUpFeeds, US } from './helpers.ts';

const TYPE = 'JSON_LISTINGS_FEED';
const NOW = Date.parse('2026-03-01T12:00:00Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const iso = (at: number) => new Date(at).toISOString();
const listed = (feedId: string, createdAt: number, more: object = {}) => ({
  feedId,
  feedType: TYPE,
  marketplaceIds: [US],
  processingStatus: 'DONE',
  createdTime: iso(createdAt),
  ...more,
});

let setup: FeedSetup;
beforeEach(async () => {
  setup = await setUpFeeds();
});

interface Looked extends FoundFeeds {
  asked: (Readonly<Record<string, unknown>> | undefined)[];
}

/** @param pages of the service's answer, the same at each look */
async function look(pages: readonly unknown[], creating: number, documentAt?: number): Promise<Looked> {
  const asked: Looked['asked'] = [];
  const owner = testAccount({ baseUrl: setup.sandbox.baseUrl });
  const parts = setup.parts({
    client: {
      async call({ parameters }) {
        asked.push(parameters);
        const at = Number(parameters?.nextToken ?? 0);
        return { status: 200, headers: {}, bytes: 0, body: pages[at], owner, filledIn: {} };
      },
    },
    // Sleeping ends at once.
    clock: {
      now: () => 0,
      wallClock: () => NOW,
      after(_ms, wake) {
        setImmediate(wake);
        return () => undefined;
      },
    },
  });
  const steps = {
    creating: iso(creating),
    documentAt: documentAt === undefined ? undefined : iso(documentAt),
  };
  return { ...(await findFeeds({ feedType: TYPE, marketplaceIds: [US] }, steps, parts)), asked };
}

it('a feed of another program, made while our document waited for hours, is not taken for ours', async () => {
  const found = await look([{ feeds: [listed('other', NOW - 30 * MINUTE)] }], NOW, NOW - 5 * 60 * MINUTE);
  expect(found).toMatchObject({ candidates: [], isWhole: true });
  expect(found.only).toBeUndefined();
  expect(found.asked[0]).toMatchObject({ createdSince: iso(NOW - MINUTE) });
});

it('exactly one of the minutes since the document was there and createFeed left is taken, whatever else is listed', async () => {
  const offset = fc.integer({ min: -20 * MINUTE, max: 20 * MINUTE });
  await fc.assert(
    fc.asyncProperty(
      fc.array(offset, { maxLength: 4 }),
      fc.option(fc.integer({ min: -6 * 60 * MINUTE, max: 2 * SECOND }), { nil: undefined }),
      async (offsets, document) => {
        const feeds = offsets.map((ms, at) => listed(`f${at}`, NOW + ms));
        const begin = Math.max(-MINUTE, (document ?? -Infinity) - 2 * SECOND);
        const fitting = offsets.flatMap((ms, at) => (ms >= begin && ms <= 11 * MINUTE ? [`f${at}`] : []));
        const { only, candidates } = await look(
          [{ feeds }],
          NOW,
          document === undefined ? undefined : NOW + document,
        );
        expect(candidates).toEqual(fitting);
        expect(only?.feedId).toBe(fitting.length === 1 ? fitting[0] : undefined);
      },
    ),
  );
});

describe('what is not said is unknown', () => {
  it.each([
    ['without a type', [{ feeds: [listed('f', NOW, { feedType: undefined })] }]],
    ['without a time', [{ feeds: [listed('f', NOW, { createdTime: undefined })] }]],
    ['with a time that is none', [{ feeds: [listed('f', NOW, { createdTime: 'today' })] }]],
    ['beside one that cannot be read', [{ feeds: [listed('f', NOW), { feedId: 7 }] }]],
    ['beside one of no form', [{ feeds: [listed('f', NOW), 'feed'] }]],
    ['of a list whose next page cannot be read', [{ feeds: [listed('f', NOW)], nextToken: '1' }, 'oops']],
    ['of a list without an end', [{ feeds: [listed('f', NOW)], nextToken: '0' }]],
    [
      'beside one on the next page',
      [{ feeds: [listed('f', NOW)], nextToken: '1' }, { feeds: [listed('g', NOW)] }],
    ],
  ])('a feed %s is not taken, and named', async (_case, pages) => {
    const { only, candidates } = await look(pages, NOW, NOW);
    expect(only).toBeUndefined();
    expect(candidates).toContain('f');
  });

  it('one of another type, or for other marketplaces, is nothing to us', async () => {
    const others = [
      listed('type', NOW, { feedType: 'POST_PRODUCT_DATA' }),
      listed('place', NOW, { marketplaceIds: ['A1PA6795UKMFR9'] }),
      listed('both', NOW, { marketplaceIds: [US, 'A1PA6795UKMFR9'] }),
    ];
    const { only, asked } = await look(
      [{ feeds: others, nextToken: '1' }, { feeds: [listed('f', NOW)] }],
      NOW,
    );
    expect(only?.feedId).toBe('f');
    expect(asked[1]).toEqual({ nextToken: '1' });
  });
});
