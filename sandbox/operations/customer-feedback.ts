/** The customer-feedback operations of 2024-06-01 tell what buyers' reviews of a product mention, now and in the last months. */

import { type Answer, type Call, known, ok } from '../answer.ts';
import madeUp from '../recorded/made-up.json' with { type: 'json' };
import type { Played } from '../router.ts';
import { readRow } from '../world/listing-row.ts';
import { isoSeconds } from '../world/plain-values.ts';
import { createSequence, seedOf } from '../world/sequence.ts';
import type { World } from '../world/world.ts';
import { refuseChoices, refuseUnplayed } from './query.ts';

/** Reviews are in English in every marketplace of the sandbox. */
const POSITIVE: Readonly<Record<string, string>> = madeUp.praise;
const NEGATIVE: Readonly<Record<string, string>> = madeUp.complaints;

const MONTHS = 6;

export const playCustomerFeedback = (world: World): Played => ({
  'customer-feedback/getItemReviewTopics': (call) =>
    answer(world, call, ({ asin, sortBy, begin, end }) => ({
      dateRange: { startDate: isoSeconds(begin(MONTHS)), endDate: isoSeconds(end) },
      topics: topicsOf(
        (name, sign) => topic(name, sign, asin),
        ({ asinMetrics: { numberOfMentions, starRatingImpact } }) =>
          sortBy === 'MENTIONS' ? numberOfMentions : Math.abs(starRatingImpact),
      ),
    })),
  'customer-feedback/getItemReviewTrends': (call) =>
    answer(world, call, ({ asin, begin, end }) => ({
      dateRange: { startDate: isoSeconds(begin(MONTHS)), endDate: isoSeconds(end) },
      reviewTrends: topicsOf((name) => trend(name, asin, begin)),
    })),
});

interface Asked {
  asin: string;
  sortBy: string;
  /** Returns the beginning of the month so many months ago, in milliseconds. */
  begin(monthsAgo: number): number;
  end: number;
}

function answer(world: World, call: Call, rest: (asked: Asked) => object): Answer {
  refuseUnplayed(call);
  refuseChoices(call);
  const { asin = '' } = call.params;
  const marketplaceId = call.query.get('marketplaceId') ?? '';
  const market = world.markets.find(({ id }) => id === marketplaceId);
  const listing = world.findAsin(asin);
  const row = known(listing && readRow(listing, marketplaceId), 'ASIN', asin);
  const made = new Date(world.madeAt);
  const begin = (monthsAgo: number) => Date.UTC(made.getUTCFullYear(), made.getUTCMonth() - monthsAgo);
  const sortBy = call.query.get('sortBy') ?? 'MENTIONS';
  return ok({
    asin,
    itemName: row.title,
    marketplaceId,
    countryCode: market?.country,
    ...rest({ asin, sortBy, begin, end: begin(0) }),
  });
}

/** @param rank the topic with the most stands first */
function topicsOf<Told extends object>(
  tell: (name: string, sign: 1 | -1) => Told,
  rank: (told: Told) => number = () => 0,
) {
  const list = (names: Readonly<Record<string, string>>, sign: 1 | -1) =>
    Object.keys(names)
      .map((name) => tell(name, sign))
      .sort((one, other) => rank(other) - rank(one));
  return { positiveTopics: list(POSITIVE, 1), negativeTopics: list(NEGATIVE, -1) };
}

function topic(name: string, sign: 1 | -1, asin: string) {
  const next = createSequence(seedOf(`${asin} ${name}`));
  const numberOfMentions = 3 + (next() % 40);
  return {
    topic: name,
    asinMetrics: {
      numberOfMentions,
      occurrencePercentage: Math.round((numberOfMentions * 1000) / reviewsOf(asin)) / 10,
      starRatingImpact: (sign * (1 + (next() % 60))) / 100,
    },
    reviewSnippets: [POSITIVE[name] ?? NEGATIVE[name]],
  };
}

/** Counts the reviews of a product. */
const reviewsOf = (asin: string): number => 60 + (seedOf(asin) % 300);

function trend(name: string, asin: string, begin: Asked['begin']) {
  const next = createSequence(seedOf(`${asin} ${name}`));
  return {
    topic: name,
    trendMetrics: Array.from({ length: MONTHS }, (_, at) => ({
      dateRange: {
        startDate: isoSeconds(begin(MONTHS - at)),
        endDate: isoSeconds(begin(MONTHS - at - 1)),
      },
      asinMetrics: { occurrencePercentage: 1 + (next() % 200) / 10 },
    })),
  };
}
