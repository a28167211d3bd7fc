/** The demo account tells by documented members what reviews of a product mention, in the order that is asked for. */

import { expect, it } from 'vitest';
import * as z from 'zod';
import { firstError, signIn, US } from '../helpers.ts';
import { findUndocumented } from './documented-answer.ts';

const topicSchema = z.object({
  topic: z.string(),
  asinMetrics: z.object({ numberOfMentions: z.int(), starRatingImpact: z.number() }),
});
const topicsSchema = z.object({
  topics: z.object({ positiveTopics: z.array(topicSchema), negativeTopics: z.array(topicSchema) }),
});

it('topics and trends of a product are documented, and stand in the order that is asked for', async () => {
  const { get } = await signIn();
  const path = '/customerFeedback/2024-06-01/items/B0SBX00002/reviews';
  const read = async (sortBy: string) => {
    const { body } = await get(`${path}/topics?marketplaceId=${US}&sortBy=${sortBy}`);
    expect(await findUndocumented('customer-feedback/getItemReviewTopics', body)).toEqual([]);
    const { positiveTopics, negativeTopics } = topicsSchema.parse(body).topics;
    return [positiveTopics, negativeTopics];
  };
  for (const topics of await read('MENTIONS')) {
    const mentions = topics.map(({ asinMetrics }) => asinMetrics.numberOfMentions);
    expect(mentions).toEqual(mentions.toSorted((one, other) => other - one));
  }
  for (const [at, topics] of (await read('STAR_RATING_IMPACT')).entries()) {
    const impacts = topics.map(({ asinMetrics }) => asinMetrics.starRatingImpact);
    expect(impacts.every((impact) => impact > 0 === (at === 0))).toBe(true);
    const sizes = impacts.map(Math.abs);
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  }
  const { body } = await get(`${path}/trends?marketplaceId=${US}`);
  expect(await findUndocumented('customer-feedback/getItemReviewTrends', body)).toEqual([]);
  const none = await get(
    `/customerFeedback/2024-06-01/items/B0NOTHERE0/reviews/topics?marketplaceId=${US}&sortBy=MENTIONS`,
  );
  expect([none.status, firstError(none).code]).toEqual([404, 'NotFound']);
});
